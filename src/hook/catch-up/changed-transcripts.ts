import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const DEEPEST = 4;
const MOST_ENTRIES = 50_000;
const MOST_FILES = 500;

/** Transcripts below a folder that were written since a time, newest first; bounded, for a folder may hold years. */
export async function changedTranscripts(folder: string, since: number): Promise<readonly string[]> {
  const found: { readonly path: string; readonly at: number }[] = [];
  let entries = 0;
  const walk = async (path: string, depth: number): Promise<void> => {
    const children = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const child of children) {
      entries += 1;
      if (entries > MOST_ENTRIES) return;
      const inner = join(path, child.name);
      if (child.isDirectory() && depth < DEEPEST) await walk(inner, depth + 1);
      else if (child.isFile() && child.name.endsWith(".jsonl")) {
        const at = (await lstat(inner).catch(() => undefined))?.mtimeMs ?? 0;
        if (at > since) found.push({ path: inner, at });
      }
    }
  };
  await walk(folder, 1);
  return found
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_FILES)
    .map(({ path }) => path);
}
