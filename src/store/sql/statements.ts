// Statements that are derived from the declaration of a table.
import type { Dialect } from "./dialect.ts";
import type { Table } from "./tables.ts";
import { type SqlType, type Statement, sameRow } from "./work.ts";
import type { SumTable } from "./write-aggregates.ts";

type AnyTable = Pick<Table<never>, "name" | "types" | "key" | "columns">;
type Types = Readonly<Record<string, SqlType>>;

function typesOf({ types }: AnyTable, names: readonly string[]): Types {
  return Object.fromEntries(names.map((name) => [name, types[name] as SqlType]));
}

/** Inserts rows, or replaces those with the same key. */
export function upsertInto(table: AnyTable): Statement {
  const { name, types, key, columns } = table;
  return {
    parameters: types,
    key,
    sql: ({ insert }, dialect) => {
      const names = columns(dialect);
      const replaced = names.filter((one) => !key(dialect).includes(one));
      return `INSERT INTO ${name} (${names.join(", ")}) ${insert(names)}
        ON CONFLICT (${key(dialect).join(", ")}) DO UPDATE SET ${replaced.map((one) => `${one} = excluded.${one}`).join(", ")}`;
    },
  };
}

/** Changes the other columns of existing rows. */
export function updateOf({ name, types, key, columns }: AnyTable): Statement {
  return {
    parameters: types,
    key,
    sql: (row, dialect) => {
      const changed = columns(dialect).filter((one) => !key(dialect).includes(one));
      return `UPDATE ${name} AS t SET ${changed.map((one) => `${one} = ${row.value(one)}`).join(", ")} ${row.join("FROM")}
        WHERE ${sameRow(key(dialect), row)}`;
    },
  };
}

/** Adds to sums, or inserts them. */
export function addTo({ name, key, fields }: SumTable): Statement {
  const keys = Object.keys(key);
  const names = [...keys, ...fields];
  return {
    parameters: { ...key, ...Object.fromEntries(fields.map((field) => [field, "bigint"] as const)) },
    key: () => keys,
    sql: ({ insert }) => `INSERT INTO ${name} (${names.join(", ")}) ${insert(names)} ON CONFLICT (${keys.join(", ")})
      DO UPDATE SET ${fields.map((field) => `${field} = ${name}.${field} + excluded.${field}`).join(", ")}`,
  };
}

/**
 * Deletes rows by key.
 *
 * @param and a further condition on the table `t`
 */
export function deleteFrom(name: string, key: Types, and: string = "TRUE"): Statement {
  const keys = Object.keys(key);
  return {
    parameters: key,
    key: () => keys,
    sql: (row) => `DELETE FROM ${name} AS t ${row.join("USING")} WHERE ${sameRow(keys, row)} AND ${and}`,
  };
}

/**
 * Selects rows by some columns.
 *
 * @param columns of the table `t`
 */
export function selectBy(table: AnyTable, by: readonly string[], columns: (dialect: Dialect) => string): Statement {
  return {
    parameters: typesOf(table, by),
    sql: (row, dialect) => `SELECT ${columns(dialect)} FROM ${table.name} t WHERE ${sameRow(by, row)}`,
  };
}

/**
 * Selects rows by key. Parameters are the key in PostgreSQL, in the order of the table's columns, so that the caller
 * always passes the session id.
 */
export function selectByKey(table: AnyTable, by: readonly string[], columns: string): Statement {
  return {
    parameters: typesOf(table, by),
    sql: (row, dialect) => `SELECT ${columns} FROM ${table.name} t WHERE ${sameRow(table.key(dialect), row)}`,
  };
}
