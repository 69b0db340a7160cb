import { DAY } from "../../core/model/rollup.ts";
import { EMPTY_TALLY, TALLY_FIELDS, type Tally } from "../../core/model/session-record.ts";
import {
  type BreakdownExtras,
  breakdownRows,
  type CategorySum,
  seriesPoints,
  toolModelRows,
} from "../breakdown-rows.ts";
import {
  type Breakdown,
  type BreakdownQuery,
  checkFilters,
  type Range,
  type RollupQuery,
  type SeriesQuery,
} from "../queries.ts";
import type { BreakdownRow, SeriesPoint, ToolModelRow } from "../rows.ts";
import { hoursOf, previousRange, type Span, spansOf } from "../spans.ts";
import type { QueryRow, QueryValue, SqlDriver, Where } from "./driver.ts";

const SUMS = TALLY_FIELDS.map((name) => `sum(${name}) AS ${name}`).join(", ");

type RollupBreakdown = Exclude<Breakdown, "session">;

/** Columns by breakdown. A day is a UTC day. */
const COLUMN = {
  tool: "tool_name",
  model: "model_name",
  provider: "provider",
  category: "category",
  phase: "phase",
  workflow: "workflow",
  day: `start - start % ${DAY}`,
} as const satisfies Record<RollupBreakdown, string>;

/** The smallest table with the needed columns. */
export function tableFor({ tool, model, provider }: RollupQuery): "rollups" | "total_rollups" {
  return (tool ?? model ?? provider) === undefined ? "total_rollups" : "rollups";
}

const DETAILED: ReadonlySet<RollupBreakdown> = new Set(["tool", "model", "provider"]);

/** Sessions with their last activity in a range, and their requests. */
export async function sessionTotals(
  db: SqlDriver,
  { project, since, until }: Range,
): Promise<{ readonly sessions: number; readonly requests: number }> {
  const range = {
    ...(project !== undefined && { project }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
  const [from, values] = rollupRows("session_rollups", range, spansOf(range));
  const [row] = await db.all(`SELECT sum(sessions) AS sessions, sum(requests) AS requests FROM ${from}`, ...values);
  return { sessions: Number(row?.sessions ?? 0), requests: Number(row?.requests ?? 0) };
}

export async function unhealthySessions(db: SqlDriver, range: Range): Promise<number> {
  const [from, values] = rollupRows("session_rollups", range, spansOf(range));
  const [row] = await db.all(`SELECT sum(unhealthy) AS unhealthy FROM ${from}`, ...values);
  return Number(row?.unhealthy ?? 0);
}

export async function totalOf(db: SqlDriver, query: RollupQuery): Promise<Tally> {
  const [from, values] = rollupRows(tableFor(query), query, spansOf(query));
  const [row] = await db.all(`SELECT ${SUMS} FROM ${from}`, ...values);
  return tallyOfRow(row ?? {});
}

export async function breakdown(
  db: SqlDriver,
  by: RollupBreakdown,
  query: BreakdownQuery,
): Promise<readonly BreakdownRow[]> {
  if (by === "workflow") checkFilters("by workflow", query);
  const before = query.previous === true ? previousRange(query) : undefined;
  const extras: BreakdownExtras = {
    ...(before !== undefined && { previous: await sumsBy(db, by, before) }),
    ...(by === "tool" && { durations: await durationsBy(db, query) }),
  };
  return breakdownRows(await sumsBy(db, by, query), extras);
}

async function sumsBy(db: SqlDriver, by: RollupBreakdown, query: RollupQuery): Promise<readonly CategorySum[]> {
  const table = by === "workflow" ? "workflow_rollups" : DETAILED.has(by) ? "rollups" : tableFor(query);
  const [from, values] = rollupRows(table, query, spansOf(query));
  const rows = await db.all(
    `SELECT ${COLUMN[by]} AS key, phase, category, ${SUMS} FROM ${from} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    ...values,
  );
  const sums = rows.map(
    (row): CategorySum => ({
      ...tallyOfRow(row),
      key: keyText(by, row.key),
      phase: String(row.phase),
      category: String(row.category),
    }),
  );
  // Successful calls have no category or phase, and no row here.
  return by === "category" || by === "phase" ? sums.filter((sum) => sum.key !== "") : sums;
}

async function durationsBy(
  db: SqlDriver,
  query: RollupQuery,
): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
  const { project, since, until, tool } = query;
  const timed = { ...(project !== undefined && { project }), ...(tool !== undefined && { tool }) };
  const spans = spansOf({ ...(since !== undefined && { since }), ...(until !== undefined && { until }) });
  const [from, values] = rollupRows("durations", timed, spans);
  const byTool = new Map<string, Map<number, number>>();
  for (const row of await db.all(
    `SELECT tool_name, bucket, sum(calls) AS calls FROM ${from} GROUP BY 1, 2`,
    ...values,
  )) {
    const tool = String(row.tool_name);
    const classes = byTool.get(tool) ?? new Map<number, number>();
    byTool.set(tool, classes.set(Number(row.bucket), Number(row.calls)));
  }
  return byTool;
}

export async function series(db: SqlDriver, query: SeriesQuery): Promise<readonly SeriesPoint[]> {
  const [from, values] = rollupRows(tableFor(query), query, query.step === "day" ? spansOf(query) : hoursOf(query));
  const at = query.step === "day" ? COLUMN.day : "start";
  const rows = await db.all(
    `SELECT ${at} AS at, category, ${SUMS} FROM ${from} GROUP BY 1, 2 ORDER BY 1, 2`,
    ...values,
  );
  return seriesPoints(rows.map((row) => ({ ...tallyOfRow(row), at: Number(row.at), category: String(row.category) })));
}

export async function toolModel(db: SqlDriver, query: RollupQuery): Promise<readonly ToolModelRow[]> {
  const [from, values] = rollupRows("rollups", query, spansOf(query));
  const rows = await db.all(
    `SELECT tool_name, model_name, category, ${SUMS} FROM ${from} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    ...values,
  );
  return toolModelRows(
    rows.map((row) => ({
      ...tallyOfRow(row),
      tool: String(row.tool_name),
      model: String(row.model_name),
      category: String(row.category),
    })),
  );
}

/** The rows of a rollup table that match a query, as a FROM item. */
export function rollupRows(table: string, query: RollupQuery, spans: readonly Span[]): Where {
  const filters = [
    ["project", query.project],
    ["tool_name", query.tool],
    ["model_name", query.model === "unknown" ? "" : query.model],
    ["provider", query.provider === "unknown" ? "" : query.provider],
    ["category", query.category],
    ["phase", query.phase],
  ] as const;
  const given = filters.filter(([, value]) => value !== undefined);
  const also = given.map(([name]) => ` AND ${name} = ?`).join("");
  const values: QueryValue[] = [];
  const parts = spans.map(({ span, from, to }) => {
    values.push(span, from, to, ...given.map(([, value]) => value as QueryValue));
    return `SELECT * FROM ${table} WHERE span = ? AND start >= ? AND start < ?${also}`;
  });
  return [`(${parts.join(" UNION ALL ")}) AS r`, values];
}

function keyText(by: RollupBreakdown, key: unknown): string {
  if (by === "day") return new Date(Number(key)).toISOString().slice(0, 10);
  return key === "" && (by === "model" || by === "provider" || by === "workflow") ? "unknown" : String(key);
}

export function tallyOfRow(row: QueryRow): Tally {
  const tally: Record<keyof Tally, number> = { ...EMPTY_TALLY };
  for (const name of TALLY_FIELDS) tally[name] = Number(row[name] ?? 0);
  return tally;
}
