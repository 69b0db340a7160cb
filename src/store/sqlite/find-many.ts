import type { Database, Row, Value } from "./database.ts";

const FEW = 4;
const MANY = 32;

/**
 * Finds the rows of many ids with few statements.
 *
 * @param sql takes a list of placeholders; only two lengths are used, so that two statements are prepared
 */
export function findMany(
  db: Database,
  sql: (places: string) => string,
  values: readonly Value[],
  ids: readonly string[],
): readonly Row[] {
  const rows: Row[] = [];
  const size = ids.length <= FEW ? FEW : MANY;
  const text = sql(PLACES[size]);
  for (let at = 0; at < ids.length; at += size) {
    const some: (string | null)[] = ids.slice(at, at + size);
    while (some.length < size) some.push(null);
    for (const row of db.all(text, ...values, ...some)) rows.push(row);
  }
  return rows;
}

const PLACES = { [FEW]: places(FEW), [MANY]: places(MANY) } as const;

function places(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}
