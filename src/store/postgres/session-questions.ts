import type { CallRecord } from "../../core/model/call-record.ts";
import type { PromptRecord } from "../../core/model/prompt-record.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import type { SessionDetail, SessionRow } from "../answers.ts";
import { DEFAULT_CALLS, MOST_CALLS, NEWEST_FOR_TEXT } from "../limits.ts";
import { LINK_COLUMNS, linksOfRow } from "../link-columns.ts";
import type { Page, SessionQuery, SessionSort } from "../questions.ts";
import { callRow, promptRow, sessionRow, sessionScores } from "../session-row.ts";
import { WORKFLOW_OF_SESSION, workflowOfRow } from "../session-workflow.ts";
import type { Queries, Row, Value } from "./database.ts";

const ORDER = {
  recent: "s.last_at DESC, s.session_id",
  severity: "s.worst_severity DESC, s.last_at DESC, s.session_id",
  failures: "s.failed DESC, s.last_at DESC, s.session_id",
  unrecovered: "s.unrecovered DESC, s.last_at DESC, s.session_id",
} as const satisfies Record<SessionSort, string>;

/** Above this many sessions a value is no rare one: then the newest sessions are looked through, else those that have it. */
const RARE = 500;

const HAS = "f.project = s.project AND f.session_id = s.session_id AND f.calls > 0";

const LIKE = "ILIKE ? ESCAPE '\\'";
const NEWEST = `(SELECT * FROM sessions ORDER BY last_at DESC LIMIT ${NEWEST_FOR_TEXT})`;
const BEGINNING = `(SELECT * FROM sessions WHERE session_id >= ? AND session_id < ? ORDER BY session_id LIMIT ${NEWEST_FOR_TEXT})`;
const WITH_TEXT = `(SELECT * FROM ${BEGINNING} AS b
  UNION SELECT s.* FROM ${NEWEST} AS s WHERE s.session_id ${LIKE} OR s.client ${LIKE} OR s.provider ${LIKE} OR EXISTS (
    SELECT 1 FROM session_facets f WHERE ${HAS} AND f.kind <> 'severity' AND f.value ${LIKE}))`;

/** The values of {@link WITH_TEXT}: ids from the text up to just behind all that begin with it, and the text as a pattern. */
function textOf(text: string): readonly Value[] {
  const like = `%${text.replace(/[\\%_]/g, (found) => `\\${found}`)}%`;
  return [text, `${text}\u{10ffff}`, like, like, like, like];
}

export async function sessions(db: Queries, query: SessionQuery): Promise<readonly SessionRow[]> {
  const conditions: [sql: string, ...values: Value[]][] = [];
  const when = (sql: string, ...values: (Value | undefined)[]): void => {
    if (!values.includes(undefined)) conditions.push([sql, ...(values as Value[])]);
  };
  when("s.project = ?", query.project);
  when("s.last_at >= ?", query.since);
  when("s.last_at < ?", query.until);
  when("s.health = ?", query.health);
  when("s.rate_health = ?", query.rate_health);
  if (query.severity !== undefined) when(...severityCondition(query.severity));
  const facets = facetsOf(query);
  const rare = await rarest(db, facets);
  for (const [kind, value] of facets) {
    if (kind === rare?.[0]) when("f.kind = ? AND f.value = ? AND f.calls > 0", kind, value);
    else when(`EXISTS (SELECT 1 FROM session_facets f WHERE ${HAS} AND f.kind = ? AND f.value = ?)`, kind, value);
  }
  const table = query.text === undefined ? "sessions" : WITH_TEXT;
  const textValues = query.text === undefined ? [] : textOf(query.text);
  const from =
    rare === undefined
      ? `${table} s`
      : `session_facets f JOIN ${table} s ON s.project = f.project AND s.session_id = f.session_id`;
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}`;
  const rows = await db.all(
    `SELECT s.record, ${WORKFLOW_OF_SESSION} FROM ${from} ${where} ORDER BY ${ORDER[query.sort ?? "recent"]} LIMIT ? OFFSET ?`,
    ...textValues,
    ...conditions.flatMap(([, ...values]) => values),
    ...[query.limit ?? 100, query.offset ?? 0],
  );
  return rows.map((row) => sessionRow(sessionOfRow(row), workflowOfRow(row)));
}

function severityCondition({ is, value }: NonNullable<SessionQuery["severity"]>): [sql: string, value: Value] {
  // The worst call decides what is above; below may be any.
  if (is === ">" || is === ">=") return [`s.worst_severity ${is} ? AND s.failed > 0`, value];
  const comparison = { "<": "<", "<=": "<=", "=": "=" }[is];
  return [
    `EXISTS (SELECT 1 FROM session_facets f WHERE ${HAS} AND f.kind = 'severity' AND CAST(f.value AS DOUBLE PRECISION) ${comparison} ?)`,
    value,
  ];
}

function facetsOf(query: SessionQuery): readonly (readonly [kind: string, value: string])[] {
  return (["tool", "model", "category", "workflow"] as const).flatMap((kind) => {
    const value = query[kind];
    return value === undefined ? [] : [[kind, value] as const];
  });
}

/** The first of them that few sessions have. */
async function rarest(
  db: Queries,
  facets: readonly (readonly [kind: string, value: string])[],
): Promise<readonly [kind: string, value: string] | undefined> {
  for (const facet of facets) {
    const [row] = await db.all(
      `SELECT count(*) AS found FROM (SELECT 1 FROM session_facets WHERE kind = ? AND value = ? LIMIT ${RARE + 1}) AS found`,
      ...facet,
    );
    if (Number(row?.found ?? 0) <= RARE) return facet;
  }
  return undefined;
}

export async function sessionDetail(
  db: Queries,
  project: string,
  sessionId: string,
  page: Page,
): Promise<SessionDetail | undefined> {
  const offset = page.offset ?? 0;
  const key = [project, sessionId];
  const [[row], calls, [total], prompts] = await Promise.all([
    db.all(`SELECT record, ${WORKFLOW_OF_SESSION} FROM sessions s WHERE project = ? AND session_id = ?`, ...key),
    db.all(
      `SELECT record_id, record, ${LINK_COLUMNS.join(", ")} FROM calls WHERE project = ? AND session_id = ?
       ORDER BY first_at, thread_order, turn_index, record_id LIMIT ? OFFSET ?`,
      ...[...key, Math.min(page.limit ?? DEFAULT_CALLS, MOST_CALLS), offset],
    ),
    db.all("SELECT count(*) AS calls FROM calls WHERE project = ? AND session_id = ?", ...key),
    db.all(
      "SELECT record FROM prompts WHERE project = ? AND session_id = ? ORDER BY first_at, prompt LIMIT ?",
      ...[...key, MOST_CALLS],
    ),
  ]);
  if (row === undefined) return undefined;
  const session = sessionOfRow(row);
  return {
    session: sessionRow(session, workflowOfRow(row)),
    scores: sessionScores(session),
    prompts: prompts.map((one) => promptRow(JSON.parse(one.record as string) as PromptRecord)),
    calls: calls.map((one) =>
      callRow(String(one.record_id), JSON.parse(one.record as string) as CallRecord, linksOfRow(one)),
    ),
    total: Number(total?.calls ?? 0),
    offset,
  };
}

function sessionOfRow(row: Row): SessionRecord {
  return JSON.parse(row.record as string) as SessionRecord;
}
