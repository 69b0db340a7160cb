import type { Database } from "./database.ts";

/** The number of the newest event, even if it was deleted. */
export function lastEvent(db: Database): number {
  return Number(db.get("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")?.seq ?? 0);
}
