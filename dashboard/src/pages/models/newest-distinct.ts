import type { LeakRow } from "../../../../src/store/port.ts";

/** Of leaks with the same texts, the newest. The rows are sorted newest first. */
export function newestDistinct(rows: readonly LeakRow[]): readonly LeakRow[] {
  const seen = new Map<string, LeakRow>();
  for (const row of rows) {
    const key = JSON.stringify([row.model, row.before, row.after]);
    if (!seen.has(key)) seen.set(key, row);
  }
  return [...seen.values()];
}
