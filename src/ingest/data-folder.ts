import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "../core/model/errors.ts";
import { isObject } from "../core/model/narrow.ts";
import { replaceOwnFile } from "./own-file.ts";

/** Paths of all files in a data folder. */
export interface DataFolder {
  readonly path: string;
  readonly database: string;
  readonly journal: string;
  readonly rejected: string;
  readonly events: string;
  readonly lock: string;
  readonly server: string;
  readonly salt: string;
  /** The key of repaired calls that are stored encrypted. */
  readonly stateKey: string;
  /** Overrides set while the server runs. */
  readonly settings: string;
  /** Import checkpoints of transcripts. */
  readonly imports: string;
  /** Hook events written as files. */
  readonly spool: string;
  /** Transcripts mentioned by hooks. */
  readonly transcripts: string;
  /** What MCP servers declare, one file each. */
  readonly mcpServers: string;
}

export function defaultDataPath(): string {
  return join(homedir(), ".toolmend");
}

export function dataFolder(path: string): DataFolder {
  const root = resolve(path);
  return {
    path: root,
    database: join(root, "toolmend.db"),
    journal: join(root, "journal"),
    rejected: join(root, "journal", "rejected.jsonl"),
    events: join(root, "events"),
    lock: join(root, "writer.lock"),
    server: join(root, "server.json"),
    salt: join(root, "salt"),
    stateKey: join(root, "state.key"),
    settings: join(root, "settings.json"),
    imports: join(root, "imports.json"),
    spool: join(root, "spool"),
    transcripts: join(root, "transcripts.json"),
    mcpServers: join(root, "mcp-servers"),
  };
}

/** Creates the folders with mode 0700. */
export function prepareDataFolder(folder: DataFolder): void {
  for (const path of [folder.path, folder.journal, folder.events]) createFolder(path);
}

/** Whether a server, an import or a hook has recorded anything there. Fails if the folder cannot be read. */
export function hasRecords({ path, database, journal, events, spool }: DataFolder): boolean {
  return hasEntries(path) && (existsSync(database) || [journal, events, spool].some((one) => hasEntries(one, true)));
}

function hasEntries(path: string, onlyFiles = false): boolean {
  try {
    const entries = readdirSync(path, { recursive: onlyFiles, withFileTypes: true });
    return entries.some((entry) => !onlyFiles || entry.isFile());
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

/**
 * Creates a folder and its parents. Node's `recursive` option loops forever if an existing parent reports ENOENT for
 * new folders, as /proc does.
 */
function createFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(path);
  if (!existsSync(parent)) createFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (codeOf(error) !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}

/** The salt of all stored hashes: they can be compared for equality, but not looked up. */
export function readOrCreateSalt(folder: DataFolder): string {
  const known = readSalt(folder);
  if (known !== "") return known;
  const salt = randomBytes(32).toString("hex");
  replaceOwnFile(folder.salt, `${salt}\n`);
  return salt;
}

export function hasSalt(folder: DataFolder): boolean {
  return readSalt(folder) !== "";
}

/** Empty if there is none. A full disk may have left an empty file: hashes without a salt could be looked up. */
function readSalt({ salt }: DataFolder): string {
  return existsSync(salt) ? readFileSync(salt, "utf8").trim() : "";
}

/** Adopts the salt of a shared store, or removes the local one. */
export function replaceSalt(folder: DataFolder, salt: string | undefined): void {
  if (salt === undefined) rmSync(folder.salt, { force: true });
  else if (readOrCreateSalt(folder) !== salt) replaceOwnFile(folder.salt, `${salt}\n`);
}

/** The running server of a data folder, used by commands that write through it. */
export interface ServerInfo {
  readonly pid: number;
  readonly url: string;
  /** The server's capture mode. Importers need not send more text than it stores. */
  readonly capture?: string;
}

export function writeServerInfo(folder: DataFolder, info: ServerInfo): void {
  replaceOwnFile(folder.server, `${JSON.stringify(info)}\n`);
}

export function removeServerInfo(folder: DataFolder): void {
  rmSync(folder.server, { force: true });
}

export function readServerInfo(folder: DataFolder): ServerInfo | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(folder.server, "utf8"));
    if (!isObject(value)) return undefined;
    const { pid, url, capture } = value;
    if (typeof pid !== "number" || typeof url !== "string") return undefined;
    return { pid, url, ...(typeof capture === "string" && { capture }) };
  } catch {
    return undefined;
  }
}
