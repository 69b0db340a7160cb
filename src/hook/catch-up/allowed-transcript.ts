import { lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, normalize, sep } from "node:path";

/** Folders in which agents keep their transcripts, and those that were named in the configuration. */
export function transcriptRoots(environment: NodeJS.ProcessEnv, named: readonly string[]): readonly string[] {
  const home = homedir();
  const moved = [environment.CLAUDE_CONFIG_DIR, environment.CODEX_HOME].filter((path) => path !== undefined);
  return [join(home, ".claude"), join(home, ".codex"), ...moved, ...named].filter(isAbsolute);
}

/**
 * The file behind a path that a payload named, if it may be read: a regular `.jsonl` file that really lies in one of the folders. Whoever
 * can post an event could name any file of this machine; a link out of the folder is one, too. Not asynchronous: a look at a folder is
 * done sooner than handed to another thread.
 */
export function allowedTranscript(path: string, roots: readonly string[]): string | undefined {
  if (path.length > 4096 || path.includes("\0") || !isAbsolute(path) || !path.endsWith(".jsonl")) return undefined;
  const real = realPath(path);
  if (real === undefined || !real.endsWith(".jsonl") || !isFile(real)) return undefined;
  const isInside = roots.some((root) => {
    const folder = realPath(root);
    return folder !== undefined && real.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  });
  return isInside ? real : undefined;
}

/**
 * May a path be remembered before anything lies there? Sessions speak of their transcript before they write it; whatever else stands in the
 * place of a path is not kept.
 */
export function couldBeTranscript(path: string, roots: readonly string[]): boolean {
  if (path.length > 4096 || path.includes("\0") || !path.endsWith(".jsonl") || normalize(path) !== path) return false;
  return roots.some((root) => path.startsWith(root.endsWith(sep) ? root : root + sep));
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** Undefined where nothing is, or nothing that we may see. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
