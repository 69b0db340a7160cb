import type { CallRecord } from "../../core/model/call-record.ts";
import { sessionKeyText } from "../../core/model/fold.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import { sessionName } from "../../core/model/session-name.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import {
  type CallPage,
  type CallQuery,
  type CallSort,
  CursorError,
  type ListedCall,
  SETTLED_STATUSES,
} from "../call-query.ts";
import { callRow } from "../call-row.ts";
import type { SessionKey } from "../deletions.ts";
import { DEFAULT_LISTED_CALLS, MAX_COUNTED_CALLS, MAX_SEARCHED_CALLS, MAX_SORTED_CALLS } from "../limits.ts";
import {
  type Condition,
  fieldsOf,
  type Part,
  partsOf,
  projectOf,
  queriesOf,
  rollupQueryOf,
  statusesOf,
} from "./call-filters.ts";
import type { Dialect } from "./dialect.ts";
import type { QueryRow, QueryValue, SqlDriver } from "./driver.ts";
import { padToPowerOfTwo } from "./pad.ts";
import { totalOf } from "./rollup-queries.ts";
import { LINK_COLUMNS, linksOfRow } from "./tables.ts";

/** The position of a call in a sorted list. */
interface Position {
  /** What the list is sorted by. */
  readonly key: number;
  readonly id: string;
}

/**
 * One page of calls. Rollups bound the time of rare calls, and everything that no index supports (text, sorting by
 * duration or severity) looks at a bounded number of calls.
 */
export async function callList(db: SqlDriver, dialect: Dialect, query: CallQuery): Promise<CallPage> {
  const queries = await queriesOf(db, { ...query, ...(await projectOf(db, query)) });
  const partsOfQueries = await Promise.all(queries.map((one) => partsOf(db, dialect, one)));
  const parts = partsOfQueries.flat();
  if (parts.length === 0) return { calls: [], next_cursor: null, total: 0 };
  const sort = query.sort ?? "recent";
  const limit = query.limit ?? DEFAULT_LISTED_CALLS;
  const after = query.cursor === undefined ? undefined : parseCursor(query.cursor, sort);
  const { rows, next } =
    sort === "recent" || sort === "oldest"
      ? await pageByTime(db, dialect, query, parts, sort, limit, after)
      : await pageByValue(db, dialect, query, parts, sort, limit, after);
  const isWhole =
    after === undefined && next === undefined && (query.text === undefined || sort === "recent" || sort === "oldest");
  const total = isWhole ? rows.length : query.text === undefined ? await countAll(db, queries, partsOfQueries) : null;
  const calls = await listedCalls(db, rows);
  return { calls, next_cursor: next === undefined ? null : cursorOf(next, sort), total };
}

interface Found {
  readonly rows: readonly QueryRow[];
  readonly next?: Position;
}

async function pageByTime(
  db: SqlDriver,
  dialect: Dialect,
  query: CallQuery,
  parts: readonly Part[],
  sort: "recent" | "oldest",
  limit: number,
  after: Position | undefined,
): Promise<Found> {
  const order = sort === "recent" ? "DESC" : "ASC";
  const searched = query.text === undefined ? limit + 1 : MAX_SEARCHED_CALLS;
  const [from, values] = candidates(parts, order, searched, after);
  const [text, textValues] = textCondition(dialect, query.text);
  const rows = await db.all(
    `SELECT * FROM ${from} WHERE ${text} ORDER BY at ${order}, record_id ${order} LIMIT ?`,
    ...[...values, ...textValues, limit + 1],
  );
  if (rows.length > limit) return { rows: rows.slice(0, limit), next: positionOf(rows[limit - 1] as QueryRow, "at") };
  if (query.text === undefined) return { rows };
  // Fewer matches than requested: the next page continues after the last call that was searched.
  const [last] = await db.all(
    `SELECT at, record_id FROM ${from} ORDER BY at ${order}, record_id ${order} LIMIT 1 OFFSET ?`,
    ...[...values, searched - 1],
  );
  return last === undefined ? { rows } : { rows, next: positionOf(last, "at") };
}

const SORT_KEY = {
  slowest: "coalesce(c.execution_time_ms, c.turnaround_ms, -1)",
  severity: "coalesce(c.severity, -1)",
} as const;

/** Sorts the newest matching calls. */
async function pageByValue(
  db: SqlDriver,
  dialect: Dialect,
  query: CallQuery,
  parts: readonly Part[],
  sort: "slowest" | "severity",
  limit: number,
  after: Position | undefined,
): Promise<Found> {
  const [from, values] = candidates(parts, "DESC", MAX_SORTED_CALLS, undefined);
  const [text, textValues] = textCondition(dialect, query.text);
  const key = SORT_KEY[sort];
  const beyond = after === undefined ? "TRUE" : `(${key} < ? OR (${key} = ? AND c.record_id < ?))`;
  const rows = await db.all(
    `SELECT c.*, ${key} AS sort_key FROM ${from} WHERE ${text} AND ${beyond} ORDER BY sort_key DESC, record_id DESC LIMIT ?`,
    ...[...values, ...textValues, ...(after === undefined ? [] : [after.key, after.key, after.id]), limit + 1],
  );
  if (rows.length <= limit) return { rows };
  return { rows: rows.slice(0, limit), next: positionOf(rows[limit - 1] as QueryRow, "sort_key") };
}

const LISTED = `record_id, record, tool_name, tool_call_id, status_message, execution_time_ms, turnaround_ms, severity, ${LINK_COLUMNS.join(", ")}`;

/** The first calls in order of time, as a FROM item `c`. */
function candidates(
  parts: readonly Part[],
  order: "ASC" | "DESC",
  limit: number,
  after: Position | undefined,
): readonly [sql: string, values: readonly QueryValue[]] {
  const values: QueryValue[] = [];
  const selects = parts.map(({ at, conditions }) => {
    const [than, or] = order === "DESC" ? ["<", "<="] : [">", ">="];
    const from: readonly Condition[] =
      after === undefined
        ? []
        : [[`c.${at} ${or} ? AND (c.${at} ${than} ? OR c.record_id ${than} ?)`, after.key, after.key, after.id]];
    const all = [...conditions, ...from];
    values.push(...all.flatMap(([, ...own]) => own), limit);
    return `SELECT * FROM (SELECT ${LISTED}, ${at} AS at FROM calls c WHERE ${all.map(([sql]) => sql).join(" AND ")}
      ORDER BY c.${at} ${order}, c.record_id ${order} LIMIT ?) AS part`;
  });
  if (selects.length === 1) return [`(${selects[0]}) AS c`, values];
  return [
    `(SELECT * FROM (${selects.join(" UNION ALL ")}) AS parts ORDER BY at ${order}, record_id ${order} LIMIT ?) AS c`,
    [...values, limit],
  ];
}

async function countAll(
  db: SqlDriver,
  queries: readonly CallQuery[],
  parts: readonly (readonly Part[])[],
): Promise<number | null> {
  const counts = await Promise.all(queries.map((query, at) => countCalls(db, query, parts[at] ?? [])));
  return counts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}

/** Counts few calls one by one, and reads the number of many from rollups, if these have the same filters. */
async function countCalls(db: SqlDriver, query: CallQuery, parts: readonly Part[]): Promise<number | null> {
  const counts = parts.map(async ({ conditions }) => {
    const [row] = await db.all(
      `SELECT count(*) AS calls FROM (SELECT 1 FROM calls c WHERE ${conditions.map(([sql]) => sql).join(" AND ")} LIMIT ?) AS counted`,
      ...[...conditions.flatMap(([, ...values]) => values), MAX_COUNTED_CALLS + 1],
    );
    return Number(row?.calls ?? 0);
  });
  const sum = (await Promise.all(counts)).reduce((all, one) => all + one, 0);
  if (sum <= MAX_COUNTED_CALLS) return sum;
  const settled = statusesOf(query);
  if (!isInRollups(query) || settled.some((status) => !(SETTLED_STATUSES as readonly string[]).includes(status)))
    return null;
  const { since, until } = query;
  const tally = await totalOf(db, {
    ...rollupQueryOf(query),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  });
  return fieldsOf(query, settled).reduce((all, field) => all + tally[field], 0);
}

function isInRollups(query: CallQuery): boolean {
  const { client, session, workflow, fingerprint, origin, repaired, soft, link, category = [], status } = query;
  const others = [client, session, workflow, fingerprint, origin, repaired];
  if (others.some((value) => value !== undefined) || category.length > 1 || soft === false) return false;
  // A link or a soft failure is counted for all statuses together.
  return (link === undefined && soft === undefined) || (status === undefined && (link ?? soft) !== undefined);
}

/** Finds a text in the kept texts of the candidates `c`. */
function textCondition(
  dialect: Dialect,
  text: string | undefined,
): readonly [sql: string, values: readonly QueryValue[]] {
  if (text === undefined) return ["TRUE", []];
  const like = `%${text.replace(/[\\%_]/g, (found) => `\\${found}`)}%`;
  const texts = [
    "c.tool_name",
    "c.status_message",
    dialect.jsonText("c.record", ["facts", "preview", "value"]),
    dialect.jsonText("c.record", ["facts", "result", "value", "outcome", "excerpt"]),
  ];
  const conditions = texts.map((one) => `${one} ${dialect.like} ? ESCAPE '\\'`);
  return [`(c.tool_call_id = ? OR ${conditions.join(" OR ")})`, [text, ...texts.map(() => like)]];
}

function positionOf(row: QueryRow, key: "at" | "sort_key"): Position {
  return { key: Number(row[key]), id: String(row.record_id) };
}

function cursorOf({ key, id }: Position, sort: CallSort): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString("base64url");
}

function parseCursor(cursor: string, sort: CallSort): Position {
  const [kind, key, id] = parsedCursor(cursor);
  if (kind !== sort || typeof key !== "number" || typeof id !== "string") throw new CursorError();
  return { key, id };
}

function parsedCursor(cursor: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

async function listedCalls(db: SqlDriver, rows: readonly QueryRow[]): Promise<readonly ListedCall[]> {
  const records = rows.map((row) => JSON.parse(row.record as string) as CallRecord);
  const sessions = await sessionsOf(
    db,
    records.map(({ key }) => key),
  );
  return rows.map((row, at) => {
    const record = records[at] as CallRecord;
    const session = sessions.get(sessionKeyText(record.key));
    const { scores: _, ...call } = callRow(String(row.record_id), record, linksOfRow(row));
    return {
      project: record.key.project,
      session_id: record.key.session_id,
      session_name: session === undefined ? null : sessionNameOf(session),
      session_started_at: session === undefined ? null : isoTime(session.started_at),
      ...call,
    };
  });
}

async function sessionsOf(db: SqlDriver, keys: readonly SessionKey[]): Promise<ReadonlyMap<string, SessionRecord>> {
  const distinct = [...new Map(keys.map((key) => [sessionKeyText(key), key])).values()];
  if (distinct.length === 0) return new Map();
  const padded = padToPowerOfTwo(distinct);
  const rows = await db.all(
    `SELECT record FROM sessions WHERE (project, session_id) IN (VALUES ${padded.map(() => "(?, ?)").join(", ")})`,
    ...padded.flatMap(({ project, session_id }) => [project, session_id]),
  );
  const records = rows.map(({ record }) => JSON.parse(record as string) as SessionRecord);
  return new Map(records.map((record) => [sessionKeyText(record), record]));
}

function sessionNameOf({ folder, branch, client }: SessionRecord): string | null {
  return sessionName({ folder: folder?.value, branch: branch?.value, client: client?.value });
}
