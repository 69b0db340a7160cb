import { lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, normalize, sep } from "node:path";

/** Returns the agents' transcript folders and those named in the configuration. */
export function transcriptRoots(environment: NodeJS.ProcessEnv, named: readonly string[]): readonly string[] {
  const home = homedir();
  const moved = [environment.CLAUDE_CONFIG_DIR, environment.CODEX_HOME, environment.COPILOT_HOME].filter(
    (path) => path !== undefined,
  );
  const folders = [".claude", ".codex", ".gemini", ".qwen", ".copilot"].map((name) => join(home, name));
  return [...folders, ...moved, ...named].filter(isAbsolute);
}

/**
 * Resolves a path from a payload to a regular `.jsonl` file inside one of the folders, or undefined. Any client that
 * can post an event could name an arbitrary file, also through a link. Synchronous, because these calls take less time
 * than a switch to the thread pool.
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
 * Whether a path may be stored before its file exists. Sessions report their transcript before they write it. All other
 * paths are rejected, because the field can contain anything.
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

/** Returns undefined if the path does not exist or is not accessible. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
