import { useSignal } from "@preact/signals";
import type { RepairMode } from "../../../../src/core/repair/modes.ts";
import type { SuspensionRow } from "../../../../src/store/port.ts";
import { Glyph } from "../../components/glyph.tsx";
import { Panel } from "../../components/panel.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { visible } from "../../format.ts";
import { getJson } from "../../get-json.ts";
import { inRange, refresh, useQuery } from "../../queries.ts";

interface Override {
  /** Set for the repair of native calls. */
  readonly of?: "calls";
  readonly mode: string;
  readonly upstream?: string;
  readonly model?: string;
  readonly at: string;
}

interface RepairResponse {
  /** As configured. */
  readonly mode: RepairMode;
  readonly calls: { readonly mode: string };
  readonly guard: string;
  readonly second_chance: string;
  readonly overrides: readonly Override[];
  readonly suspended: readonly { readonly provider: string; readonly model: string; readonly at: string }[];
  readonly refusals: readonly SuspensionRow[];
}

const MODES: readonly (readonly [mode: RepairMode | "config", what: string])[] = [
  ["off", "leaks are not detected"],
  ["observe", "leaks are recorded, responses are not changed"],
  ["known", "leaked calls of declared tools are repaired"],
  ["any", "leaked calls of undeclared tools are repaired too"],
  ["config", ""],
];

/** Shows the repair mode and changes it. A change applies from the next request. */
export function Repair() {
  const { value, isOld } = useQuery<RepairResponse>(inRange("/api/repair"));
  const problem = useSignal("");
  const choose = async (mode: string): Promise<void> => {
    try {
      const body = JSON.stringify({ mode });
      await getJson("/api/settings/repair", { method: "POST", body, headers: { "content-type": "application/json" } });
      problem.value = "";
      await refresh();
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  const mode = overrideOf(value?.overrides) ?? "config";
  return (
    <Panel title="Repair" note={value === undefined ? "" : `configured: ${value.mode}`} busy={isOld}>
      <div class="panel-body">
        <fieldset class="modes">
          <legend class="hidden">Mode for everything</legend>
          {MODES.map(([name, what]) => (
            <label key={name} class={name === mode ? "mode mode-set" : "mode"}>
              <input type="radio" name="repair" checked={name === mode} onChange={() => void choose(name)} />
              <strong>{name === "config" ? "as configured" : name}</strong> <span class="faint">{what}</span>
            </label>
          ))}
        </fieldset>
        <output class="tone-bad">{problem.value}</output>
        {value !== undefined && <OtherModes response={value} />}
        {value !== undefined && <Exceptions response={value} />}
      </div>
    </Panel>
  );
}

/** The mode set at runtime for everything. */
function overrideOf(overrides: readonly Override[] = [], what?: "calls"): string | undefined {
  return overrides.findLast(({ of, upstream, model }) => of === what && upstream === undefined && model === undefined)
    ?.mode;
}

function OtherModes({ response: { calls, overrides, guard, second_chance } }: { readonly response: RepairResponse }) {
  const own = overrideOf(overrides, "calls");
  const mode = own === undefined || own === "config" ? calls.mode : own;
  const modes = [
    ["Native calls", mode === "follow" ? "as leaked calls" : mode],
    ["Guard", guard],
    ["Second chance", second_chance],
  ] as const;
  return (
    <p>
      {modes.map(([name, mode]) => (
        <span key={name} class="with-glyph">
          {name}: <strong>{mode}</strong>
        </span>
      ))}
    </p>
  );
}

function Exceptions({ response: { overrides, suspended, refusals } }: { readonly response: RepairResponse }) {
  const own = overrides.filter(({ upstream, model }) => upstream !== undefined || model !== undefined);
  return (
    <ul class="state-lines">
      {own.map(({ mode, upstream = "every upstream", model = "every model", at }) => (
        <li key={`${upstream} ${model}`}>
          <strong>{mode}</strong> for <bdi>{visible(upstream)}</bdi>, <bdi>{visible(model)}</bdi>{" "}
          <span class="faint">
            set <TimeAgo at={Date.parse(at)} />
          </span>
        </li>
      ))}
      {suspended.map(({ provider, model, at }) => (
        <li key={`${provider} ${model} ${at}`}>
          <Glyph tone="warn" label="suspended" /> Suspended for <bdi>{visible(provider)}</bdi>,{" "}
          <bdi>{visible(model)}</bdi>: the upstream rejected a repaired call <TimeAgo at={Date.parse(at)} />. Select a
          mode to resume.
        </li>
      ))}
      {suspended.length === 0 && (
        <li>
          <Glyph tone="ok" label="well" /> Active on all upstreams
        </li>
      )}
      {refusals.length > 0 && (
        <li class="faint">
          {refusals.length} rejections in this range, the newest <TimeAgo at={Date.parse(refusals[0]?.at ?? "")} />.
        </li>
      )}
    </ul>
  );
}
