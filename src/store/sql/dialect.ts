import { randomInt } from "node:crypto";
import type { Observation } from "../../core/model/observation.ts";
import type { SessionKey } from "../deletions.ts";
import { lockAll, lockNumbers } from "../postgres/locks.ts";
import type { Work } from "./work.ts";

/** What differs between the two databases. */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  /** Case-insensitive LIKE. */
  readonly like: string;
  readonly real: string;
  /**
   * Prefix that disables the index of a column. SQLite prefers such an index even if a scan in sort order finds enough
   * rows sooner.
   */
  readonly noIndex: string;
  /** A join that starts with its left side. PostgreSQL's planner decides correctly without it. */
  readonly joinFromLeft: string;
  /** Event rows per query. Each contains up to hundreds of events, so 1 is enough where queries need no round trip. */
  readonly eventRows: number;
  /** A value of a JSON column, as JSON. */
  readonly json: (column: string, path: readonly string[]) => string;
  /** A text of a JSON column. */
  readonly jsonText: (column: string, path: readonly string[]) => string;
  /** The position of a text in another one. */
  readonly position: string;
  /** Appended to a SELECT: locks its rows; with SKIP, without those that another transaction has locked. */
  readonly lockRows: string;
  readonly lockFreeRows: string;
  /** Compares `inherited_from` by bytes. */
  readonly byBytes: string;
  /** The version of a session that caches compare; see thread-tail-cache.ts. */
  readonly sessionStamp: string;
  /** The number of the newest event, even if it was deleted. */
  readonly lastEvent: string;
  /** Adds a row of events; values: the number of its lines, and the lines. Returns the number of the last one. */
  readonly addEvents: string;
  /** Rows that one transaction deletes from a table. PostgreSQL has no short way to delete only some rows. */
  readonly deletedRows?: number;
  /** Saves the position of an event reader; values: its name, and the position. */
  readonly saveCursor: string;
  /** The position up to which all readers have read. */
  readonly minCursor: string;
  /**
   * Locks sessions until the transaction ends, and the ids of these observations. Absent where a transaction locks the
   * whole database.
   */
  readonly lock?: (sessions: Iterable<SessionKey>, observations: readonly Observation[]) => Work<void>;
  /** Locks the numbers of deletions. */
  readonly lockNumbers?: () => Work<void>;
  /** A new version for a written session. */
  readonly newStamp: () => number;
}

export const SQLITE: Dialect = {
  name: "sqlite",
  like: "LIKE",
  real: "REAL",
  noIndex: "+",
  joinFromLeft: "CROSS JOIN",
  eventRows: 1,
  json: (column, path) => `${column} -> '$.${path.join(".")}'`,
  jsonText: (column, path) => `${column} ->> '$.${path.join(".")}'`,
  position: "instr",
  lockRows: "",
  lockFreeRows: "",
  byBytes: "",
  // The cache is cleared whenever another connection has written.
  sessionStamp: "0",
  lastEvent: "SELECT seq AS last FROM sqlite_sequence WHERE name = 'changes'",
  addEvents: `INSERT INTO changes (id, line)
    VALUES (coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0) + ?, ?) RETURNING id`,
  deletedRows: 2000,
  saveCursor: `INSERT INTO cursors (name, position) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET position = excluded.position`,
  minCursor: "SELECT min(position) FROM cursors",
  newStamp: () => 0,
};

export const POSTGRES: Dialect = {
  name: "postgres",
  like: "ILIKE",
  real: "DOUBLE PRECISION",
  noIndex: "",
  joinFromLeft: "JOIN",
  eventRows: 20,
  json: (column, path) => `(${column}::json #> '{${path.join(",")}}')::text`,
  jsonText: (column, path) => `(${column}::json #>> '{${path.join(",")}}')`,
  position: "strpos",
  lockRows: "FOR UPDATE",
  lockFreeRows: "FOR UPDATE SKIP LOCKED",
  byBytes: 'COLLATE "C"',
  sessionStamp: "t.stamp",
  lastEvent: "SELECT last FROM event_numbers WHERE id = 1",
  // The row of the last number stays locked until the commit, so that numbers become visible in order.
  addEvents: `WITH numbers AS (UPDATE event_numbers SET last = last + ? WHERE id = 1 RETURNING last)
    INSERT INTO changes (id, line) SELECT last, ? FROM numbers RETURNING id`,
  saveCursor: `INSERT INTO cursors (name, position, moved_at) VALUES (?, ?, now())
    ON CONFLICT (name) DO UPDATE SET position = excluded.position, moved_at = excluded.moved_at`,
  // Ignores readers that have not advanced for a week, so that events can be deleted.
  minCursor: "SELECT min(position) FROM cursors WHERE moved_at > now() - interval '7 days'",
  lock: lockAll,
  lockNumbers,
  newStamp: () => randomInt(2 ** 47),
};
