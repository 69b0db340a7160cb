import type { Database, Row, Value } from "./database.ts";

const FEW = 4;
const MANY = 32;

/**
 * The rows of many ids with few statements. `sql` ends in a list of places for them; always one of two lengths, so that each is prepared once.
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
