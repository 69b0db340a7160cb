import { Database } from "./database.ts";

/** SQLite's codes for a damaged file, and for one that is not a database. */
const BROKEN = new Set<unknown>([11, 26]);

export function isBrokenFile(error: unknown): boolean {
  return BROKEN.has((error as { readonly errcode?: unknown } | undefined)?.errcode);
}

/** Reads the file again: one failed read may be an accident. */
export function isStillBroken(path: string): boolean {
  let database: Database | undefined;
  try {
    database = new Database(path, { readOnly: true });
    database.get("SELECT count(*) FROM sqlite_schema");
    return false;
  } catch (error) {
    return isBrokenFile(error);
  } finally {
    database?.close();
  }
}
