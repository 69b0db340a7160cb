import { computeAggregates, sessionHour, type TallyChange } from "../../core/model/aggregates.ts";
import type { CallRecord } from "../../core/model/call-record.ts";
import { sessionKeyText } from "../../core/model/fold.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import { tokenDeltas, type UsageRecord } from "../../core/model/usage-record.ts";
import {
  addRemoved,
  blankSessionLines,
  NOTHING_REMOVED,
  removedAggregates,
  type SessionKey,
  sessionHash,
  sessionNeedle,
} from "../deletions.ts";
import type { Deletion, Removed } from "../port.ts";
import type { Dialect } from "./dialect.ts";
import { disinherit } from "./disinherit.ts";
import type { QueryRow } from "./driver.ts";
import { deleteSealedCalls } from "./sealed-calls.ts";
import { LINK_COLUMNS, linksOfRow } from "./tables.ts";
import { query, type Statement, select, type Work } from "./work.ts";
import { writeAggregates, writeSessionHours, writeTokens } from "./write-aggregates.ts";

/** A deletion that still has rows to remove. */
export interface PendingDeletion extends SessionKey {
  readonly id: number;
  /** Deleted by retention: the aggregates still count the session. */
  readonly keepsSums: boolean;
}

/** Tables with rows by session, except calls and sessions. */
const TABLES = ["requests", "leaks", "suspensions", "prompts", "threads", "outbox", "session_facets"] as const;
/** Tables in which a deletion leaves dead rows. */
export const TOUCHED: readonly string[] = [
  ...[
    "calls",
    "usages",
    "sealed_calls",
    ...TABLES,
    "sessions",
    "changes",
    "fingerprints",
    "fingerprint_facets",
    "deletions",
  ],
];
/** Per transaction; other writers wait for the aggregates that it locks. */
const CALLS_PER_SLICE = 500;

interface Begin {
  readonly keys: readonly SessionKey[];
  /** Delete only sessions without activity since that time. */
  readonly lastBefore?: number;
  readonly at: number;
  readonly keepsSums: boolean;
}

const LAST_ACTIVITY: Statement = {
  parameters: { project: "text", session_id: "text" },
  sql: ({ value }) =>
    `SELECT s.last_at FROM sessions s WHERE s.project = ${value("project")} AND s.session_id = ${value("session_id")}`,
};
const PENDING = "SELECT id, keeps_sums, project, session_id FROM deletions";

/** Stores the intent to delete sessions, so that a crash only delays the deletion. Returns those that exist. */
export function* beginDeletions(
  { lock, lockNumbers }: Dialect,
  { keys, lastBefore, at, keepsSums }: Begin,
): Work<readonly PendingDeletion[]> {
  if (keys.length === 0) return [];
  if (lock !== undefined) yield* lock(keys, []);
  const found = yield* select(
    LAST_ACTIVITY,
    keys.map(({ project, session_id }) => [project, session_id]),
  );
  // A session may have become active before it was locked.
  const known = keys.filter((_, index) => {
    const row = found[index]?.[0];
    return row !== undefined && (lastBefore === undefined || Number(row.last_at) < lastBefore);
  });
  // Commits ids in order: a server that has seen one reads only higher ones.
  if (known.length > 0 && lockNumbers !== undefined) yield* lockNumbers();
  const begun: PendingDeletion[] = [];
  for (const key of known) {
    const { project, session_id } = key;
    const which = "WHERE project = ? AND session_id = ?";
    const [pending] = yield* query(`${PENDING} ${which}`, project, session_id);
    if (pending !== undefined) {
      begun.push(pendingOf(pending));
      continue;
    }
    const [added] = yield* query(
      `INSERT INTO deletions (id, session, deleted_at, keeps_sums, project, session_id)
       VALUES ((SELECT coalesce(max(id), 0) + 1 FROM deletions), ?, ?, ?, ?, ?) RETURNING id, keeps_sums, project, session_id`,
      ...[sessionHash(key), at, Number(keepsSums), project, session_id],
    );
    begun.push(pendingOf(added as QueryRow));
  }
  return begun;
}

/** Sessions without activity since that time, oldest first. */
export function* sessionsBefore(before: number, limit: number): Work<readonly SessionKey[]> {
  const rows = yield* query(
    "SELECT project, session_id FROM sessions WHERE last_at < ? ORDER BY last_at LIMIT ?",
    ...[before, limit],
  );
  return rows.map((row) => ({ project: String(row.project), session_id: String(row.session_id) }));
}

/** Unfinished deletions that began before. */
export function* pendingDeletions(begunBefore: number): Work<readonly PendingDeletion[]> {
  const rows = yield* query(`${PENDING} WHERE session_id IS NOT NULL AND deleted_at <= ? ORDER BY id`, begunBefore);
  return rows.map(pendingOf);
}

function pendingOf(row: QueryRow): PendingDeletion {
  return {
    id: Number(row.id),
    keepsSums: Number(row.keeps_sums) === 1,
    project: String(row.project),
    session_id: String(row.session_id),
  };
}

/** Deletions of some sessions. */
interface KnownDeletions {
  /** When each session was last deleted, by session key. */
  readonly times: ReadonlyMap<string, number>;
  /** Unfinished deletions. */
  readonly pending: readonly PendingDeletion[];
}

const OF_SESSION: Statement = {
  parameters: { session: "text" },
  sql: ({ value }) => `SELECT d.id, d.deleted_at, d.keeps_sums, d.project, d.session_id FROM deletions d
    WHERE d.session = ${value("session")}`,
};

export function* knownDeletions(sessions: Iterable<SessionKey>): Work<KnownDeletions> {
  const keys = [...sessions];
  const rows = yield* select(
    OF_SESSION,
    keys.map((key) => [sessionHash(key)]),
  );
  const times = new Map<string, number>();
  for (const [at, key] of keys.entries()) {
    const own = rows[at] ?? [];
    if (own.length > 0) times.set(sessionKeyText(key), Math.max(...own.map((row) => Number(row.deleted_at))));
  }
  const pending = rows.flat().filter(({ session_id }) => session_id !== null);
  return { times, pending: pending.map(pendingOf) };
}

/** Deletions of sessions whose lines may still be in the files of a data folder. */
export function* deletionsFor(folder: string, limit: number): Work<readonly Deletion[]> {
  const rows = yield* query(
    `SELECT id, session, keeps_sums FROM deletions WHERE id > coalesce((SELECT position FROM clean_folders WHERE folder = ?), 0)
     ORDER BY id LIMIT ?`,
    ...[folder, limit],
  );
  return rows.map((row) => ({
    id: Number(row.id),
    session: String(row.session),
    keepsSums: Number(row.keeps_sums) === 1,
  }));
}

export function* filesCleaned(folder: string, upTo: number): Work<void> {
  yield* query(
    "INSERT INTO clean_folders (folder, position) VALUES (?, ?) ON CONFLICT (folder) DO UPDATE SET position = excluded.position",
    ...[folder, upTo],
  );
}

/**
 * Removes one slice of a session; `sessions` is 1 after the last one. Returns undefined if another server has removed
 * the last one.
 */
export function* deleteSlice(dialect: Dialect, deletion: PendingDeletion): Work<Removed | undefined> {
  if (dialect.lock !== undefined) yield* dialect.lock([deletion], []);
  const [still] = yield* query("SELECT 1 FROM deletions WHERE id = ? AND session_id IS NOT NULL", deletion.id);
  if (still === undefined) return undefined;
  const calls = yield* deleteCalls(deletion);
  if (calls > 0) return { ...NOTHING_REMOVED, calls };
  if ((yield* deleteUsages(deletion)) > 0) return NOTHING_REMOVED;
  if (yield* disinherit(dialect, deletion, deletion.keepsSums)) return NOTHING_REMOVED;
  return yield* deleteRest(dialect, deletion);
}

/** Removes everything that is left of a session. */
export function* completeDeletion(dialect: Dialect, deletion: PendingDeletion): Work<Removed> {
  let removed = NOTHING_REMOVED;
  for (let slice: Removed | undefined = NOTHING_REMOVED; slice?.sessions === 0; ) {
    slice = yield* deleteSlice(dialect, deletion);
    removed = addRemoved(removed, slice ?? NOTHING_REMOVED);
  }
  return removed;
}

/** Removes up to 500 calls, and subtracts them from the aggregates. Returns their number. */
function* deleteCalls({ project, session_id, keepsSums }: PendingDeletion): Work<number> {
  const rows = yield* query(
    `SELECT agent_id, tool_call_id, occurrence, record, ${LINK_COLUMNS.join(", ")} FROM calls
     WHERE project = ? AND session_id = ? ORDER BY agent_id, tool_call_id, occurrence LIMIT ${CALLS_PER_SLICE}`,
    ...[project, session_id],
  );
  const last = rows.at(-1);
  if (last === undefined) return 0;
  yield* query(
    "DELETE FROM calls WHERE project = ? AND session_id = ? AND (agent_id, tool_call_id, occurrence) <= (?, ?, ?)",
    ...[project, session_id, String(last.agent_id), String(last.tool_call_id), Number(last.occurrence)],
  );
  yield* deleteSealedCalls(
    project,
    rows.map((row) => String(row.tool_call_id)),
  );
  const changes = rows.map((row): TallyChange => {
    const record = JSON.parse(row.record as string) as CallRecord;
    return { record, links: linksOfRow(row), times: -1 };
  });
  yield* writeAggregates(removedAggregates(computeAggregates(changes), keepsSums));
  return rows.length;
}

/** Removes up to 500 responses, and subtracts their tokens from the sums. Returns their number. */
function* deleteUsages({ project, session_id, keepsSums }: PendingDeletion): Work<number> {
  const rows = yield* query(
    `SELECT response, record FROM usages WHERE project = ? AND session_id = ? ORDER BY response LIMIT ${CALLS_PER_SLICE}`,
    ...[project, session_id],
  );
  const last = rows.at(-1);
  if (last === undefined) return 0;
  yield* query(
    "DELETE FROM usages WHERE project = ? AND session_id = ? AND response <= ?",
    ...[project, session_id, String(last.response)],
  );
  if (!keepsSums) {
    const records = rows.map((row) => JSON.parse(row.record as string) as UsageRecord);
    yield* writeTokens(tokenDeltas(records.map((record) => ({ record, times: -1 }))));
  }
  return rows.length;
}

/** Removes all other rows of a session, or as many as one transaction should. */
function* deleteRest(dialect: Dialect, deletion: PendingDeletion): Work<Removed> {
  const { id, project, session_id, keepsSums } = deletion;
  const [sent] = yield* query(
    "SELECT count(*) AS n FROM outbox WHERE project = ? AND session_id = ? AND sent_version > 0",
    ...[project, session_id],
  );
  for (const table of TABLES) if (!(yield* deleteRows(dialect, table, deletion))) return NOTHING_REMOVED;
  const [known] = yield* query("SELECT record FROM sessions WHERE project = ? AND session_id = ?", project, session_id);
  yield* query("DELETE FROM sessions WHERE project = ? AND session_id = ?", project, session_id);
  const events = yield* blankEvents(dialect, deletion);
  yield* query("UPDATE deletions SET project = NULL, session_id = NULL WHERE id = ?", id);
  if (known !== undefined && !keepsSums)
    yield* writeSessionHours([sessionHour(JSON.parse(String(known.record)) as SessionRecord, -1)]);
  return { sessions: 1, calls: 0, events, exported: Number(sent?.n ?? 0) };
}

/** Returns false if rows remain. */
function* deleteRows({ deletedRows }: Dialect, table: string, { project, session_id }: SessionKey): Work<boolean> {
  const where = "WHERE project = ? AND session_id = ?";
  if (deletedRows === undefined || table === "session_facets") {
    yield* query(`DELETE FROM ${table} ${where}`, project, session_id);
    return true;
  }
  const deleted = yield* query(
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} ${where} LIMIT ${deletedRows}) RETURNING 1`,
    ...[project, session_id],
  );
  return deleted.length < deletedRows;
}

/** Blanks the events of the session that are still stored. Returns their number. */
function* blankEvents({ position, lockRows }: Dialect, key: SessionKey): Work<number> {
  let blanked = 0;
  for (let after = 0; ; ) {
    const [row] = yield* query(
      `SELECT id, line FROM changes WHERE id > ? AND ${position}(line, ?) > 0 ORDER BY id LIMIT 1 ${lockRows}`,
      ...[after, sessionNeedle(key.session_id)],
    );
    if (row === undefined) return blanked;
    after = Number(row.id);
    const lines = blankSessionLines(String(row.line), key);
    blanked += lines.blanked;
    if (lines.text.trim() === "") yield* query("DELETE FROM changes WHERE id = ?", after);
    else yield* query("UPDATE changes SET line = ? WHERE id = ?", lines.text, after);
  }
}
