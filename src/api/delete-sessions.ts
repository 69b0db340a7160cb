import type { Deleted } from "../ingest/deletion/deletion-report.ts";
import { UncleanDeletionError } from "../ingest/deletion/session-deleter.ts";
import { ParameterError, parseSpan } from "./parameters.ts";

/** Deletes recorded sessions. */
export interface DeleteSessions {
  session(project: string, id: string): Promise<Deleted>;
  /** Deletes all sessions without activity since `at`. */
  before(at: number): Promise<Deleted>;
}

const ONE = "/api/sessions/";

/** Handles `DELETE /api/sessions/ID` and `DELETE /api/sessions?older=30d`. Returns undefined for other requests. */
export function deleteSessions(
  method: string,
  path: string,
  deleter: DeleteSessions | undefined,
  now: number,
): ((query: URLSearchParams) => Promise<Deleted>) | undefined {
  if (method !== "DELETE" || deleter === undefined) return undefined;
  if (path === "/api/sessions") {
    return async (query) => {
      const span = parseSpan(query.get("older") ?? "");
      if (span === undefined) throw new ParameterError("older must be a span such as 12h, 30d or 8w.");
      return await reportUnclean(deleter.before(now - span));
    };
  }
  if (!path.startsWith(ONE) || path.length === ONE.length) return undefined;
  return async (query) => {
    const id = decodeId(path.slice(ONE.length));
    const deleted = await reportUnclean(deleter.session(query.get("project") ?? "default", id));
    if (deleted.deleted > 0 || deleted.event_lines > 0) return deleted;
    throw new ParameterError("Session not found.", 404);
  };
}

/** Converts an `UncleanDeletionError`, so that the response says what could not be removed. */
async function reportUnclean(deleting: Promise<Deleted>): Promise<Deleted> {
  return await deleting.catch((error: unknown) => {
    throw error instanceof UncleanDeletionError ? new ParameterError(error.message, 500) : error;
  });
}

/** Decodes a session id from a URL path. */
export function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ParameterError("The session id in the path is not valid percent-encoding.");
  }
}
