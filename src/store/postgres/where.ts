import type { Value } from "./database.ts";

export type Where = readonly [sql: string, values: readonly Value[]];

/** Conditions whose value is given, joined by AND; empty without any. */
export function whereOf(conditions: readonly (readonly [sql: string, value: Value | undefined])[]): Where {
  const given = conditions.filter(([, value]) => value !== undefined);
  if (given.length === 0) return ["", []];
  return [`WHERE ${given.map(([sql]) => sql).join(" AND ")}`, given.map(([, value]) => value as Value)];
}
