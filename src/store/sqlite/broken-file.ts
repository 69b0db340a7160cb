import { Database } from "./database.ts";
import { isBrokenFile } from "./set-aside.ts";

/** Reads the file once more over another connection: one failed read may be an accident. Stops at the first fault. */
export function isStillBroken(path: string): boolean {
  let database: Database | undefined;
  try {
    database = new Database(path, { readOnly: true });
    return database.get("PRAGMA quick_check(1)")?.quick_check !== "ok";
  } catch (error) {
    return isBrokenFile(error);
  } finally {
    database?.close();
  }
}
