/** The database interface of queries; synchronous for SQLite, asynchronous for PostgreSQL. Placeholders are `?`. */
export interface SqlDriver {
  all(sql: string, ...values: readonly QueryValue[]): Rows | Promise<Rows>;
}

/** Values that both databases accept. */
export type QueryValue = string | number | null;
export type QueryRow = Readonly<Record<string, unknown>>;
type Rows = readonly QueryRow[];

export type Where = readonly [sql: string, values: readonly QueryValue[]];

/** Joins the conditions that have a value by AND; empty if none has. */
export function whereOf(conditions: readonly (readonly [sql: string, value: QueryValue | undefined])[]): Where {
  const given = conditions.filter(([, value]) => value !== undefined);
  if (given.length === 0) return ["", []];
  return [`WHERE ${given.map(([sql]) => sql).join(" AND ")}`, given.map(([, value]) => value as QueryValue)];
}
