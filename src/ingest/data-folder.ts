import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** Where everything of one Toolmend lives. */
export interface DataFolder {
  readonly path: string;
  readonly database: string;
  readonly journal: string;
  readonly rejected: string;
  readonly events: string;
  readonly lock: string;
  readonly server: string;
  readonly salt: string;
  /** What was chosen while the server ran. */
  readonly settings: string;
  /** How far transcripts were read. */
  readonly imports: string;
  /** Events that hooks wrote down while no server listened. */
  readonly spool: string;
  /** Which transcripts hooks spoke of. */
  readonly transcripts: string;
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
    settings: join(root, "settings.json"),
    imports: join(root, "imports.json"),
    spool: join(root, "spool"),
    transcripts: join(root, "transcripts.json"),
  };
}

/** Makes the folders, readable for the owner alone. */
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
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** With the folders above it. Node's own `recursive` tries for ever where a folder that exists takes no new ones and says that it does not exist, as /proc does. */
function createFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const above = dirname(path);
  if (!existsSync(above)) createFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}

/** The random value under every stored hash: equal things can be compared, not looked up. */
export function readOrCreateSalt(folder: DataFolder): string {
  if (!existsSync(folder.salt)) writeFileSync(folder.salt, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  return readFileSync(folder.salt, "utf8").trim();
}

export function hasSalt(folder: DataFolder): boolean {
  return existsSync(folder.salt);
}

/** Takes over the value that others use, or none at all. */
export function replaceSalt(folder: DataFolder, salt: string | undefined): void {
  if (salt === undefined) rmSync(folder.salt, { force: true });
  else if (readOrCreateSalt(folder) !== salt) writeFileSync(folder.salt, `${salt}\n`, { mode: 0o600 });
}

/** The running server of a data folder, for commands that want to hand something over. */
export interface ServerInfo {
  readonly pid: number;
  readonly url: string;
  /** How much text it keeps: who hands over observations need not make more. */
  readonly capture?: string;
}

export function writeServerInfo(folder: DataFolder, info: ServerInfo): void {
  writeFileSync(folder.server, `${JSON.stringify(info)}\n`, { mode: 0o600 });
}

export function removeServerInfo(folder: DataFolder): void {
  rmSync(folder.server, { force: true });
}

export function readServerInfo(folder: DataFolder): ServerInfo | undefined {
  try {
    const value = JSON.parse(readFileSync(folder.server, "utf8")) as Partial<ServerInfo>;
    return typeof value.pid === "number" && typeof value.url === "string" ? (value as ServerInfo) : undefined;
  } catch {
    return undefined;
  }
}
