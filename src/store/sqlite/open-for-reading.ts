import { statSync } from "node:fs";
import { Database } from "./database.ts";
import { refuseNewer } from "./migrate.ts";

/** Opens a database read-only, even in a folder that is not writable. Rejects a database of a newer Toolmend. */
export function openForReading(path: string): Database {
  const db = openReadable(path);
  try {
    refuseNewer(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function openReadable(path: string): Database {
  let db: Database | undefined;
  try {
    db = new Database(path, { readOnly: true });
    // Opening is lazy: the first query reads the file.
    db.get("SELECT 1 FROM sqlite_schema LIMIT 1");
    return db;
  } catch (error) {
    db?.close();
    if (!isReadOnlyLocation(error)) throw error;
    if (hasLog(path)) throw new UnreadableStoreError(path);
    return new Database(path, { readOnly: true, unchanging: true });
  }
}

/**
 * SQLite's codes for a file or folder that is not writable: even readers of a write-ahead log create files beside it.
 */
function isReadOnlyLocation(error: unknown): boolean {
  const code = ((error as { readonly errcode?: number }).errcode ?? 0) & 0xff;
  return code === 8 || code === 14;
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** The database has a write-ahead log and its folder is not writable, so that the log cannot be read. */
export class UnreadableStoreError extends Error {
  readonly code = "unreadable-store";
  constructor(path: string) {
    super(
      `${path} was not closed properly and its folder is not writable, so its last changes (${path}-wal) cannot be read. ` +
        "Copy the folder to a writable location and read the copy with --data, or run this as the owner of the folder.",
    );
    this.name = "UnreadableStoreError";
  }
}
