import type { CallRecord } from "../../core/model/call-record.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import type { IdleSession, Range } from "../port.ts";
import type { Queries } from "./queries.ts";
import { type Where, whereOf } from "./where.ts";

/** A call that an answer made and that a later request of the same conversation does not have. */
export const DISCARDED = `(c.made_here = 1 AND c.in_history = 0 AND EXISTS (
  SELECT 1 FROM requests r WHERE r.project = c.project AND r.session_id = c.session_id AND r.agent_id = c.agent_id
    AND r.conversation = c.conversation AND r.started_at > c.made_at))`;

export function pendingRange(range: Range): Where {
  const [sql, values] = whereOf([
    ["project = ?", range.project],
    ["first_at >= ?", range.since],
    ["first_at < ?", range.until],
  ]);
  return [sql === "" ? "WHERE status = 'pending'" : `${sql} AND status = 'pending'`, values];
}

export async function quietCalls(db: Queries, before: number, limit: number): Promise<readonly CallRecord[]> {
  const rows = await db.all(
    `SELECT c.record FROM calls c JOIN sessions s ON s.project = c.project AND s.session_id = c.session_id
     WHERE c.status = 'pending' AND (s.last_at < ? OR s.ended_at >= c.first_at) AND NOT ${DISCARDED} LIMIT ?`,
    ...[before, limit],
  );
  return rows.map((row) => JSON.parse(row.record as string) as CallRecord);
}

export async function quietSessions(db: Queries, before: number, limit: number): Promise<readonly IdleSession[]> {
  const rows = await db.all(
    "SELECT record FROM sessions WHERE scored_at < last_at AND last_at < ? ORDER BY last_at LIMIT ?",
    ...[before, limit],
  );
  return rows.map((row) => {
    const { project, session_id, last_at, sources } = JSON.parse(row.record as string) as SessionRecord;
    return { project, session_id, last_at, source: sources[0] ?? "proxy" };
  });
}
