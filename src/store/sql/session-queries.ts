import type { CallRecord } from "../../core/model/call-record.ts";
import type { PromptRecord } from "../../core/model/prompt-record.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import { callRow } from "../call-row.ts";
import { DEFAULT_CALLS, MAX_CALLS_PER_SESSION } from "../limits.ts";
import type { Page, SessionQuery, SessionSort } from "../queries.ts";
import type { SessionDetail, SessionRow } from "../rows.ts";
import { promptRow, sessionRow, sessionScores, WORKFLOW_OF_SESSION, workflowOfRow } from "../session-row.ts";
import type { Dialect } from "./dialect.ts";
import type { QueryValue, SqlDriver } from "./driver.ts";
import { failedExchanges } from "./failed-exchanges.ts";
import { guardActions } from "./guard-queries.ts";
import { leaksOfSession } from "./repair-queries.ts";
import { sessionsWithText } from "./session-search.ts";
import { LINK_COLUMNS, linksOfRow } from "./tables.ts";

const ORDER = {
  recent: "s.last_at DESC, s.session_id",
  severity: "s.worst_severity DESC, s.last_at DESC, s.session_id",
  failures: "s.failed DESC, s.last_at DESC, s.session_id",
  unrecovered: "s.unrecovered DESC, s.last_at DESC, s.session_id",
} as const satisfies Record<SessionSort, string>;

/** Up to this many sessions a facet is rare: then the query starts from its sessions, else from the newest sessions. */
const MAX_RARE_SESSIONS = 500;

const HAS = "f.project = s.project AND f.session_id = s.session_id AND f.calls > 0";

type Condition = readonly [sql: string, ...values: QueryValue[]];

/** Calls that were joined with those of another session leave an empty one behind. */
const HAS_CONTENT = "(s.calls > 0 OR (s.joined_to IS NULL AND s.session_id NOT LIKE 'mcp:%'))";

/** Conditions on the columns of a session. */
async function columnConditions(db: SqlDriver, dialect: Dialect, query: SessionQuery): Promise<readonly Condition[]> {
  const conditions: Condition[] = [[HAS_CONTENT]];
  if (query.project !== undefined) conditions.push(["s.project = ?", query.project]);
  if (query.since !== undefined) conditions.push(["s.last_at >= ?", query.since]);
  if (query.until !== undefined) conditions.push(["s.last_at < ?", query.until]);
  for (const name of ["health", "rate_health"] as const) {
    const value = query[name];
    if (value === undefined) continue;
    const { noIndex } = dialect;
    const mayUseIndex = noIndex === "" || (await isRare(db, `sessions WHERE ${name} = ?`, value));
    conditions.push([`${mayUseIndex ? "" : noIndex}s.${name} = ?`, value]);
  }
  if (query.looping === true) conditions.push(["s.loops > 0"]);
  if (query.severity !== undefined) conditions.push(severityCondition(query.severity, dialect));
  return conditions;
}

export async function sessions(db: SqlDriver, dialect: Dialect, query: SessionQuery): Promise<readonly SessionRow[]> {
  const facets = facetsOf(query);
  const ofColumns = await columnConditions(db, dialect, query);
  const rare = await rareFacet(db, facets);
  const ofFacets = facets.map(
    ([kind, value]): Condition =>
      kind === rare?.[0]
        ? ["f.kind = ? AND f.value = ? AND f.calls > 0", kind, value]
        : [`EXISTS (SELECT 1 FROM session_facets f WHERE ${HAS} AND f.kind = ? AND f.value = ?)`, kind, value],
  );
  const conditions = [...ofColumns, ...ofFacets];
  const [table, textValues] =
    query.text === undefined ? ["sessions", []] : await sessionsWithText(db, dialect, query.text);
  const from =
    rare === undefined
      ? `${table} s`
      : `session_facets f ${dialect.joinFromLeft} ${table} s ON s.project = f.project AND s.session_id = f.session_id`;
  const where = `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}`;
  const rows = await db.all(
    `SELECT s.record, ${WORKFLOW_OF_SESSION} FROM ${from} ${where} ORDER BY ${ORDER[query.sort ?? "recent"]} LIMIT ? OFFSET ?`,
    ...textValues,
    ...conditions.flatMap(([, ...values]) => values),
    ...[query.limit ?? 100, query.offset ?? 0],
  );
  return rows.map((row) => sessionRow(JSON.parse(row.record as string) as SessionRecord, workflowOfRow(row)));
}

function severityCondition(
  { is, value }: NonNullable<SessionQuery["severity"]>,
  { noIndex, real }: Dialect,
): [sql: string, value: QueryValue] {
  // The column has the maximum, which is sufficient for lower bounds. Upper bounds may match any failure.
  if (is === ">" || is === ">=") return [`${noIndex}s.worst_severity ${is} ? AND s.failed > 0`, value];
  const comparison = { "<": "<", "<=": "<=", "=": "=" }[is];
  return [
    `EXISTS (SELECT 1 FROM session_facets f WHERE ${HAS} AND f.kind = 'severity' AND CAST(f.value AS ${real}) ${comparison} ?)`,
    value,
  ];
}

type Facet = readonly [kind: string, value: string];

function facetsOf(query: SessionQuery): readonly Facet[] {
  return (["tool", "model", "category", "workflow"] as const).flatMap((kind) => {
    const value = query[kind];
    return value === undefined ? [] : [[kind, value] as const];
  });
}

/** The first rare facet. */
async function rareFacet(db: SqlDriver, facets: readonly Facet[]): Promise<Facet | undefined> {
  for (const facet of facets) {
    if (await isRare(db, "session_facets WHERE kind = ? AND value = ?", ...facet)) return facet;
  }
  return undefined;
}

/** @param rows the FROM and WHERE of a SELECT */
async function isRare(db: SqlDriver, rows: string, ...values: readonly QueryValue[]): Promise<boolean> {
  const [row] = await db.all(
    `SELECT count(*) AS found FROM (SELECT 1 FROM ${rows} LIMIT ${MAX_RARE_SESSIONS + 1}) AS found_rows`,
    ...values,
  );
  return Number(row?.found ?? 0) <= MAX_RARE_SESSIONS;
}

/** One session with a page of its calls. */
export async function sessionDetail(
  db: SqlDriver,
  project: string,
  sessionId: string,
  page: Page,
): Promise<SessionDetail | undefined> {
  const offset = page.offset ?? 0;
  const key = [project, sessionId];
  const [[row], calls, [total], prompts, guard, leaks, failed_exchanges] = await Promise.all([
    db.all(`SELECT record, ${WORKFLOW_OF_SESSION} FROM sessions s WHERE project = ? AND session_id = ?`, ...key),
    db.all(
      `SELECT record_id, record, ${LINK_COLUMNS.join(", ")} FROM calls WHERE project = ? AND session_id = ?
       ORDER BY first_at, thread_order, turn_index, record_id LIMIT ? OFFSET ?`,
      ...[...key, Math.min(page.limit ?? DEFAULT_CALLS, MAX_CALLS_PER_SESSION), offset],
    ),
    db.all("SELECT count(*) AS calls FROM calls WHERE project = ? AND session_id = ?", ...key),
    db.all(
      "SELECT record FROM prompts WHERE project = ? AND session_id = ? ORDER BY first_at, prompt LIMIT ?",
      ...[...key, MAX_CALLS_PER_SESSION],
    ),
    guardActions(db, project, sessionId),
    leaksOfSession(db, project, sessionId),
    failedExchanges(db, project, sessionId),
  ]);
  if (row === undefined) return undefined;
  const session = JSON.parse(row.record as string) as SessionRecord;
  return {
    session: sessionRow(session, workflowOfRow(row)),
    scores: sessionScores(session),
    prompts: prompts.map((one) => promptRow(JSON.parse(one.record as string) as PromptRecord)),
    calls: calls.map((one) =>
      callRow(String(one.record_id), JSON.parse(one.record as string) as CallRecord, linksOfRow(one)),
    ),
    guard,
    leaks,
    failed_exchanges,
    total: Number(total?.calls ?? 0),
    offset,
  };
}
