import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolder } from "../ingest/data-folder.ts";
import { takeWriterLock } from "../store/sqlite/writer-lock.ts";
import { demoDataPath } from "./open-reader.ts";

/** Marks a folder whose content a demo generated. Nothing else is ever removed. */
const MARKER = "generated-by-toolmend-demo";

/**
 * Empties the folder of an earlier demo, so that every demo shows the same picture. The default folder of demos has
 * no other content. Leaves any other folder, and that of a demo that is still running, as it is.
 */
export function clearDemoFolder(path: string): void {
  const folder = dataFolder(path);
  if (existsSync(join(path, MARKER)) || (path === demoDataPath() && existsSync(folder.database))) {
    const lock = takeWriterLock(folder.lock);
    if (lock === undefined) return;
    lock.release();
    for (const name of readdirSync(path)) if (name !== MARKER) rmSync(join(path, name), { recursive: true });
    return;
  }
  if (existsSync(path) && readdirSync(path).length > 0) return;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(path, MARKER), "Removed with everything beside it when the next demo starts.\n", { mode: 0o600 });
}
