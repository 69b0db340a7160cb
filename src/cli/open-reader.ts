import { accessSync, constants, existsSync } from "node:fs";
import { codeOf, messageOf } from "../core/model/errors.ts";
import { dataFolder, defaultDataPath } from "../ingest/data-folder.ts";
import type { StoreReader } from "../store/port.ts";
import { IN_MEMORY } from "../store/sqlite/database.ts";
import { openSqliteReader, openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { commandLine } from "./command-line.ts";
import type { Config } from "./config.ts";
import { CliError } from "./errors.ts";
import type { Io } from "./io.ts";
import { storeName } from "./open-store.ts";

/** The demo uses a separate data folder, so generated data never mixes with real data. */
export function demoDataPath(): string {
  return `${defaultDataPath()}-demo`;
}

/**
 * Opens the store for queries. If nothing is recorded in the default folder yet, opens the demo's data instead of
 * failing. With `allowEmpty`, for output that programs read, a store without records gives empty results: generated
 * records would pass for real ones.
 */
export async function openReader(
  { data, store }: Pick<Config, "data" | "store">,
  io: Io,
  { allowEmpty = false }: { readonly allowEmpty?: boolean } = {},
): Promise<StoreReader> {
  const folder = dataFolder(data);
  if (store !== undefined) return await openShared(store, storeName({ folder, url: store }), allowEmpty);
  if (isReadable(folder.database)) return openFile(folder.database);
  if (allowEmpty) return openSqliteStore(IN_MEMORY);
  const demo = dataFolder(demoDataPath());
  if (data === defaultDataPath() && existsSync(demo.database)) {
    io.err(`Nothing recorded in ${folder.path} yet; showing the demo's data (${demo.path}).\n`);
    return openFile(demo.database);
  }
  throw new CliError(
    `Nothing recorded in ${folder.path} yet. Start with \`${commandLine("start", { data })}\`, or try \`${commandLine("demo")}\`.`,
  );
}

/** Distinguishes a missing database from one that cannot be accessed. */
function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw new CliError(`Cannot read ${file}: ${messageOf(error)}.`, { cause: error });
  }
}

function openFile(database: string): StoreReader {
  try {
    return openSqliteReader(database);
  } catch (error) {
    throw unreadable(error, `the records in ${database}`);
  }
}

function unreadable(error: unknown, what: string): CliError {
  const message = messageOf(error);
  return new CliError(EXPECTED_CODES.has(codeOf(error)) ? message : `Cannot read ${what}: ${message}.`, {
    cause: error,
  });
}

/** Codes of store errors whose message already contains the fix. */
const EXPECTED_CODES: ReadonlySet<string | undefined> = new Set(["newer-schema", "unreadable-store"]);

async function openShared(url: string, name: string, allowEmpty: boolean): Promise<StoreReader> {
  const { openPostgresReader } = await import("../store/postgres/postgres-store.ts");
  const reader = openPostgresReader(url);
  try {
    if (!allowEmpty && (await reader.isEmpty()))
      throw new CliError(`Nothing recorded in ${name} yet. Start with \`${commandLine("start")}\`.`);
    return reader;
  } catch (error) {
    await reader.close();
    if (error instanceof CliError) throw error;
    throw unreadable(error, `the store ${name}`);
  }
}
