/** The database interface of queries; synchronous for SQLite, asynchronous for PostgreSQL. Placeholders are `?`. */
export interface SqlDriver {
  all(sql: string, ...values: readonly QueryValue[]): Rows | Promise<Rows>;
}

/** Values that both databases accept. */
export type QueryValue = string | number | null;
export type QueryRow = Readonly<Record<string, unknown>>;
type Rows = readonly QueryRow[];
