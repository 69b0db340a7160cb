import { useSignal } from "@preact/signals";
import type { RepairMode } from "../../../../src/core/repair/read-request.ts";
import type { SuspensionRow } from "../../../../src/store/port.ts";
import { Glyph } from "../../components/glyph.tsx";
import { Panel } from "../../components/panel.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { visible } from "../../format.ts";
import { getJson } from "../../get-json.ts";
import { inRange, refresh, useQuery } from "../../queries.ts";

interface Choice {
  readonly mode: RepairMode | "config";
  readonly upstream?: string;
  readonly model?: string;
  readonly at: string;
}

interface RepairAnswer {
  /** As configured. */
  readonly mode: RepairMode;
  readonly overrides: readonly Choice[];
  readonly suspended: readonly { readonly provider: string; readonly model: string; readonly at: string }[];
  readonly refusals: readonly SuspensionRow[];
}

const MODES: readonly (readonly [mode: RepairMode | "config", what: string])[] = [
  ["off", "leaks are not looked for"],
  ["observe", "leaks are counted, answers stay as they are"],
  ["known", "leaked calls of tools the client declared become calls"],
  ["any", "also calls of tools it did not declare"],
  ["config", "as the configuration says"],
];

/** Are leaked calls mended? May be changed while everything runs: it holds from the next request on. */
export function Repair() {
  const { value, isOld } = useQuery<RepairAnswer>(inRange("/api/repair"));
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
  const chosen = value?.overrides.findLast(({ upstream, model }) => upstream === undefined && model === undefined);
  const mode = chosen?.mode ?? "config";
  return (
    <Panel title="Mending leaked calls" note={value === undefined ? "" : `configured: ${value.mode}`} busy={isOld}>
      <div class="panel-body">
        <fieldset class="modes">
          <legend class="hidden">Mode for everything</legend>
          {MODES.map(([name, what]) => (
            <label key={name} class={name === mode ? "mode mode-set" : "mode"}>
              <input type="radio" name="repair" checked={name === mode} onChange={() => void choose(name)} />
              <strong>{name}</strong> <span class="faint">{what}</span>
            </label>
          ))}
        </fieldset>
        <output class="tone-bad">{problem.value}</output>
        {value !== undefined && <Exceptions answer={value} />}
      </div>
    </Panel>
  );
}

function Exceptions({ answer: { overrides: choices, suspended, refusals } }: { readonly answer: RepairAnswer }) {
  const own = choices.filter(({ upstream, model }) => upstream !== undefined || model !== undefined);
  return (
    <ul class="state-lines">
      {own.map(({ mode, upstream = "every upstream", model = "every model", at }) => (
        <li key={`${upstream} ${model}`}>
          <strong>{mode}</strong> for <bdi>{visible(upstream)}</bdi>, <bdi>{visible(model)}</bdi>{" "}
          <span class="faint">
            chosen <TimeAgo at={Date.parse(at)} />
          </span>
        </li>
      ))}
      {suspended.map(({ provider, model, at }) => (
        <li key={`${provider} ${model} ${at}`}>
          <Glyph tone="warn" label="suspended" /> Suspended for <bdi>{visible(provider)}</bdi>,{" "}
          <bdi>{visible(model)}</bdi>: it did not take back a mended call <TimeAgo at={Date.parse(at)} />. Choosing a
          mode switches it on again.
        </li>
      ))}
      {suspended.length === 0 && (
        <li>
          <Glyph tone="ok" label="well" /> Suspended nowhere.
        </li>
      )}
      {refusals.length > 0 && (
        <li class="faint">
          {refusals.length} refusals in this range; the newest <TimeAgo at={Date.parse(refusals[0]?.at ?? "")} />.
        </li>
      )}
    </ul>
  );
}
