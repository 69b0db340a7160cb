import { existsSync, readFileSync, rmSync } from "node:fs";
import { realPath, replaceFile } from "../../hook/install/settings-file.ts";
import { SettingsError } from "../../hook/install/settings-text.ts";
import { type ClientFile, OWN_SERVER, OWN_SERVER_LIST } from "./client-files.ts";
import { addJsonServer, jsonServers, removeJsonServer } from "./json-servers.ts";
import {
  applyEdits,
  isOwnServer,
  isWrapped,
  type ServerEntry,
  unwrapEdits,
  type Wrapper,
  wrapEdits,
} from "./server-entry.ts";
import { tomlServers } from "./toml-servers.ts";
import { invalidTomlLine } from "./toml-syntax.ts";

/** One server of a configuration file. */
export interface ServerState {
  readonly name: string;
  readonly state: "wrapped" | "direct" | "skipped";
  /** Why it cannot be wrapped. */
  readonly reason?: string;
}

/** The effect on one file. `before` and `after` are equal if nothing changes. */
export interface FileChange {
  readonly file: ClientFile;
  readonly before: string;
  readonly after: string;
  readonly changed: readonly string[];
  /** Servers that Toolmend had added. */
  readonly removed?: readonly string[];
  readonly servers: readonly ServerState[];
}

/** Whether to change a server. */
type Chooses = (name: string) => boolean;

/** Computes the file with the wrapper in front of servers. Undefined if the file does not exist. Writes nothing. */
export function planInstall(file: ClientFile, wrapper: Wrapper, chooses: Chooses): FileChange | undefined {
  return plan(file, chooses, (text, entry) => wrapEdits(text, entry, wrapper));
}

/** Computes the file without the wrapper and without the server that `mcp serve --install` added. */
export function planUninstall(file: ClientFile, chooses: Chooses): FileChange | undefined {
  const change = plan(file, chooses, unwrapEdits);
  if (change === undefined || file.client !== "claude-code" || !chooses(OWN_SERVER)) return change;
  const after = removeJsonServer(change.after, OWN_SERVER_LIST, OWN_SERVER, isOwnServer);
  if (after === change.after) return change;
  return { ...change, after, removed: [OWN_SERVER], servers: entriesOf(file, after).map(stateOf) };
}

/** Computes the file with Toolmend's own server. `before` and `after` are equal if it has a server of that name. */
export function planOwnServer(file: ClientFile, entry: object): FileChange {
  const before = existsSync(file.path) ? readFileSync(file.path, "utf8") : "";
  const after = addJsonServer(before, OWN_SERVER_LIST, OWN_SERVER, entry);
  if (after === undefined) throw new SettingsError("it is not valid JSON");
  return { file, before, after, changed: after === before ? [] : [OWN_SERVER], servers: [] };
}

/** The servers of a file; undefined if it does not exist. */
export function serversIn(file: ClientFile): readonly ServerState[] | undefined {
  return plan(
    file,
    () => false,
    () => [],
  )?.servers;
}

function plan(
  file: ClientFile,
  chooses: Chooses,
  editsOf: (text: string, entry: ServerEntry) => ReturnType<typeof unwrapEdits>,
): FileChange | undefined {
  if (!existsSync(file.path)) return undefined;
  const before = readFileSync(file.path, "utf8");
  const changed: string[] = [];
  const edits = entriesOf(file, before)
    .filter(({ name }) => chooses(name))
    .flatMap((entry) => {
      const own = editsOf(before, entry);
      if (own.length > 0) changed.push(entry.name);
      return own;
    });
  const after = applyEdits(before, edits);
  return { file, before, after, changed, servers: entriesOf(file, after).map(stateOf) };
}

function entriesOf({ format, places }: ClientFile, text: string): readonly ServerEntry[] {
  if (format === "toml") {
    const line = invalidTomlLine(text);
    if (line !== undefined) throw new SettingsError(`it is not valid TOML (line ${line})`);
    return tomlServers(text);
  }
  return places.flatMap((place) => {
    const found = jsonServers(text, place);
    if (found === undefined) throw new SettingsError("it is not valid JSON");
    return found;
  });
}

function stateOf(entry: ServerEntry): ServerState {
  if (entry.kind === "skipped") return { name: entry.name, state: "skipped", reason: entry.reason };
  return { name: entry.name, state: isWrapped(entry) ? "wrapped" : "direct" };
}

/**
 * Writes a planned change. Running clients rewrite some of these files: fails if the file changed since it was read,
 * and if it does not contain the change afterwards.
 */
export function applyChange({ file, before, after }: FileChange): void {
  if (before === after) return;
  const path = realPath(file.path);
  const current = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (current !== before) throw new SettingsError("it was changed meanwhile; run the command again");
  if (after === "") {
    // It was created for Toolmend's own server.
    rmSync(path);
    return;
  }
  replaceFile(path, after, path);
  if (readFileSync(path, "utf8") !== after)
    throw new SettingsError("another program rewrote it at the same time; close the client and run the command again");
}

/** The changed lines of a file, as in a unified diff without context. */
export function diffLines({ before, after }: FileChange): readonly string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  const lines: string[] = [];
  const kept = new Set(old);
  const next = new Set(now);
  for (const line of old.slice(start)) if (!next.has(line)) lines.push(`-${line}`);
  for (const line of now.slice(start)) if (!kept.has(line)) lines.push(`+${line}`);
  return lines;
}
