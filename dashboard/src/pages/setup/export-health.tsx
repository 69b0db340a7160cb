import type { TargetStatus } from "../../../../src/export/target-status.ts";
import { CopyLines } from "../../components/connect-list.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { Panel } from "../../components/panel.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { count, visible } from "../../format.ts";
import { useQuery } from "../../queries.ts";
import { adviceOf } from "./export-advice.ts";

/** Keys go through the environment: nothing of them is kept. */
const LINES = [
  ["Langfuse", "LANGFUSE_PUBLIC_KEY=pk-lf-… LANGFUSE_SECRET_KEY=sk-lf-… toolmend start --export langfuse"],
  ["OpenTelemetry", "OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 toolmend start --export otlp"],
] as const;

/** Where calls and scores go besides, and whether they arrive. */
export function ExportHealth() {
  const { value, isOld } = useQuery<{ readonly targets: readonly TargetStatus[] }>("/api/export");
  return (
    <Panel title="Export" busy={isOld}>
      <div class="panel-body">
        {value !== undefined && value.targets.length > 0 && (
          <ul class="state-lines">
            {value.targets.map((target) => (
              <Target key={target.target} status={target} />
            ))}
          </ul>
        )}
        {value?.targets.length === 0 && (
          <>
            <p>No export is set up. Every call and its scores go elsewhere too with</p>
            <CopyLines lines={LINES} />
          </>
        )}
      </div>
    </Panel>
  );
}

function Target({ status }: { readonly status: TargetStatus }) {
  const { target, queued: waiting, oldest_queued_at: oldest, problem, throttled: busy } = status;
  const isWrong = problem !== null && !busy;
  return (
    <li>
      <Glyph tone={isWrong ? "bad" : problem !== null ? "warn" : "ok"} /> <strong>{target}</strong>{" "}
      {problem === null ? (
        waiting === 0 ? (
          "has everything."
        ) : (
          "takes records."
        )
      ) : busy ? (
        "asked for a pause; it goes on by itself."
      ) : (
        <>
          <span class="tone-bad">
            takes nothing: <bdi>{visible(problem)}</bdi>.
          </span>{" "}
          {adviceOf(status)} It is tried again by itself.
        </>
      )}
      {waiting > 0 && (
        <span class="faint">
          {" "}
          {count(waiting)} wait
          {oldest !== null && (
            <>
              , the oldest since <TimeAgo at={oldest} />
            </>
          )}
          ; none is lost.
        </span>
      )}
    </li>
  );
}
