import type { Dialect } from "./dialect.ts";
import type { QueryRow, QueryValue } from "./driver.ts";

/**
 * Database work, as a generator of steps. SQLite runs the steps synchronously, so that a transaction cannot interleave
 * with anything else; PostgreSQL runs them asynchronously and pipelines those of {@link together}.
 */
export type Work<T> = Generator<Step, T, unknown>;

export type Step =
  | { readonly kind: "query"; readonly sql: string; readonly values: readonly StepValue[] }
  | { readonly kind: "select" | "change"; readonly statement: Statement; readonly rows: readonly Values[] }
  | { readonly kind: "together"; readonly parts: readonly Work<unknown>[] };

/** Arrays are for PostgreSQL only. */
type StepValue = QueryValue | readonly QueryValue[];
/** The values of one row, in the order of a statement's parameters. */
export type Values = readonly QueryValue[];

export type SqlType = "text" | "integer" | "bigint" | "double precision";

/**
 * SQL for any number of rows of parameters. SQLite runs it once per row; PostgreSQL runs it once, with the rows as a
 * table. Each database compiles it once, so statements are constants.
 */
export interface Statement {
  readonly parameters: Readonly<Record<string, SqlType>>;
  /** The parameters that identify a row. PostgreSQL writes rows in this order, so that two writers cannot deadlock. */
  readonly key?: (dialect: Dialect) => readonly string[];
  readonly sql: (row: RowSql, dialect: Dialect) => string;
}

/** How SQL refers to the parameters. */
export interface RowSql {
  readonly value: (parameter: string) => string;
  /** What follows `INSERT INTO table (parameters)`. */
  readonly insert: (parameters: readonly string[]) => string;
  /** The table of parameters, for UPDATE and DELETE; empty in SQLite. */
  readonly join: (keyword: "FROM" | "USING") => string;
}

/** Runs one statement with `?` placeholders. */
export function* query(sql: string, ...values: readonly StepValue[]): Work<readonly QueryRow[]> {
  return (yield { kind: "query", sql, values }) as readonly QueryRow[];
}

/** The found rows for each row of parameters. */
export function* select(statement: Statement, rows: readonly Values[]): Work<readonly (readonly QueryRow[])[]> {
  return rows.length === 0 ? [] : ((yield { kind: "select", statement, rows }) as readonly (readonly QueryRow[])[]);
}

/** Writes or removes rows. Of several with the same key, the last one counts. */
export function* change(statement: Statement, rows: readonly Values[]): Work<void> {
  if (rows.length > 0) yield { kind: "change", statement, rows };
}

/** Starts every part before the first has ended, in this order. */
export function* together<const T extends readonly unknown[]>(
  parts: {
    readonly [K in keyof T]: Work<T[K]>;
  },
): Work<T> {
  return (yield { kind: "together", parts: parts as readonly Work<unknown>[] }) as T;
}

/** `t.a = … AND t.b = …`, for the table `t`. */
export function sameRow(names: readonly string[], { value }: RowSql): string {
  return names.map((name) => `t.${name} = ${value(name)}`).join(" AND ");
}
