import type { ComponentChildren } from "preact";
import type { StatusResponse } from "../../../../src/api/server-status.ts";
import { Glyph } from "../../components/glyph.tsx";
import { Facts } from "../../components/pane.tsx";
import { Panel } from "../../components/panel.tsx";
import { bytes, count, visible } from "../../format.ts";
import { useQuery } from "../../queries.ts";
import type { Tone } from "../../tone.ts";

/** Store, journal and spool. */
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
        ? statusLine("ok", "takes records")
        : statusLine("bad", `${visible(problem)}. Traffic goes on; \`toolmend doctor\` says more.`),
    ],
    [
      "Journal",
      behind === 0
        ? statusLine("ok", "everything is stored")
        : statusLine("warn", `${bytes(behind)} wait to be stored`),
    ],
    ["Hooks", spool && spoolLine(spool)],
    [
      "Lost",
      statusLine(
        dropped + rejected === 0 ? "ok" : "bad",
        `${count(dropped)} dropped, ${count(rejected)} rejected since the start`,
      ),
    ],
    ["Observations", `${count(status.acknowledged)} written down, ${count(status.applied)} stored since the start`],
  ];
}

function spoolLine({ waiting, broken }: NonNullable<StatusResponse["spool"]>): ComponentChildren {
  if (broken > 0)
    return statusLine("bad", `${count(broken)} events could not be read: spool/broken of the data folder says why`);
  return waiting === 0
    ? statusLine("ok", "every event is read")
    : statusLine("warn", `${count(waiting)} events wait to be read`);
}

function statusLine(tone: Tone, words: string): ComponentChildren {
  return (
    <span class={tone === "bad" ? "tone-bad" : ""}>
      <Glyph tone={tone} /> {words}
    </span>
  );
}
