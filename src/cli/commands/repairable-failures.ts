import type { Range, StoreReader } from "../../store/port.ts";
import { pluralize } from "../format.ts";

/** Reading more would take minutes without changing the conclusion. */
const MAX_ROWS = 10_000;

/** Counts failed calls whose arguments repair could have fixed, but only observed. */
export async function countRepairable(reader: StoreReader, range: Range): Promise<number> {
  // A store of an older version lacks these columns.
  const rows = await reader.callRepairs({ ...range, limit: MAX_ROWS }).catch(() => []);
  return rows.filter(({ status, reason }) => status === "failed" && reason === "observe").length;
}

/** Empty if there are none. */
export function repairableText(count: number): string {
  return count === 0 ? "" : `${pluralize(count, "failed call")} would have worked with repaired arguments.\n`;
}
