import { statSync } from "node:fs";
import type { Store } from "../port.ts";
import { WriteCaches } from "../sql/apply.ts";
import { SQLITE } from "../sql/dialect.ts";
import { OpenCalls } from "../sql/open-calls.ts";
import { SqlReader } from "../sql/sql-reader.ts";
import { SqlStore } from "../sql/sql-store.ts";
import type { Work } from "../sql/work.ts";
import { Database } from "./database.ts";
import { migrate, refuseNewer } from "./migrate.ts";
import { emptyLog, rewriteDatabase } from "./scrub.ts";

/**
 * Opens the store for writing and migrates its schema. Several processes may do so at the same time; once it is open, a
 * write waits `busyMs` for the others.
 */
export function openSqliteStore(path: string, busyMs = 5000): Store {
  return createSqliteStore(new Database(path), path, busyMs);
}

/** Like {@link openSqliteStore}, for an open connection. */
export function createSqliteStore(db: Database, path: string, busyMs = 5000): Store {
  migrate(db);
  db.exec(`PRAGMA busy_timeout = ${busyMs}`);
  return new SqliteStore(db, path);
}

/** Opens the store read-only, also while other processes write. */
export function openSqliteReader(path: string): SqliteReader {
  return new SqliteReader(openForReading(path));
}

/** All queries, over one connection. */
export class SqliteReader extends SqlReader<Database> {
  constructor(db: Database) {
    super(db, SQLITE);
  }

  protected async run<T>(work: Work<T>): Promise<T> {
    return this.db.perform(work);
  }

  async close(): Promise<void> {
    this.db.close();
  }
}

class SqliteStore extends SqlStore<Database> {
  readonly #path: string;
  readonly #caches: WriteCaches;
  /** Changes when another connection has written. */
  #dataVersion: number | undefined;
  /** The deletions before the last rewrite of the database. A retry that only has to truncate the log skips the rewrite. */
  #rewritten: number | undefined;

  constructor(db: Database, path: string) {
    const caches = new WriteCaches(new OpenCalls());
    super(db, SQLITE, caches);
    this.#path = path;
    this.#caches = caches;
  }

  protected async run<T>(work: Work<T>): Promise<T> {
    return this.db.perform(work);
  }

  protected async transaction<T>(work: () => Work<T>): Promise<T> {
    return this.db.transaction(() => {
      const version = Number(this.db.get("PRAGMA data_version")?.data_version);
      if (version !== this.#dataVersion) this.#caches.clear();
      this.#dataVersion = version;
      return this.db.perform(work());
    });
  }

  async scrub(): Promise<void> {
    const { deletions } = this.#caches;
    if (this.#rewritten !== deletions) rewriteDatabase(this.db, this.#path);
    this.#rewritten = deletions;
    emptyLog(this.db);
    this.#rewritten = undefined;
  }

  async close(): Promise<void> {
    this.db.close();
  }
}

/** Opens a database read-only, even in a folder that is not writable. Rejects a database of a newer Toolmend. */
function openForReading(path: string): Database {
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
    if (hasLog(path)) throw new UnreadableStoreError(path, error);
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
class UnreadableStoreError extends Error {
  readonly code = "unreadable-store";
  constructor(path: string, cause: unknown) {
    super(
      `${path} was not closed properly and its folder is not writable, so its last changes (${path}-wal) cannot be read. ` +
        "Copy the folder to a writable location and read the copy with --data, or run this as the owner of the folder.",
      { cause },
    );
    this.name = "UnreadableStoreError";
  }
}
