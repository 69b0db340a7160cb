import type { Dirent } from "node:fs";
import { opendir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { messageOf } from "../../core/model/errors.ts";

/** A file that may be a transcript. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

export interface FoundTranscripts {
  readonly files: readonly FoundFile[];
  /** Paths that could not be read, with the reason. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Names of transcripts in a folder: files of lines, the documents of Cline and Continue, and the database of opencode.
 * A file given directly may have any name.
 */
const NAME =
  /\.jsonl(?:\.gz|\.zst)?$|\.messages\.json$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$|^opencode\.db$/i;

export function isTranscriptName(name: string): boolean {
  return NAME.test(name);
}

/** A folder in which a client keeps its transcripts. */
export interface AgentFolder {
  /** As in `toolmend env`. */
  readonly client: string;
  readonly path: string;
}

/** Returns the transcript folders of all clients that keep any. */
export function clientFolders(environment: NodeJS.ProcessEnv): readonly AgentFolder[] {
  const home = environment.HOME || homedir();
  const inHome = (...parts: readonly string[]): string => join(home, ...parts);
  const claude = environment.CLAUDE_CONFIG_DIR || inHome(".claude");
  const codex = environment.CODEX_HOME || inHome(".codex");
  const data = environment.XDG_DATA_HOME || inHome(".local", "share");
  return [
    { client: "claude-code", path: join(claude, "projects") },
    { client: "codex", path: join(codex, "sessions") },
    { client: "codex", path: join(codex, "archived_sessions") },
    { client: "opencode", path: join(data, "opencode") },
    { client: "qwen-code", path: inHome(".qwen", "projects") },
    { client: "gemini-cli", path: inHome(".gemini", "tmp") },
    { client: "pi", path: join(environment.PI_CODING_AGENT_DIR || inHome(".pi", "agent"), "sessions") },
    { client: "copilot", path: inHome(".copilot", "session-state") },
    { client: "continue", path: inHome(".continue", "sessions") },
    { client: "cline", path: inHome(".cline", "data", "sessions") },
  ];
}

export function agentFolders(environment: NodeJS.ProcessEnv): readonly string[] {
  return clientFolders(environment).map(({ path }) => path);
}

/**
 * Finds every transcript under these paths once, sorted by name. Does not follow links to folders, which may form
 * cycles.
 */
export async function findTranscripts(paths: readonly string[]): Promise<FoundTranscripts> {
  const files = new Map<string, FoundFile>();
  const problems: { path: string; message: string }[] = [];
  const attempt = async (path: string, work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) => problems.push({ path, message: messageOf(error) }));
  };
  const add = async (path: string): Promise<boolean> => {
    const stats = await stat(path);
    if (stats.isFile())
      files.set(path, await withLog({ path, size: stats.size, mtimeMs: stats.mtimeMs, ino: stats.ino }));
    return stats.isDirectory();
  };
  const walk = async (folder: string): Promise<void> => {
    const entries: Dirent[] = [];
    for await (const entry of await opendir(folder)) entries.push(entry);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await attempt(path, () => walk(path));
      else if (isTranscriptName(entry.name)) await attempt(path, async () => void (await add(path)));
    }
  };
  for (const given of paths) {
    const path = resolve(given);
    await attempt(path, async () => {
      if (await add(path)) await walk(path);
    });
  }
  return { files: [...files.values()], problems };
}

/** The newest rows of a database are in its log for a long time, while the file itself stays as it is. */
async function withLog(file: FoundFile): Promise<FoundFile> {
  if (!/\.db$/i.test(file.path)) return file;
  const log = await stat(`${file.path}-wal`).catch(() => undefined);
  if (log === undefined) return file;
  return { ...file, size: file.size + log.size, mtimeMs: Math.max(file.mtimeMs, log.mtimeMs) };
}
