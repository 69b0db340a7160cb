/** What a question needs of a database; SQLite answers at once, PostgreSQL later. Places for values are written `?`. */
export interface SqlDriver {
  all(sql: string, ...values: readonly QueryValue[]): Rows | Promise<Rows>;
}

/** Values that either database takes as they are. */
export type QueryValue = string | number | null;
export type QueryRow = Readonly<Record<string, unknown>>;
type Rows = readonly QueryRow[];
