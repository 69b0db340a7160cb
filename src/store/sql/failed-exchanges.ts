import { isoTime } from "../../core/model/iso-time.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { FailedExchangeRow } from "../rows.ts";
import type { SqlDriver } from "./driver.ts";

/** Clients that retry for hours repeat the same error. */
const MAX_ROWS = 1000;

/** The exchanges of a session that have no complete and successful response, oldest first. */
export async function failedExchanges(
  db: SqlDriver,
  project: string,
  sessionId: string,
): Promise<readonly FailedExchangeRow[]> {
  const rows = await db.all(
    `SELECT record FROM requests WHERE project = ? AND session_id = ?
       AND (http_status >= 400 OR ended IN ('upstream_error', 'truncated'))
     ORDER BY ended_at, request_id LIMIT ${MAX_ROWS}`,
    ...[project, sessionId],
  );
  return rows.flatMap((row) => rowOf(JSON.parse(String(row.record)) as RequestRecord));
}

/** Requests that the guard refused never reached an upstream. */
function rowOf({ agent_id, request_id, request, response }: RequestRecord): readonly FailedExchangeRow[] {
  if (response === undefined || request?.guard?.action === "stop") return [];
  const { http_status, ended, occurred_at } = response;
  const provider = response.provider ?? request?.provider ?? null;
  const model = response.model ?? request?.model ?? null;
  return [{ at: isoTime(occurred_at), agent_id, request_id, http_status, ended, provider, model }];
}
