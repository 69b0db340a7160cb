import type { TargetStatus } from "../../../../src/export/target-status.ts";
import { CopyLines, useCommand } from "../../components/connect-list.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { Panel } from "../../components/panel.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { count, visible } from "../../format.ts";
import { useQuery } from "../../queries.ts";
import { adviceOf, backfillArguments } from "./export-advice.ts";

/** Keys are passed through the environment, so they are not stored. */
const LINES = [
  ["Langfuse", "LANGFUSE_PUBLIC_KEY=pk-lf-… LANGFUSE_SECRET_KEY=sk-lf-…", "langfuse"],
  ["OpenTelemetry", "OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318", "otlp"],
] as const;

/** Export targets and their status. */
export function ExportHealth() {
  const { value, isOld } = useQuery<{ readonly targets: readonly TargetStatus[] }>("/api/export");
  const command = useCommand();
  return (
    <Panel title="Export" busy={isOld}>
      <div class="panel-body">
        {value !== undefined && value.targets.length > 0 && (
          <>
            <ul class="state-lines">
              {value.targets.map((target) => (
                <Target key={target.target} status={target} />
              ))}
            </ul>
            <p class="faint">
              Earlier calls, imported calls and calls from transcripts are exported by a command:
              {value.targets.map(({ target }) => (
                <code key={target}> {command(backfillArguments(target))}</code>
              ))}
            </p>
          </>
        )}
        {value?.targets.length === 0 && (
          <>
            <p>No export configured. To export calls and scores:</p>
            <CopyLines
              lines={LINES.map(([title, keys, name]) => [title, `${keys} ${command(`start --export ${name}`)}`])}
            />
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
          "is up to date."
        ) : (
          "is being updated."
        )
      ) : busy ? (
        "is throttling; the export continues automatically."
      ) : (
        <>
          <span class="tone-bad">
            rejects items: <bdi>{visible(problem)}</bdi>.
          </span>{" "}
          {adviceOf(status)} Toolmend retries automatically.
        </>
      )}
      {waiting > 0 && (
        <span class="faint">
          {" "}
          {count(waiting)} queued
          {oldest !== null && (
            <>
              , the oldest <TimeAgo at={oldest} />
            </>
          )}
          ; none are lost.
        </span>
      )}
    </li>
  );
}
