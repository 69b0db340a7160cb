import type { CallRecord } from "../../core/model/call-record.ts";
import { figuresOf, type Move, sessionHour } from "../../core/model/figures.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import { LINK_COLUMNS, linksOfRow } from "../link-columns.ts";
import type { Database, Row, Value } from "./database.ts";
import { writeFigures, writeSessionHours } from "./write-figures.ts";

/** Everything that is kept by session. Rows that only point to one (a fork's inherited calls) stay as they are. */
const TABLES = [
  "calls",
  "requests",
  "leaks",
  "suspensions",
  "prompts",
  "threads",
  "outbox",
  "session_facets",
  "sessions",
] as const;
const CALLS_AT_ONCE = 500;

/** Removes a session, and takes what it added to every figure away again. */
export function deleteSession(db: Database, project: string, sessionId: string): boolean {
  const known = db.get("SELECT record FROM sessions WHERE project = ? AND session_id = ?", project, sessionId);
  if (known === undefined) return false;
  writeSessionHours(db, [sessionHour(JSON.parse(known.record as string) as SessionRecord, -1)]);
  for (let after: readonly Value[] = ["", "", 0]; ; ) {
    const rows = db.all(
      `SELECT agent_id, tool_call_id, occurrence, record, ${LINK_COLUMNS.join(", ")} FROM calls
       WHERE project = ? AND session_id = ? AND (agent_id, tool_call_id, occurrence) > (?, ?, ?)
       ORDER BY agent_id, tool_call_id, occurrence LIMIT ${CALLS_AT_ONCE}`,
      ...[project, sessionId, ...after],
    );
    const moves = rows.map(
      (row): Move => ({ record: JSON.parse(row.record as string) as CallRecord, links: linksOfRow(row), times: -1 }),
    );
    writeFigures(db, { ...figuresOf(moves), facets: [], seen: [] });
    if (rows.length < CALLS_AT_ONCE) break;
    const last = rows.at(-1) as Row;
    after = [String(last.agent_id), String(last.tool_call_id), Number(last.occurrence)];
  }
  remove(db, project, sessionId);
  return true;
}

/** Removes sessions whose last sign of life is older. What they added to figures stays: a rate of last year is still a rate. */
export function deleteBefore(db: Database, before: number, limit: number): number {
  const rows = db.all(
    "SELECT project, session_id FROM sessions WHERE last_at < ? ORDER BY last_at LIMIT ?",
    ...[before, limit],
  );
  for (const row of rows) remove(db, String(row.project), String(row.session_id));
  return rows.length;
}

function remove(db: Database, project: string, sessionId: string): void {
  for (const table of TABLES) db.run(`DELETE FROM ${table} WHERE project = ? AND session_id = ?`, project, sessionId);
}
