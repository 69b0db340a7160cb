import type { QueryValue } from "./driver.ts";

export type Where = readonly [sql: string, values: readonly QueryValue[]];

/** Joins the conditions that have a value by AND; empty if none has. */
export function whereOf(conditions: readonly (readonly [sql: string, value: QueryValue | undefined])[]): Where {
  const given = conditions.filter(([, value]) => value !== undefined);
  if (given.length === 0) return ["", []];
  return [`WHERE ${given.map(([sql]) => sql).join(" AND ")}`, given.map(([, value]) => value as QueryValue)];
}
