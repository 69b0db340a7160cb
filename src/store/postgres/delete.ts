import type { CallRecord } from "../../core/model/call-record.ts";
import { figuresOf, type Move, sessionHour } from "../../core/model/figures.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import { LINK_COLUMNS, linksOfRow } from "../link-columns.ts";
import type { Queries, Row, Value } from "./database.ts";
import { lockAll } from "./locks.ts";
import { findByKeys } from "./tables.ts";
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
export async function deleteSession(db: Queries, project: string, sessionId: string): Promise<boolean> {
  await lockAll(db, [{ project, session_id: sessionId }], []);
  const [known] = await db.all("SELECT record FROM sessions WHERE project = ? AND session_id = ?", project, sessionId);
  if (known === undefined) return false;
  await writeSessionHours(db, [sessionHour(JSON.parse(String(known.record)) as SessionRecord, -1)]);
  for (let after: readonly Value[] = ["", "", 0]; ; ) {
    const rows = await db.all(
      `SELECT agent_id, tool_call_id, occurrence, record, ${LINK_COLUMNS.join(", ")} FROM calls
       WHERE project = ? AND session_id = ? AND (agent_id, tool_call_id, occurrence) > (?, ?, ?)
       ORDER BY agent_id, tool_call_id, occurrence LIMIT ${CALLS_AT_ONCE}`,
      ...[project, sessionId, ...after],
    );
    const moves = rows.map(
      (row): Move => ({ record: JSON.parse(row.record as string) as CallRecord, links: linksOfRow(row), times: -1 }),
    );
    await writeFigures(db, { ...figuresOf(moves), facets: [], seen: [] });
    if (rows.length < CALLS_AT_ONCE) break;
    const last = rows.at(-1) as Row;
    after = [String(last.agent_id), String(last.tool_call_id), Number(last.occurrence)];
  }
  await remove(db, [project], [sessionId]);
  return true;
}

/** Removes sessions whose last sign of life is older. What they added to figures stays: a rate of last year is still a rate. */
export async function deleteBefore(db: Queries, before: number, limit: number): Promise<number> {
  const rows = await db.all(
    "SELECT project, session_id FROM sessions WHERE last_at < ? ORDER BY last_at LIMIT ?",
    ...[before, limit],
  );
  const keys = rows.map((row) => ({ project: String(row.project), session_id: String(row.session_id) }));
  if (keys.length === 0) return 0;
  await lockAll(db, keys, []);
  // Somebody may have spoken of one before it was held.
  const still = await findByKeys(db, "sessions", "t.project, t.session_id, t.last_at", keys);
  const old = still.filter((row) => Number(row.last_at) < before);
  await remove(
    db,
    old.map(({ project }) => String(project)),
    old.map(({ session_id }) => String(session_id)),
  );
  return keys.length;
}

async function remove(db: Queries, projects: readonly string[], sessions: readonly string[]): Promise<void> {
  await Promise.all(
    TABLES.map((table) =>
      db.all(
        `DELETE FROM ${table} t USING unnest(?::text[], ?::text[]) AS k(project, session_id)
         WHERE t.project = k.project AND t.session_id = k.session_id`,
        ...[projects, sessions],
      ),
    ),
  );
}
