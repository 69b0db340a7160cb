import type { DeletionProgress } from "../ingest/deletion/deletion-report.ts";
import { pluralize } from "./format.ts";
import type { Io } from "./io.ts";

const STEPS = {
  rows: "removing rows",
  files: "rewriting event files",
  database: "rewriting the database",
  journal: "removing journal segments",
} as const satisfies Record<DeletionProgress["step"], string>;

const EVERY_MS = 1000;

/** Shows the progress of a deletion on a terminal once a second; returns a function that stops it. */
export function showDeletion(
  { err, errIsTerminal }: Pick<Io, "err" | "errIsTerminal">,
  read: () => Promise<DeletionProgress | undefined>,
): () => void {
  if (errIsTerminal !== true) return () => undefined;
  let [isShown, isOver] = [false, false];
  const timer = setInterval(() => {
    read().then(
      (progress) => {
        if (progress === undefined || isOver) return;
        isShown = true;
        const { step, sessions, calls } = progress;
        err(
          `\r\u001b[KDeleting: ${STEPS[step]} (${pluralize(sessions, "session")}, ${pluralize(calls, "call")} so far)`,
        );
      },
      () => undefined,
    );
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    isOver = true;
    if (isShown) err("\r\u001b[K");
  };
}
