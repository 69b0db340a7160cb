import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { BusyError, type Database } from "./database.ts";

/** The temporary copy, and the write-ahead log that receives it. */
const COPIES = 2;
/** Reserved for the journal and other files on the disk. */
const SPARE_BYTES = 64 << 20;

/**
 * Rewrites the database file without remains of deleted and replaced rows. `secure_delete` alone is not enough: when
 * SQLite moves rows between pages, old bytes stay in the unused part of a page (docs/decisions/0004-what-is-kept.md).
 *
 * @param freeBytes free space on the disk
 */
export function rewriteDatabase(db: Database, path: string, freeBytes: number = freeBytesAt(dirname(path))): void {
  const pages = db.get("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size");
  const needed = COPIES * Number(pages?.bytes) + SPARE_BYTES;
  if (freeBytes < needed) throw new DiskTooFullError(needed, freeBytes);
  // SQLite would put the temporary copy on the system's disk, which may be smaller and less protected.
  db.exec(`PRAGMA temp_store_directory = '${dirname(path).replaceAll("'", "''")}'`);
  try {
    db.exec("VACUUM");
  } finally {
    db.exec("PRAGMA temp_store_directory = ''");
  }
}

/**
 * Truncates the write-ahead log, which contains old pages. Fails as busy while another process reads an older snapshot.
 */
export function emptyLog(db: Database): void {
  const log = db.get("PRAGMA wal_checkpoint(TRUNCATE)");
  if (Number(log?.busy) !== 0)
    throw new BusyError("another process is reading the database, so its log cannot be truncated");
}

function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Prevents a rewrite that would fill the disk and stop recording. */
class DiskTooFullError extends Error {
  readonly code = "disk-too-full";
  constructor(needed: number, free: number) {
    const mb = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;
    super(`rewriting the database needs ${mb(needed)} of free disk space; ${mb(free)} are available`);
    this.name = "DiskTooFullError";
  }
}
