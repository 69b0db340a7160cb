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
import type { Queries, Row } from "./database.ts";
import { disinherit } from "./disinherit.ts";
import { lockAll } from "./locks.ts";
import { findByKeys } from "./tables.ts";
import { writeAggregates, writeSessionHours } from "./write-aggregates.ts";

/** A deletion that still has rows to remove. */
export interface PendingDeletion extends SessionKey {
  readonly id: number;
  /** Deleted by retention: the aggregates still count the session. */
  readonly keepsSums: boolean;
}

/** Tables with rows by session, except calls and sessions. */
const TABLES = ["requests", "leaks", "suspensions", "prompts", "threads", "outbox", "session_facets"] as const;
/** Tables in which a deletion leaves dead rows. */
export const TOUCHED = ["calls", ...TABLES, "sessions", "changes", "fingerprints", "fingerprint_facets", "deletions"];
/** Per transaction; other writers wait for the aggregates that it locks. */
const CALLS_PER_SLICE = 500;
/** An arbitrary number that all servers share. */
const NUMBERING_LOCK = "4817220511980442";

interface Begin {
  readonly keys: readonly SessionKey[];
  /** Delete only sessions without activity since that time. */
  readonly lastBefore?: number;
  readonly at: number;
  readonly keepsSums: boolean;
}

/** Stores the intent to delete sessions, so that a crash only delays the deletion. */
export async function beginDeletions(
  db: Queries,
  { keys, lastBefore, at, keepsSums }: Begin,
): Promise<readonly PendingDeletion[]> {
  if (keys.length === 0) return [];
  const requested = keys.map(({ project, session_id }) => ({ project, session_id }));
  await lockAll(db, requested, []);
  const found = await findByKeys(db, "sessions", "t.project, t.session_id, t.last_at", requested);
  // A session may have become active before it was locked.
  const known = found.filter((row) => lastBefore === undefined || Number(row.last_at) < lastBefore);
  if (known.length === 0) return [];
  const sessions = known.map((row) => ({ project: String(row.project), session_id: String(row.session_id) }));
  // Commit ids in order: a server that has seen one reads only higher ones.
  await db.all("SELECT pg_advisory_xact_lock(?)", NUMBERING_LOCK);
  await db.all(
    `INSERT INTO deletions (id, session, deleted_at, keeps_sums, project, session_id)
     SELECT (SELECT coalesce(max(id), 0) FROM deletions) + row_number() OVER (), k.session, ?, ?, k.project, k.session_id
     FROM unnest(?::text[], ?::text[], ?::text[]) AS k(session, project, session_id)
     WHERE NOT EXISTS (SELECT 1 FROM deletions d WHERE d.project = k.project AND d.session_id = k.session_id)`,
    ...[at, Number(keepsSums)],
    ...[sessions.map(sessionHash), sessions.map(({ project }) => project), sessions.map((one) => one.session_id)],
  );
  const rows = await findByKeys(db, "deletions", PENDING, sessions);
  return rows.map(pendingOf);
}

const PENDING = "t.id, t.keeps_sums, t.project, t.session_id";

/** Sessions without activity since that time, oldest first. */
export async function sessionsBefore(db: Queries, before: number, limit: number): Promise<readonly SessionKey[]> {
  const rows = await db.all(
    "SELECT project, session_id FROM sessions WHERE last_at < ? ORDER BY last_at LIMIT ?",
    ...[before, limit],
  );
  return rows.map((row) => ({ project: String(row.project), session_id: String(row.session_id) }));
}

/** Unfinished deletions that began before. */
export async function pendingDeletions(db: Queries, begunBefore: number): Promise<readonly PendingDeletion[]> {
  const rows = await db.all(
    `SELECT ${PENDING} FROM deletions t WHERE t.session_id IS NOT NULL AND t.deleted_at <= ? ORDER BY t.id`,
    begunBefore,
  );
  return rows.map(pendingOf);
}

export function pendingOf(row: Row): PendingDeletion {
  return {
    id: Number(row.id),
    keepsSums: Number(row.keeps_sums) === 1,
    project: String(row.project),
    session_id: String(row.session_id),
  };
}

/**
 * Removes one slice of a session; `sessions` is 1 after the last one. Returns undefined if another server has removed
 * the last one.
 */
export async function deleteSlice(db: Queries, deletion: PendingDeletion): Promise<Removed | undefined> {
  await lockAll(db, [deletion], []);
  const [still] = await db.all("SELECT 1 FROM deletions WHERE id = ? AND session_id IS NOT NULL", deletion.id);
  if (still === undefined) return undefined;
  const calls = await deleteCalls(db, deletion);
  if (calls > 0) return { ...NOTHING_REMOVED, calls };
  if (await disinherit(db, deletion, deletion.keepsSums)) return NOTHING_REMOVED;
  return await deleteRest(db, deletion);
}

/** Removes up to 500 calls, and subtracts them from the aggregates. Returns their number. */
async function deleteCalls(db: Queries, { project, session_id, keepsSums }: PendingDeletion): Promise<number> {
  const rows = await db.all(
    `SELECT agent_id, tool_call_id, occurrence, record, ${LINK_COLUMNS.join(", ")} FROM calls
     WHERE project = ? AND session_id = ? ORDER BY agent_id, tool_call_id, occurrence LIMIT ${CALLS_PER_SLICE}`,
    ...[project, session_id],
  );
  const last = rows.at(-1);
  if (last === undefined) return 0;
  await db.all(
    "DELETE FROM calls WHERE project = ? AND session_id = ? AND (agent_id, tool_call_id, occurrence) <= (?, ?, ?)",
    ...[project, session_id, String(last.agent_id), String(last.tool_call_id), Number(last.occurrence)],
  );
  const changes = rows.map((row): TallyChange => {
    const record = JSON.parse(row.record as string) as CallRecord;
    return { record, links: linksOfRow(row), times: -1 };
  });
  await writeAggregates(db, removedAggregates(computeAggregates(changes), keepsSums));
  return rows.length;
}

async function deleteRest(db: Queries, deletion: PendingDeletion): Promise<Removed> {
  const { id, project, session_id, keepsSums } = deletion;
  const [sent] = await db.all(
    "SELECT count(*) AS n FROM outbox WHERE project = ? AND session_id = ? AND sent_version > 0",
    ...[project, session_id],
  );
  const [known] = await db.all("SELECT record FROM sessions WHERE project = ? AND session_id = ?", project, session_id);
  await Promise.all(
    [...TABLES, "sessions"].map((table) =>
      db.all(`DELETE FROM ${table} WHERE project = ? AND session_id = ?`, project, session_id),
    ),
  );
  const events = await blankEvents(db, deletion);
  await db.all("UPDATE deletions SET project = NULL, session_id = NULL WHERE id = ?", id);
  if (known !== undefined && !keepsSums)
    await writeSessionHours(db, [sessionHour(JSON.parse(String(known.record)) as SessionRecord, -1)]);
  return { sessions: 1, calls: 0, events, exported: Number(sent?.n ?? 0) };
}

/** Blanks the events of the session that are still stored. Returns their number. */
async function blankEvents(db: Queries, key: SessionKey): Promise<number> {
  let blanked = 0;
  for (let after = 0; ; ) {
    const [row] = await db.all(
      "SELECT id, line FROM changes WHERE id > ? AND strpos(line, ?) > 0 ORDER BY id LIMIT 1 FOR UPDATE",
      ...[after, sessionNeedle(key.session_id)],
    );
    if (row === undefined) return blanked;
    after = Number(row.id);
    const lines = blankSessionLines(String(row.line), key);
    blanked += lines.blanked;
    if (lines.text.trim() === "") await db.all("DELETE FROM changes WHERE id = ?", after);
    else await db.all("UPDATE changes SET line = ? WHERE id = ?", lines.text, after);
  }
}
