import type { Deleted } from "../ingest/deletion/deletion-report.ts";
import { UncleanDeletionError } from "../ingest/deletion/session-deleter.ts";
import { ParameterError } from "./parameters.ts";

/** Deletes recorded sessions. */
export interface DeleteSessions {
  session(project: string, id: string): Promise<Deleted>;
  /** Deletes all sessions without activity since `at`. */
  before(at: number): Promise<Deleted>;
}

/** Converts an `UncleanDeletionError`, so that the response says what could not be removed. */
export async function reportUnclean(deleting: Promise<Deleted>): Promise<Deleted> {
  return await deleting.catch((error: unknown) => {
    throw error instanceof UncleanDeletionError ? new ParameterError(error.message, 500) : error;
  });
}
