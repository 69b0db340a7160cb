import type { Io } from "./io.ts";

export interface DeletionProgress {
  readonly sessions: number;
  readonly calls: number;
}

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
        err(`\r\u001b[KDeleting: ${progress.sessions} sessions, ${progress.calls} calls so far`);
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
