import { POSTGRES } from "../sql/dialect.ts";
import type { Statement, Step, Values, Work } from "../sql/work.ts";
import type { Queries, Row, Value } from "./database.ts";

/** Runs work to its end. Parts of `together` are sent without waiting for each other. */
export async function perform<T>(db: Queries, work: Work<T>): Promise<T> {
  let step = work.next();
  while (step.done !== true) step = work.next(await execute(db, step.value));
  return step.value;
}

function execute(db: Queries, step: Step): Promise<unknown> {
  switch (step.kind) {
    case "query":
      return db.all(step.sql, ...step.values);
    case "select":
      return selectAll(db, step.statement, step.rows);
    case "change": {
      const { sql, names, key } = compiled(step.statement, "change");
      return db.all(sql, ...byColumn(names, sortedByKey(key, step.rows)));
    }
    case "together":
      return Promise.all(step.parts.map((part) => perform(db, part)));
  }
}

async function selectAll(
  db: Queries,
  statement: Statement,
  rows: readonly Values[],
): Promise<readonly (readonly Row[])[]> {
  const { sql, names } = compiled(statement, "select");
  const found = rows.map((): Row[] => []);
  for (const row of await db.all(
    sql,
    rows.map((_, at) => at),
    ...byColumn(names, rows),
  ))
    found[Number(row.n)]?.push(row);
  return found;
}

function byColumn(names: readonly string[], rows: readonly Values[]): Value[] {
  return names.map((_, column) => rows.map((row) => row[column] ?? null));
}

interface Compiled {
  readonly sql: string;
  readonly names: readonly string[];
  /** The columns of the key. */
  readonly key: readonly number[];
}

const COMPILED = new Map<Statement, Compiled>();

/** Passes rows as arrays by column, so that one statement handles any number of rows. */
function compiled(statement: Statement, kind: "select" | "change"): Compiled {
  const known = COMPILED.get(statement);
  if (known !== undefined) return known;
  const names = Object.keys(statement.parameters);
  const arrays = Object.values(statement.parameters).map((type) => `?::${type}[]`);
  const table = `unnest(${arrays.join(", ")}) AS k(${names.join(", ")})`;
  const value = (name: string): string => `k.${name}`;
  const text = statement.sql(
    {
      value,
      insert: (some) => `SELECT ${some.map(value).join(", ")} FROM ${table}`,
      join: (keyword) => `${keyword} ${table}`,
    },
    POSTGRES,
  );
  const sql =
    kind === "change"
      ? text
      : `SELECT k.n, r.* FROM unnest(?::integer[], ${arrays.join(", ")}) AS k(n, ${names.join(", ")}) CROSS JOIN LATERAL (${text}) r`;
  const key = statement.key?.(POSTGRES).map((name) => names.indexOf(name)) ?? [];
  const result = { sql, names, key };
  COMPILED.set(statement, result);
  return result;
}

/** The last row for each key, sorted by key, so that two writers cannot deadlock. */
function sortedByKey(key: readonly number[], rows: readonly Values[]): readonly Values[] {
  if (rows.length < 2) return rows;
  const byKey = new Map(rows.map((row) => [key.map((column) => row[column]).join("\u0000"), row]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, row]) => row);
}
