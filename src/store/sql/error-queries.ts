import { noCounts } from "../../core/model/counts.ts";
import { DAY } from "../../core/model/rollup.ts";
import type { ChosenState, ErrorDetail, ErrorState } from "../error-rows.ts";
import { MAX_COUNTED_CALLS } from "../limits.ts";
import { checkFilters, type FingerprintQuery } from "../queries.ts";
import type { FingerprintRow } from "../rows.ts";
import { spansOf } from "../spans.ts";
import type { QueryRow, QueryValue, SqlDriver } from "./driver.ts";
import { padToPowerOfTwo } from "./pad.ts";
import { rollupRows } from "./rollup-queries.ts";
import { deleteFrom } from "./statements.ts";
import { change, query, type Statement, type Work } from "./work.ts";

/** Loads the top errors first and their details afterwards, because there may be many more errors than requested. */
export async function fingerprints(db: SqlDriver, given: FingerprintQuery): Promise<readonly FingerprintRow[]> {
  checkFilters("fingerprints", given);
  const { tool, model, limit = 50, ...rest } = given;
  const [from, values] = rollupRows("fingerprint_rollups", rest, spansOf(given));
  const facets = [
    ["tool_name", tool],
    ["model_name", model === "unknown" ? "" : model],
  ] as const;
  const wanted = facets.filter(([, value]) => value !== undefined);
  const where = `WHERE EXISTS (SELECT 1 FROM fingerprint_facets f WHERE f.project = r.project AND f.fingerprint = r.fingerprint
    AND f.calls > 0${wanted.map(([name]) => ` AND f.${name} = ?`).join("")})`;
  const regressed = await regressedErrors(db);
  const regressedFirst = regressed.length === 0 ? "" : `CASE WHEN ${keysIn(regressed)} THEN 0 ELSE 1 END, `;
  const top = await db.all(
    `SELECT project, fingerprint, max(category) AS category, sum(calls) AS calls FROM ${from}
     ${wanted.length === 0 ? "" : where} GROUP BY project, fingerprint HAVING sum(calls) > 0
     ORDER BY ${regressedFirst}sum(calls) DESC, project, fingerprint LIMIT ?`,
    ...values,
    ...wanted.map(([, value]) => value as QueryValue),
    ...keyValues(regressed),
    limit + MAX_TIED,
  );
  return withDetails(db, (await refusalsLast(db, top, regressed)).slice(0, limit));
}

/** Errors beyond the limit that are read because they may be as frequent as the last one, and no refusal. */
const MAX_TIED = 50;

/** Among equally frequent errors, moves those that a user or a rule caused (refused or cancelled calls) to the end. */
async function refusalsLast(
  db: SqlDriver,
  top: readonly QueryRow[],
  regressed: readonly QueryRow[],
): Promise<readonly QueryRow[]> {
  if (top.length < 2) return top;
  const phases = await db.all(
    `SELECT project, fingerprint, (SELECT c.phase FROM calls c
       WHERE c.project = f.project AND c.fingerprint = f.fingerprint AND c.error_count = 1
       ORDER BY c.settled_at DESC LIMIT 1) AS phase FROM fingerprints f WHERE ${keysIn(top)}`,
    ...keyValues(top),
  );
  const gated = new Set(phases.filter(({ phase }) => phase === "gate").map(keyOf));
  const isRegressed = new Set(regressed.map(keyOf));
  const order = (row: QueryRow): readonly number[] => [
    isRegressed.has(keyOf(row)) ? 0 : 1,
    -Number(row.calls),
    gated.has(keyOf(row)) || row.category === "cancelled" ? 1 : 0,
  ];
  return top
    .map((row) => ({ row, order: order(row) }))
    .sort((a, b) => a.order.map((value, at) => value - (b.order[at] ?? 0)).find((difference) => difference !== 0) ?? 0)
    .map(({ row }) => row);
}

/** People rarely resolve more errors than this, and each regressed one costs a comparison. */
const MAX_REGRESSED = 200;

function regressedErrors(db: SqlDriver): Promise<readonly QueryRow[]> | readonly QueryRow[] {
  return db.all(
    `SELECT e.project, e.fingerprint FROM error_states e
     JOIN fingerprints f ON f.project = e.project AND f.fingerprint = e.fingerprint
     WHERE e.state = 'resolved' AND f.last_at > e.changed_at ORDER BY f.last_at DESC LIMIT ${MAX_REGRESSED}`,
  );
}

async function withDetails(db: SqlDriver, top: readonly QueryRow[]): Promise<readonly FingerprintRow[]> {
  if (top.length === 0) return [];
  const these = keysIn(top);
  const keys = keyValues(top);
  const [details, known, states] = await Promise.all([
    db.all(`SELECT * FROM fingerprint_facets WHERE ${these} AND calls > 0`, ...keys),
    db.all(`SELECT * FROM fingerprints WHERE ${these}`, ...keys),
    db.all(`SELECT * FROM error_states WHERE ${these}`, ...keys),
  ]);
  const tools = countsBy(details, "tool_name");
  const models = countsBy(details, "model_name");
  const timesBy = new Map(known.map((row) => [keyOf(row), row]));
  const stateBy = new Map(states.map((row) => [keyOf(row), row]));
  return top.map((row) => {
    const key = keyOf(row);
    const times = timesBy.get(key);
    const state = stateBy.get(key);
    return {
      project: String(row.project),
      fingerprint: String(row.fingerprint),
      category: String(row.category),
      count: Number(row.calls),
      first_at: times === undefined ? null : new Date(Number(times.first_at)).toISOString(),
      last_at: times === undefined ? null : new Date(Number(times.last_at)).toISOString(),
      sample: String(times?.sample ?? ""),
      tools: tools.get(key) ?? noCounts(),
      models: models.get(key) ?? noCounts(),
      state: stateOf(state, Number(times?.last_at ?? 0)),
      state_at: state === undefined ? null : new Date(Number(state.changed_at)).toISOString(),
    };
  });
}

function stateOf(row: QueryRow | undefined, lastAt: number): ErrorState {
  if (row === undefined) return "open";
  const isRegressed = row.state === "resolved" && lastAt > Number(row.changed_at);
  return isRegressed ? "regressed" : (row.state as ChosenState);
}

export async function errorDetail(
  db: SqlDriver,
  project: string,
  fingerprint: string,
): Promise<ErrorDetail | undefined> {
  const key = [project, fingerprint];
  const [days, clients, [known]] = await Promise.all([
    db.all(
      `SELECT start AS at, sum(calls) AS calls FROM fingerprint_rollups
       WHERE span = ${DAY} AND project = ? AND fingerprint = ? GROUP BY start ORDER BY start`,
      ...key,
    ),
    db.all(
      `SELECT client, client_version, count(*) AS calls FROM (
         SELECT client, client_version FROM calls WHERE project = ? AND fingerprint = ? AND error_count = 1
         ORDER BY settled_at DESC LIMIT ${MAX_COUNTED_CALLS}) AS newest
       GROUP BY client, client_version ORDER BY count(*) DESC, client, client_version LIMIT 50`,
      ...key,
    ),
    db.all("SELECT category FROM fingerprints WHERE project = ? AND fingerprint = ?", ...key),
  ]);
  if (known === undefined) return undefined;
  const calls = days.reduce((sum, row) => sum + Number(row.calls), 0);
  const [error] = await withDetails(db, [{ project, fingerprint, category: known.category, calls }]);
  return {
    error: error as FingerprintRow,
    days: days.map((row) => ({ at: Number(row.at), count: Number(row.calls) })),
    clients: clients.map((row) => ({
      client: (row.client as string | null) ?? null,
      client_version: (row.client_version as string | null) ?? null,
      count: Number(row.calls),
    })),
  };
}

const KEY = { project: "text", fingerprint: "text" } as const;
const SET_STATE: Statement = {
  parameters: { ...KEY, state: "text", changed_at: "bigint" },
  key: () => Object.keys(KEY),
  sql: ({ insert }) => `INSERT INTO error_states (project, fingerprint, state, changed_at)
    ${insert(["project", "fingerprint", "state", "changed_at"])}
    ON CONFLICT (project, fingerprint) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at`,
};
/** An open error has no row. */
const REOPEN: Statement = deleteFrom("error_states", KEY);

/** Returns false if the error does not exist. */
export function* setErrorState(project: string, fingerprint: string, state: ChosenState, at: number): Work<boolean> {
  const key = [project, fingerprint];
  const found = yield* query("SELECT 1 AS found FROM fingerprints WHERE project = ? AND fingerprint = ?", ...key);
  if (found.length === 0) return false;
  if (state === "open") yield* change(REOPEN, [key]);
  else yield* change(SET_STATE, [[...key, state, at]]);
  return true;
}

function keyOf(row: QueryRow): string {
  return `${row.project}\u0000${row.fingerprint}`;
}

function keysIn(rows: readonly QueryRow[]): string {
  return `(project, fingerprint) IN (VALUES ${padToPowerOfTwo(rows)
    .map(() => "(?, ?)")
    .join(", ")})`;
}

function keyValues(rows: readonly QueryRow[]): readonly QueryValue[] {
  return rows.length === 0
    ? []
    : padToPowerOfTwo(rows).flatMap((row) => [String(row.project), String(row.fingerprint)]);
}

function countsBy(rows: readonly QueryRow[], column: string): ReadonlyMap<string, Record<string, number>> {
  const counts = new Map<string, Record<string, number>>();
  for (const row of rows) {
    const key = keyOf(row);
    const of = counts.get(key) ?? noCounts();
    const name = String(row[column]) === "" ? "unknown" : String(row[column]);
    of[name] = (of[name] ?? 0) + Number(row.calls);
    counts.set(key, of);
  }
  return counts;
}
