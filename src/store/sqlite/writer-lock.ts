import { lstatSync, rmSync, truncateSync } from "node:fs";

import { Database, isBusy } from "./database.ts";
import { isBrokenFile } from "./set-aside.ts";

/** Held while the process runs. The operating system releases it, even after SIGKILL. */
export interface WriterLock {
  release(): void;
}

/**
 * Acquires the write lock of a data folder; undefined if another process holds it. The file has no content of its own:
 * a damaged one must not prevent a start, nor a symbolic link lead to another file.
 */
export function takeWriterLock(path: string): WriterLock | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(path);
  try {
    return lock(path);
  } catch (error) {
    if (!isBrokenFile(error)) throw error;
    // Not removed: a process that starts at the same time would then lock another file.
    truncateSync(path);
    return lock(path);
  }
}

function lock(path: string): WriterLock | undefined {
  let db: Database | undefined;
  try {
    // A journal on disk would need space, and a server must start on a full disk, too.
    db = new Database(path, { busyMs: 0, journalMode: "memory" });
    db.exec("BEGIN EXCLUSIVE");
    const held = db;
    return { release: () => held.close() };
  } catch (error) {
    db?.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
