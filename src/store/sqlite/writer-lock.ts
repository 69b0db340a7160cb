import { Database, isBusy } from "./database.ts";

/** Held while the process runs. The operating system releases it, even after SIGKILL. */
export interface WriterLock {
  release(): void;
}

/** Acquires the write lock of a data folder; undefined if another process holds it. */
export function takeWriterLock(path: string): WriterLock | undefined {
  let db: Database | undefined;
  try {
    // A journal on disk would need space, and a server must start on a full disk, too.
    db = new Database(path, { busyMs: 0, journalMode: "memory" });
    db.exec("BEGIN EXCLUSIVE");
    const lock = db;
    return { release: () => lock.close() };
  } catch (error) {
    db?.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
