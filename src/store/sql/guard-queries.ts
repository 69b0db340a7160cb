import { isoTime } from "../../core/model/iso-time.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { GuardRow } from "../rows.ts";
import type { SqlDriver } from "./driver.ts";

/** Requests with a note are all requests of a conversation after it, most of which only carry it along. */
const MAX_REQUESTS = 5000;

/** What the guard did in a session, oldest first. */
export async function guardActions(db: SqlDriver, project: string, sessionId: string): Promise<readonly GuardRow[]> {
  // In a text within the JSON, the quotation marks would be escaped.
  const rows = await db.all(
    `SELECT record FROM requests WHERE project = ? AND session_id = ? AND record LIKE '%"guard":{%"is_new":true%'
     ORDER BY started_at, request_id LIMIT ${MAX_REQUESTS}`,
    ...[project, sessionId],
  );
  const found = new Map<string, GuardRow>();
  for (const row of rows) {
    const { agent_id, request } = JSON.parse(String(row.record)) as RequestRecord;
    if (request?.guard === undefined) continue;
    const { action, kind = "repeat", run = 0, tools = [] } = request.guard;
    const state = JSON.stringify([agent_id, request.conversation, request.message_count, action, kind, run, tools]);
    const known = found.get(state);
    if (known === undefined)
      found.set(state, { at: isoTime(request.occurred_at), agent_id, action, kind, run, tools, requests: 1 });
    else found.set(state, { ...known, requests: known.requests + 1 });
  }
  return [...found.values()];
}
