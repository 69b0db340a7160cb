import { existsSync } from "node:fs";
import { dataFolder, defaultDataPath } from "../ingest/data-folder.ts";
import type { StoreReader } from "../store/port.ts";
import { openSqliteReader } from "../store/sqlite/sqlite-store.ts";
import type { Io } from "./io.ts";
import { StartError } from "./start-error.ts";

/** The demo keeps its made-up data apart. */
export function demoDataPath(): string {
  return `${defaultDataPath()}-demo`;
}

/** Opens what was recorded, for questions. With nothing of one's own yet, the demo's data is better than an error. */
export function openReader(data: string, io: Io): StoreReader {
  const folder = dataFolder(data);
  if (existsSync(folder.database)) return openSqliteReader(folder.database);
  const demo = dataFolder(demoDataPath());
  if (data === defaultDataPath() && existsSync(demo.database)) {
    io.err(`Nothing recorded in ${folder.path} yet; this is the demo's data (${demo.path}).\n`);
    return openSqliteReader(demo.database);
  }
  throw new StartError(
    `Nothing recorded in ${folder.path} yet. Start with \`toolmend start\`, or look at \`toolmend demo\`.`,
  );
}
