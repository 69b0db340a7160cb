import type { ServerStatus } from "../../../src/api/server-status.ts";
import { commandOf } from "../command.ts";
import { bytes, count, visible } from "../format.ts";

interface RecorderProblem {
  readonly what: string;
  readonly advice: string;
}

/** States of the recorder that make records late, incomplete or lost, and how to fix them. */
export function recorderProblems(status: ServerStatus): readonly RecorderProblem[] {
  const problems: RecorderProblem[] = [];
  if (status.store_problem !== null) {
    problems.push({
      what: `Cannot write to the store: ${visible(status.store_problem)}.`,
      advice: `Requests are still forwarded, and ${bytes(status.unapplied_bytes)} wait in the journal. Run ${commandOf(status, "doctor")} for details.`,
    });
  }
  if (status.journal_problem !== null) {
    problems.push({
      what: `Nothing is recorded: ${visible(status.journal_problem)}.`,
      advice: "Requests are still forwarded. Check the free disk space and the permissions of the data folder.",
    });
  }
  if (status.set_aside !== null) {
    const file = visible(status.set_aside);
    problems.push({
      what: "The database was broken. A new one was created, so older records are missing.",
      advice: `The broken one is kept as ${file}. Fill the new one from the event files: ${commandOf(status, "import", file.replace(/[^\\/]*$/, "events"))}. ${commandOf(status, "doctor")} shows how to read the broken one.`,
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
