import type { Columns } from "../columns.ts";
import type { Queries, Row, Value } from "./database.ts";

const INTEGERS = new Set(
  "occurrence soft made_here in_history call_count error_count position preceding_success is_cascade_failure retry_count bucket most_made n reach version sent_version span_sent keeps_sums".split(
    " ",
  ),
);
const BIG = new Set(
  (
    "first_at last_at settled_at made_at ended_at stopped_at scored_at occurred_at span start hour requests sessions unhealthy calls ok failed " +
    "unknown recovered follow_on retries unrecovered excused since until queued_at due_at lease_until deleted_at"
  ).split(" "),
);
const REAL = new Set(
  (
    "severity worst_severity success_rate execution_time_ms turnaround_ms input_size_bytes output_size_bytes thread_order turn_index " +
    "http_status parsed dropped"
  ).split(" "),
);

/** `started_at` is text for sessions, as external queries expect, and a number for requests. */
function typeOf(table: string, column: string): string {
  if (table === "requests" && column === "started_at") return "bigint";
  if (column === "stamp" || (column === "id" && (table === "changes" || table === "deletions"))) return "bigint";
  if (table === "journal_positions") return "text";
  if (INTEGERS.has(column)) return "integer";
  if (BIG.has(column)) return "bigint";
  return REAL.has(column) ? "double precision" : "text";
}

/** Passes rows as arrays by column, so that one statement handles any number of rows. */
export function rowsOf(table: string, names: readonly string[]): string {
  return `unnest(${names.map((name) => `?::${typeOf(table, name)}[]`).join(", ")}) AS k(${names.join(", ")})`;
}

export function valuesOf(names: readonly string[], rows: readonly Columns[]): Value[] {
  return names.map((name) => rows.map((row) => row[name] ?? null));
}

/** The rows of a table with one of these keys. */
export async function findByKeys(
  db: Queries,
  table: string,
  select: string,
  keys: readonly Columns[],
): Promise<readonly Row[]> {
  const [first] = keys;
  if (first === undefined) return [];
  const names = Object.keys(first);
  return await db.all(
    `SELECT ${select} FROM ${rowsOf(table, names)} JOIN ${table} t ON ${names.map((name) => `t.${name} = k.${name}`).join(" AND ")}`,
    ...valuesOf(names, keys),
  );
}

const WRITES = new Map<string, { readonly sql: string; readonly names: readonly string[] }>();

/**
 * Writes rows in key order, so that two writers cannot deadlock.
 *
 * @param add columns whose values are added instead of replaced
 */
export async function upsert(
  db: Queries,
  table: string,
  keys: readonly string[],
  rows: readonly Columns[],
  add: readonly string[] = [],
): Promise<void> {
  const sorted = sortedByKey(keys, rows);
  const [first] = sorted;
  if (first === undefined) return;
  const names = Object.keys(first);
  // A copy of an older database may have fewer columns, and replaces sums.
  const what = `${table} ${names.length} ${add.length}`;
  let write = WRITES.get(what);
  if (write === undefined) {
    const updates = names
      .filter((name) => !keys.includes(name))
      .map((name) => `${name} = ${add.includes(name) ? `${table}.${name} + ` : ""}excluded.${name}`);
    write = {
      names,
      sql: `INSERT INTO ${table} (${names.join(", ")}) SELECT * FROM ${rowsOf(table, names)}
        ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${updates.join(", ")}`,
    };
    WRITES.set(what, write);
  }
  await db.all(write.sql, ...valuesOf(write.names, sorted));
}

/** The last row for each key, sorted by key. */
export function sortedByKey(keys: readonly string[], rows: readonly Columns[]): readonly Columns[] {
  const byKey = new Map(rows.map((row) => [keys.map((name) => row[name]).join("\u0000"), row]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, row]) => row);
}
