import { lstat, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, sep } from "node:path";

/** Folders in which agents keep their transcripts, and those that were named in the configuration. */
export function transcriptRoots(environment: NodeJS.ProcessEnv, named: readonly string[]): readonly string[] {
  const home = homedir();
  const moved = [environment.CLAUDE_CONFIG_DIR, environment.CODEX_HOME].filter((path) => path !== undefined);
  return [join(home, ".claude"), join(home, ".codex"), ...moved, ...named].filter(isAbsolute);
}

/**
 * The file behind a path that a payload named, if it may be read: a regular `.jsonl` file that really lies in one of the folders. Whoever
 * can post an event could name any file of this machine; a link out of the folder is one, too.
 */
export async function allowedTranscript(path: string, roots: readonly string[]): Promise<string | undefined> {
  if (path.length > 4096 || path.includes("\0") || !isAbsolute(path) || !path.endsWith(".jsonl")) return undefined;
  try {
    const real = await realpath(path);
    if (!real.endsWith(".jsonl") || !(await lstat(real)).isFile()) return undefined;
    for (const root of roots) {
      const folder = await realpath(root).catch(() => undefined);
      if (folder !== undefined && real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return real;
    }
  } catch {
    // Not there, or not ours to read.
  }
  return undefined;
}
