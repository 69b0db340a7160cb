import type { ComponentChildren } from "preact";
import type { StatusResponse } from "../../../../src/api/server-status.ts";
import { commandOf } from "../../command.ts";
import { Glyph } from "../../components/glyph.tsx";
import { Facts } from "../../components/pane.tsx";
import { Panel } from "../../components/panel.tsx";
import { bytes, count, visible } from "../../format.ts";
import { useQuery } from "../../queries.ts";
import type { Tone } from "../../tone.ts";

/** Status of store, journal and spool. */
export function RecorderHealth() {
  const { value: status } = useQuery<StatusResponse>("/api/status");
  return (
    <Panel title="Recorder" note={status && `Toolmend ${status.version}`}>
      <div class="panel-body">{status !== undefined && <Facts facts={factsOf(status)} />}</div>
    </Panel>
  );
}

function factsOf(status: StatusResponse): readonly (readonly [string, ComponentChildren])[] {
  const { store_problem: problem, unapplied_bytes: behind, spool, dropped, rejected } = status;
  return [
    [
      "Store",
      problem === null
        ? statusLine("ok", "OK")
        : statusLine(
            "bad",
            `${visible(problem)}. Requests are still forwarded; run \`${commandOf(status, "doctor")}\` for details.`,
          ),
    ],
    [
      "Journal",
      behind === 0
        ? statusLine("ok", "everything is stored")
        : statusLine("warn", `${bytes(behind)} waiting to be stored`),
    ],
    ["Hooks", spool && spoolLine(spool)],
    [
      "Lost",
      statusLine(
        dropped + rejected === 0 ? "ok" : "bad",
        `${count(dropped)} dropped, ${count(rejected)} rejected since the start`,
      ),
    ],
    ["Observations", `${count(status.acknowledged)} journaled, ${count(status.applied)} stored since the start`],
  ];
}

function spoolLine({ waiting, broken }: NonNullable<StatusResponse["spool"]>): ComponentChildren {
  if (broken > 0)
    return statusLine("bad", `${count(broken)} events could not be parsed: see spool/broken in the data folder`);
  return waiting === 0
    ? statusLine("ok", "all events imported")
    : statusLine("warn", `${count(waiting)} events waiting to be imported`);
}

function statusLine(tone: Tone, text: string): ComponentChildren {
  return (
    <span class={tone === "bad" ? "tone-bad" : ""}>
      <Glyph tone={tone} /> {text}
    </span>
  );
}
