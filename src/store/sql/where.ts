import type { QueryValue } from "./driver.ts";

export type Where = readonly [sql: string, values: readonly QueryValue[]];

/** Conditions whose value is given, joined by AND; empty without any. */
export function whereOf(conditions: readonly (readonly [sql: string, value: QueryValue | undefined])[]): Where {
  const given = conditions.filter(([, value]) => value !== undefined);
  if (given.length === 0) return ["", []];
  return [`WHERE ${given.map(([sql]) => sql).join(" AND ")}`, given.map(([, value]) => value as QueryValue)];
}
