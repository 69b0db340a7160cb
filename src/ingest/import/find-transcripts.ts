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

/** Names of transcripts in a folder. A file given directly may have any name. */
const NAME = /\.jsonl(?:\.gz|\.zst)?$/i;

export function isTranscriptName(name: string): boolean {
  return NAME.test(name);
}

/** Returns the transcript folders of Claude Code and Codex. */
export function agentFolders(environment: NodeJS.ProcessEnv): readonly string[] {
  const claude = environment.CLAUDE_CONFIG_DIR || join(homedir(), ".claude");
  const codex = environment.CODEX_HOME || join(homedir(), ".codex");
  return [join(claude, "projects"), join(codex, "sessions"), join(codex, "archived_sessions")];
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
    if (stats.isFile()) files.set(path, { path, size: stats.size, mtimeMs: stats.mtimeMs, ino: stats.ino });
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
