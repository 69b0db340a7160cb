// Drafts event files in a worker thread: they may be gigabytes, and the proxy needs its event loop for traffic.
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../core/model/errors.ts";
import { draftWithout, type Pass } from "./drop-lines.ts";
import { isLineOf } from "./session-lines.ts";

export interface DraftJob {
  readonly paths: readonly string[];
  /** Hashes of the sessions whose lines to remove. */
  readonly sessions: readonly string[];
}

/** The draft of one file; `drafted` is undefined if the file has no line of the sessions. */
export interface DraftResult {
  readonly path: string;
  readonly drafted?: Pass | undefined;
  readonly error?: string;
}

const { paths, sessions } = workerData as DraftJob;
const isUnwanted = isLineOf(new Set(sessions));
for (const path of paths) {
  const result = await draftWithout(path, isUnwanted).then(
    (drafted): DraftResult => ({ path, drafted }),
    (error: unknown): DraftResult => ({ path, error: messageOf(error) }),
  );
  parentPort?.postMessage(result);
}
