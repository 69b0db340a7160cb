import type { ServerStatus } from "../../../src/api/server-status.ts";
import { bytes, count, visible } from "../format.ts";

interface Problem {
  readonly what: string;
  readonly advice: string;
}

/** Shown only if records are lost or delayed: what is affected, and what to do. */
export function RecorderStatus({ status }: { readonly status: ServerStatus | undefined }) {
  const problems = status === undefined ? [] : problemsOf(status);
  if (problems.length === 0) return null;
  return (
    <div class="notice notice-bad" role="alert" aria-label="Recorder">
      <span class="glyph" aria-hidden="true">
        ✕
      </span>
      <ul>
        {problems.map(({ what, advice }) => (
          <li key={what}>
            <strong>{what}</strong> {advice}
          </li>
        ))}
      </ul>
    </div>
  );
}

function problemsOf(status: ServerStatus): readonly Problem[] {
  const problems: Problem[] = [];
  if (status.store_problem !== null) {
    problems.push({
      what: `Cannot write to the store: ${visible(status.store_problem)}.`,
      advice: `Requests are still forwarded, and ${bytes(status.unapplied_bytes)} wait in the journal. Run ${status.command} doctor for details.`,
    });
  }
  if (status.set_aside !== null) {
    problems.push({
      what: "The database was broken. A new one was created, so older records are missing.",
      advice: `The broken one is kept as ${visible(status.set_aside)}. Fill the new one with ${status.command} import and the events folder of the data folder.`,
    });
  }
  if (status.dropped > 0) {
    problems.push({
      what: `${count(status.dropped)} observations dropped since the start.`,
      advice:
        "The journal could not be written, so the numbers below are too low. Check the free disk space, then the server's log.",
    });
  }
  if (status.rejected > 0) {
    problems.push({
      what: `${count(status.rejected)} lines rejected since the start.`,
      advice: "See journal/rejected.jsonl in the data folder for the lines and reasons.",
    });
  }
  return problems;
}
