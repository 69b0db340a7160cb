import { Database } from "./database.ts";

/** Held for the life of a process; the operating system gives it back, also after SIGKILL. */
export interface WriterLock {
  release(): void;
}

/** Takes the right to write a data folder; undefined when another process has it. */
export function takeWriterLock(path: string): WriterLock | undefined {
  let db: Database | undefined;
  try {
    db = new Database(path, { busyMs: 0, journalMode: "delete" });
    db.exec("BEGIN EXCLUSIVE");
    const held = db;
    return { release: () => held.close() };
  } catch (error) {
    db?.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  const { errcode, message } = error as { errcode?: number; message?: string };
  return errcode === 5 || errcode === 261 || /database is locked/.test(message ?? "");
}
