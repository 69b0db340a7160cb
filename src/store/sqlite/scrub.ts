import { dirname } from "node:path";
import type { Database } from "./database.ts";

const SQLITE_BUSY = 5;

/**
 * Rewrites the database file, so that nothing is left in it of deleted and replaced rows. `secure_delete` alone does not do that: where
 * SQLite moves rows between pages, the bytes they leave behind stay in the unused part of a page (docs/decisions/0004-what-is-kept.md).
 * Then it empties the write-ahead log, which has the old pages.
 */
export function scrub(db: Database, path: string): void {
  // The temporary copy goes beside the database: another disk may be smaller, and less protected.
  db.exec(`PRAGMA temp_store_directory = '${dirname(path).replaceAll("'", "''")}'`);
  try {
    db.exec("VACUUM");
  } finally {
    db.exec("PRAGMA temp_store_directory = ''");
  }
  const [log] = db.all("PRAGMA wal_checkpoint(TRUNCATE)");
  if (Number(log?.busy) !== 0)
    throw Object.assign(new Error("another process reads the database; its log could not be emptied"), {
      errcode: SQLITE_BUSY,
    });
}
