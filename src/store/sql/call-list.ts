import type { CallRecord } from "../../core/model/call-record.ts";
import { DAY, HOUR } from "../../core/model/rollup.ts";
import {
  type CallPage,
  type CallQuery,
  type CallSort,
  type CallStatus,
  CursorError,
  type LinkFilter,
  type ListedCall,
  SETTLED_STATUSES,
} from "../call-query.ts";
import { callRow } from "../call-row.ts";
import { DEFAULT_LISTED_CALLS, MAX_COUNTED_CALLS, MAX_SEARCHED_CALLS, MAX_SORTED_CALLS } from "../limits.ts";
import type { RollupQuery } from "../queries.ts";
import type { Span } from "../spans.ts";
import type { Dialect } from "./dialect.ts";
import type { QueryRow, QueryValue, SqlDriver, Where } from "./driver.ts";
import { DISCARDED } from "./repair-queries.ts";
import { rollupRows, tableFor, totalOf } from "./rollup-queries.ts";
import { LINK_COLUMNS, linksOfRow } from "./tables.ts";

type Condition = readonly [sql: string, ...values: QueryValue[]];

/** Calls with a result, or calls without one. Each part has an index on its time. */
interface Part {
  readonly at: "settled_at" | "first_at";
  readonly conditions: readonly Condition[];
}

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
  const parts = await partsOf(db, dialect, { ...query, ...(await projectOf(db, query)) });
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
  const total = isWhole ? rows.length : query.text === undefined ? await countCalls(db, query, parts) : null;
  return { calls: rows.map(listedCall), next_cursor: next === undefined ? null : cursorOf(next, sort), total };
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

async function partsOf(db: SqlDriver, dialect: Dialect, query: CallQuery): Promise<readonly Part[]> {
  const statuses = statusesOf(query);
  const settled = SETTLED_STATUSES.filter((status) => statuses.includes(status));
  const common = commonConditions(dialect, query);
  const parts: Part[] = [];
  if (settled.length > 0) {
    const range = await rangeOf(db, query, settled);
    if (range !== undefined) {
      const conditions = [
        settledCondition(settled, query.tool !== undefined),
        ...range,
        ...failureConditions(query),
        ...common,
      ];
      parts.push({ at: "settled_at", conditions });
    }
  }
  const [pending, discarded] = [statuses.includes("pending"), statuses.includes("discarded")];
  if (pending || discarded) {
    const which = pending && discarded ? "TRUE" : pending ? `NOT ${DISCARDED}` : DISCARDED;
    const range = [...bound("c.first_at >= ?", query.since), ...bound("c.first_at < ?", query.until)];
    parts.push({ at: "first_at", conditions: [["c.status = 'pending'"], [which], ...range, ...common] });
  }
  return parts;
}

/** Totals count categories, phases and most links of failures only: a soft failure has a category too. */
function statusesOf({
  status = SETTLED_STATUSES,
  category,
  phase,
  fingerprint,
  link,
}: CallQuery): readonly CallStatus[] {
  const onlyFailed = (category ?? phase ?? fingerprint) !== undefined || (link !== undefined && link !== "retry");
  return onlyFailed ? status.filter((one) => one === "failed") : status;
}

/** Literals, so that the databases find the partial indexes. The index of tools also has successful calls. */
function settledCondition(statuses: readonly CallStatus[], hasTool: boolean): Condition {
  if (statuses.length === SETTLED_STATUSES.length) return ["c.call_count = 1"];
  if (statuses.length === 1 && statuses[0] === "failed" && !hasTool) return ["c.error_count = 1"];
  return [`c.call_count = 1 AND c.status IN (${statuses.map((status) => `'${status}'`).join(", ")})`];
}

const LINK_CONDITIONS = {
  retry: "c.retry_of IS NOT NULL",
  follow_on: "c.cascade_of IS NOT NULL",
  recovered: "c.recovered_by IS NOT NULL",
  unrecovered: `c.retry_of IS NULL AND c.cascade_of IS NULL AND c.recovered_by IS NULL
    AND coalesce(c.phase, '') <> 'gate' AND coalesce(c.category, '') <> 'cancelled'`,
} as const satisfies Record<LinkFilter, string>;

function failureConditions({ category, phase, link }: CallQuery): readonly Condition[] {
  return [
    ...(category === undefined
      ? []
      : [[`c.category IN (${category.map(() => "?").join(", ")})`, ...category] as const]),
    ...bound("c.phase = ?", phase),
    ...(link === undefined ? [] : [[LINK_CONDITIONS[link]] as const]),
  ];
}

type YesNo = readonly [yes: string, no: string];

/** As in rollups, every call that was not repaired from a leak is native. */
const RECOVERED: YesNo = ["c.origin = 'recovered'", "coalesce(c.origin, '') <> 'recovered'"];
const REPAIRED: YesNo = RECOVERED;

function either([yes, no]: YesNo, is: boolean | undefined): readonly Condition[] {
  return is === undefined ? [] : [[is ? yes : no]];
}

function commonConditions({ noIndex }: Dialect, query: CallQuery): readonly Condition[] {
  const { project, tool, model, provider, client, session, workflow, fingerprint, origin, repaired, soft } = query;
  // SQLite would prefer an index on the project to one in the order of the list.
  const isNarrow = session !== undefined || fingerprint !== undefined;
  return [
    ...bound(`${isNarrow ? "" : noIndex}c.project = ?`, project),
    ...bound("c.session_id = ?", session),
    ...bound("c.fingerprint = ?", fingerprint),
    ...bound("c.tool_name = ?", tool),
    ...named("c.model_name", model),
    ...named("c.provider", provider),
    ...named("c.client", client),
    ...named("c.workflow", workflow),
    ...either(RECOVERED, origin === undefined ? undefined : origin === "recovered"),
    ...either(REPAIRED, repaired),
    ...bound("c.soft = ?", soft === undefined ? undefined : Number(soft)),
  ];
}

function bound(sql: string, value: QueryValue | undefined): readonly Condition[] {
  return value === undefined ? [] : [[sql, value]];
}

/** Rollups show a missing name as `unknown`. */
function named(column: string, value: string | undefined): readonly Condition[] {
  return value === "unknown" ? [[`coalesce(${column}, '') = ''`]] : bound(`${column} = ?`, value);
}

/** The project of a session or an error, because their indexes start with it; empty if several have the same id. */
async function projectOf(db: SqlDriver, query: CallQuery): Promise<Pick<CallQuery, "project">> {
  const { project, session, fingerprint } = query;
  const id = session ?? fingerprint;
  if (project !== undefined || id === undefined) return {};
  const from = session === undefined ? "fingerprints WHERE fingerprint = ?" : "sessions WHERE session_id = ?";
  const found = await db.all(`SELECT project FROM ${from} LIMIT 2`, id);
  return found.length === 1 ? { project: String(found[0]?.project) } : {};
}

/** The time of the results; undefined if rollups count no such call. */
async function rangeOf(
  db: SqlDriver,
  query: CallQuery,
  settled: readonly CallStatus[],
): Promise<readonly Condition[] | undefined> {
  const hours = {
    since: query.since === undefined ? undefined : query.since - (query.since % HOUR),
    until: query.until === undefined ? undefined : Math.ceil(query.until / HOUR) * HOUR,
  };
  if (!mayBeRare(query, settled)) return timesBetween(hours.since, hours.until);
  const rollup = rollupQueryOf(query);
  const days = [{ span: DAY, from: (hours.since ?? 0) - ((hours.since ?? 0) % DAY), to: hours.until ?? MAX_TIME }];
  const [from, values] =
    query.workflow === undefined
      ? rollupRows(tableFor(rollup), rollup, days)
      : workflowRows(query.workflow, rollup, days);
  const [row] = await db.all(
    `SELECT min(start) AS first, max(start) AS last FROM ${from} WHERE ${fieldsOf(query, settled).join(" + ")} > 0`,
    ...values,
  );
  if (row === undefined || row.first === null) return undefined;
  return timesBetween(
    Math.max(hours.since ?? 0, Number(row.first)),
    Math.min(hours.until ?? MAX_TIME, Number(row.last) + DAY),
  );
}

const MAX_TIME = 8.64e15;

/** Rollups by workflow have fewer dimensions. */
function workflowRows(workflow: string, { project, category, phase }: RollupQuery, days: readonly Span[]): Where {
  const filters = {
    ...(project !== undefined && { project }),
    ...(category !== undefined && { category }),
    ...(phase !== undefined && { phase }),
  };
  const [from, values] = rollupRows("workflow_rollups", filters, days);
  return [`(SELECT * FROM ${from} WHERE workflow = ?) AS w`, [...values, workflow === "unknown" ? "" : workflow]];
}

function timesBetween(since: number | undefined, until: number | undefined): readonly Condition[] {
  return [...bound("c.settled_at >= ?", since), ...bound("c.settled_at < ?", until)];
}

/** Whether a page might read the whole index of times to find few calls. */
function mayBeRare(query: CallQuery, settled: readonly CallStatus[]): boolean {
  const { model, provider, workflow, soft, link, session, fingerprint } = query;
  if ((session ?? fingerprint) !== undefined) return false;
  return (model ?? provider ?? workflow ?? link) !== undefined || soft === true || settled.join() === "unknown";
}

function rollupQueryOf({ project, tool, model, provider, category, phase }: CallQuery): RollupQuery {
  return {
    ...(project !== undefined && { project }),
    ...(tool !== undefined && { tool }),
    ...(model !== undefined && { model }),
    ...(provider !== undefined && { provider }),
    ...(category?.length === 1 && { category: category[0] as string }),
    ...(phase !== undefined && { phase }),
  };
}

const FIELD_OF_LINK = {
  retry: "retries",
  follow_on: "follow_on",
  recovered: "recovered",
  unrecovered: "unrecovered",
} as const satisfies Record<LinkFilter, string>;

/** The columns of a tally that count these calls, or more. */
function fieldsOf({ link, soft }: CallQuery, settled: readonly CallStatus[]): readonly TallyField[] {
  if (link !== undefined) return [FIELD_OF_LINK[link]];
  if (soft === true) return ["soft"];
  return settled as readonly (typeof SETTLED_STATUSES)[number][];
}

type TallyField = (typeof FIELD_OF_LINK)[LinkFilter] | "soft" | (typeof SETTLED_STATUSES)[number];

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

function listedCall(row: QueryRow): ListedCall {
  const record = JSON.parse(row.record as string) as CallRecord;
  const { scores: _, ...call } = callRow(String(row.record_id), record, linksOfRow(row));
  return { project: record.key.project, session_id: record.key.session_id, ...call };
}
