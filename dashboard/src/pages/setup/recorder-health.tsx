import type { StatusAnswer } from "../../../../src/api/server-status.ts";
import { useAnswer } from "../../answers.ts";
import { Glyph } from "../../components/glyph.tsx";
import { Facts } from "../../components/pane.tsx";
import { Panel } from "../../components/panel.tsx";
import { bytes, count, visible } from "../../format.ts";

/** Store, journal and what leaves, since the start. */
export function RecorderHealth() {
  const { value: status } = useAnswer<StatusAnswer>("/api/status");
  const lost = status === undefined ? 0 : status.dropped + status.rejected;
  return (
    <Panel title="Recorder" note="since the start">
      <div class="panel-body">
        {status !== undefined && (
          <Facts
            facts={[
              [
                "Store",
                status.store_problem === null ? (
                  <span key="store">
                    <Glyph tone="ok" label="well" /> takes records
                  </span>
                ) : (
                  <span key="store" class="tone-bad">
                    <Glyph tone="bad" label="broken" /> {visible(status.store_problem)}
                  </span>
                ),
              ],
              [
                "Journal",
                <span key="journal">
                  <Glyph tone={status.unapplied_bytes === 0 ? "ok" : "warn"} />{" "}
                  {status.unapplied_bytes === 0
                    ? "everything is stored"
                    : `${bytes(status.unapplied_bytes)} wait to be stored`}
                </span>,
              ],
              ["Observations", `${count(status.acknowledged)} written down, ${count(status.applied)} stored`],
              [
                "Lost",
                <span key="lost" class={lost > 0 ? "tone-bad" : ""}>
                  {count(status.dropped)} dropped, {count(status.rejected)} rejected
                </span>,
              ],
              [
                "Metrics",
                <a key="metrics" href="/metrics">
                  /metrics
                </a>,
              ],
              [
                "API",
                <a key="api" href="/api/openapi.json">
                  /api/openapi.json
                </a>,
              ],
              ["Version", status.version],
            ]}
          />
        )}
      </div>
    </Panel>
  );
}
