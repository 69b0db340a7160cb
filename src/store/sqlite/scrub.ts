import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { Database } from "./database.ts";

const SQLITE_BUSY = 5;
/** The temporary copy, and the log through which it comes back. */
const COPIES = 2;
/** Left to the journal and to everything else on the disk. */
const SPARE_BYTES = 64 << 20;

/**
 * Rewrites the database, so that nothing is left in its file of deleted and replaced rows. `secure_delete` alone does not do that: where
 * SQLite moves rows between pages, the bytes they leave behind stay in the unused part of a page (docs/decisions/0004-what-is-kept.md).
 *
 * @param freeBytes how much room the disk has
 */
export function rewriteDatabase(db: Database, path: string, freeBytes: number = freeBytesAt(dirname(path))): void {
  const pages = db.get("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size");
  const needed = COPIES * Number(pages?.bytes) + SPARE_BYTES;
  if (freeBytes < needed) throw new DiskTooFullError(needed, freeBytes);
  // The temporary copy goes beside the database: another disk may be smaller, and less protected.
  db.exec(`PRAGMA temp_store_directory = '${dirname(path).replaceAll("'", "''")}'`);
  try {
    db.exec("VACUUM");
  } finally {
    db.exec("PRAGMA temp_store_directory = ''");
  }
}

/** Empties the write-ahead log, which has pages as they were before. Fails as busy while another process reads an older state. */
export function emptyLog(db: Database): void {
  const log = db.get("PRAGMA wal_checkpoint(TRUNCATE)");
  if (Number(log?.busy) !== 0)
    throw Object.assign(new Error("another process reads the database; its log could not be emptied"), {
      errcode: SQLITE_BUSY,
    });
}

function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Rewriting would fill the disk, and then nothing could be recorded any more. */
class DiskTooFullError extends Error {
  readonly code = "disk-too-full";
  constructor(needed: number, free: number) {
    const mb = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;
    super(`rewriting the database needs ${mb(needed)} of free disk space, and there are ${mb(free)}`);
    this.name = "DiskTooFullError";
  }
}
