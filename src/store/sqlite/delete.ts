import { computeAggregates, sessionHour, type TallyChange } from "../../core/model/aggregates.ts";
import type { CallRecord } from "../../core/model/call-record.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import { LINK_COLUMNS, linksOfRow } from "../columns.ts";
import type { Removed } from "../deletion-port.ts";
import {
  blankSessionLines,
  NOTHING_REMOVED,
  removedAggregates,
  type SessionKey,
  sessionHash,
  sessionNeedle,
} from "../deletions.ts";
import type { Database, Row } from "./database.ts";
import { disinherit } from "./disinherit.ts";
import { writeAggregates, writeSessionHours } from "./write-aggregates.ts";

/** A deletion that still has rows to remove. */
interface PendingDeletion extends SessionKey {
  readonly id: number;
  /** Deleted by retention: the aggregates still count the session. */
  readonly keepsSums: boolean;
}

/** Tables with rows by session that are removed in slices. */
const TABLES = ["requests", "leaks", "suspensions", "prompts", "threads", "outbox"] as const;
/** Per transaction; the store handles other calls in between. */
const CALLS_PER_SLICE = 500;
const ROWS_PER_SLICE = 2000;

/**
 * Stores the intent to delete sessions, so that a crash only delays the deletion. Returns the number of existing
 * sessions.
 */
export function beginDeletions(db: Database, keys: readonly SessionKey[], at: number, keepsSums: boolean): number {
  let begun = 0;
  for (const key of keys) {
    const { project, session_id } = key;
    if (db.get("SELECT 1 FROM sessions WHERE project = ? AND session_id = ?", project, session_id) === undefined)
      continue;
    begun += 1;
    if (pendingDeletions(db).some((one) => one.project === project && one.session_id === session_id)) continue;
    db.run(
      "INSERT INTO deletions (session, deleted_at, keeps_sums, project, session_id) VALUES (?, ?, ?, ?, ?)",
      ...[sessionHash(key), at, Number(keepsSums), project, session_id],
    );
  }
  return begun;
}

/** Sessions without activity since that time, oldest first. */
export function sessionsBefore(db: Database, before: number, limit: number): readonly SessionKey[] {
  const rows = db.all(
    "SELECT project, session_id FROM sessions WHERE last_at < ? ORDER BY last_at LIMIT ?",
    ...[before, limit],
  );
  return rows.map((row) => ({ project: String(row.project), session_id: String(row.session_id) }));
}

export function pendingDeletions(db: Database): readonly PendingDeletion[] {
  const rows = db.all(
    "SELECT id, keeps_sums, project, session_id FROM deletions WHERE session_id IS NOT NULL ORDER BY id",
  );
  return rows.map((row) => ({
    id: Number(row.id),
    keepsSums: Number(row.keeps_sums) === 1,
    project: String(row.project),
    session_id: String(row.session_id),
  }));
}

/** Removes one slice of a session; `sessions` is 1 after the last one. */
export function deleteSlice(db: Database, deletion: PendingDeletion): Removed {
  const calls = deleteCalls(db, deletion);
  if (calls > 0) return { ...NOTHING_REMOVED, calls };
  if (disinherit(db, deletion, deletion.keepsSums)) return NOTHING_REMOVED;
  const { id, project, session_id, keepsSums } = deletion;
  const exported = db.get(
    "SELECT count(*) AS n FROM outbox WHERE project = ? AND session_id = ? AND sent_version > 0",
    ...[project, session_id],
  );
  for (const table of TABLES) {
    const rows = db.all(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE project = ? AND session_id = ? LIMIT ${ROWS_PER_SLICE})
       RETURNING 1`,
      ...[project, session_id],
    );
    if (rows.length === ROWS_PER_SLICE) return NOTHING_REMOVED;
  }
  const events = blankEvents(db, deletion);
  const known = db.get("SELECT record FROM sessions WHERE project = ? AND session_id = ?", project, session_id);
  if (known !== undefined && !keepsSums)
    writeSessionHours(db, [sessionHour(JSON.parse(known.record as string) as SessionRecord, -1)]);
  db.run("DELETE FROM session_facets WHERE project = ? AND session_id = ?", project, session_id);
  db.run("DELETE FROM sessions WHERE project = ? AND session_id = ?", project, session_id);
  db.run("UPDATE deletions SET project = NULL, session_id = NULL WHERE id = ?", id);
  return { sessions: 1, calls: 0, events, exported: Number(exported?.n ?? 0) };
}

/** Removes up to 500 calls, and subtracts them from the aggregates. Returns their number. */
function deleteCalls(db: Database, { project, session_id, keepsSums }: PendingDeletion): number {
  const rows = db.all(
    `SELECT agent_id, tool_call_id, occurrence, record, ${LINK_COLUMNS.join(", ")} FROM calls
     WHERE project = ? AND session_id = ? ORDER BY agent_id, tool_call_id, occurrence LIMIT ${CALLS_PER_SLICE}`,
    ...[project, session_id],
  );
  const last = rows.at(-1);
  if (last === undefined) return 0;
  db.run(
    "DELETE FROM calls WHERE project = ? AND session_id = ? AND (agent_id, tool_call_id, occurrence) <= (?, ?, ?)",
    ...[project, session_id, String(last.agent_id), String(last.tool_call_id), Number(last.occurrence)],
  );
  const changes = rows.map((row: Row): TallyChange => {
    const record = JSON.parse(row.record as string) as CallRecord;
    return { record, links: linksOfRow(row), times: -1 };
  });
  writeAggregates(db, removedAggregates(computeAggregates(changes), keepsSums));
  return rows.length;
}

/** Blanks the events of the session that are still stored. Returns their number. */
function blankEvents(db: Database, key: SessionKey): number {
  let blanked = 0;
  for (let after = 0; ; ) {
    const row = db.get(
      "SELECT id, line FROM changes WHERE id > ? AND instr(line, ?) > 0 ORDER BY id LIMIT 1",
      ...[after, sessionNeedle(key.session_id)],
    );
    if (row === undefined) return blanked;
    after = Number(row.id);
    const lines = blankSessionLines(String(row.line), key);
    blanked += lines.blanked;
    if (lines.text.trim() === "") db.run("DELETE FROM changes WHERE id = ?", after);
    else db.run("UPDATE changes SET line = ? WHERE id = ?", lines.text, after);
  }
}
