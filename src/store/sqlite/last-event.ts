import type { Database } from "./database.ts";

/** The number of the newest event, also when it is no longer kept. */
export function lastEvent(db: Database): number {
  return Number(db.get("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")?.seq ?? 0);
}
