import { statSync } from "node:fs";
import { Database } from "./database.ts";
import { refuseNewer } from "./migrate.ts";

/** Opens a database for questions only, also where nothing may be written beside it. Refuses one that a newer Toolmend has written. */
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
    // Only now the file is looked at.
    db.get("SELECT 1 FROM sqlite_schema LIMIT 1");
    return db;
  } catch (error) {
    db?.close();
    if (!isReadOnlyLocation(error)) throw error;
    if (hasLog(path)) throw new UnreadableStoreError(path);
    return new Database(path, { readOnly: true, unchanging: true });
  }
}

/** Even who only reads a database with a write-ahead log writes beside it. SQLite's codes for a file or folder that does not let it. */
function isReadOnlyLocation(error: unknown): boolean {
  const code = ((error as { readonly errcode?: number }).errcode ?? 0) & 0xff;
  return code === 8 || code === 14;
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** A database that was not closed, where nothing may be written: what it holds cannot be put together. */
export class UnreadableStoreError extends Error {
  readonly code = "unreadable-store";
  constructor(path: string) {
    super(
      `${path} was not closed properly and nothing may be written beside it, so its last changes (${path}-wal) cannot be read. ` +
        "Copy the folder to where you may write and read the copy with --data, or run this as the folder's owner.",
    );
    this.name = "UnreadableStoreError";
  }
}
