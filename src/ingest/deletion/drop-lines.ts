import { constants } from "node:fs";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The name under which a file is written anew, until it is whole. */
const DRAFT = ".rewrite";
const NEWLINE = 10;
const READ_BYTES = 256 << 10;
const WRITE_BYTES = 1 << 20;

/** Whether a line is to go; it is given without its newline. */
export type IsUnwanted = (line: string) => boolean;

/** How far a file was gone through. */
export interface Pass {
  /** In bytes: behind the last whole line. */
  readonly end: number;
  readonly dropped: number;
}

/**
 * Writes a file anew without unwanted lines; returns how many there were. There is always a whole file under its name, the old one or the new
 * one, also after a crash. A file without unwanted lines stays as it is, and a missing one is no error.
 */
export async function dropLines(path: string, isUnwanted: IsUnwanted): Promise<number> {
  const drafted = await draftWithout(path, isUnwanted);
  if (drafted === undefined) return 0;
  return await replaceByDraft(path, drafted, isUnwanted);
}

/** Writes the wanted lines to a draft beside the file; undefined, and no draft, where all are wanted. Somebody may go on appending meanwhile. */
export async function draftWithout(path: string, isUnwanted: IsUnwanted): Promise<Pass | undefined> {
  const found = await goThrough(path, 0, isUnwanted, async () => undefined);
  if (found.dropped === 0) return undefined;
  const draft = await open(path + DRAFT, "w", 0o600);
  try {
    return await goThrough(path, 0, isUnwanted, (bytes) => writeAll(draft, bytes));
  } finally {
    await draft.close();
  }
}

/** Adds what was appended since, and puts the draft in the file's place. Nobody may append meanwhile. Returns how many lines went in all. */
export async function replaceByDraft(path: string, drafted: Pass, isUnwanted: IsUnwanted): Promise<number> {
  const draft = await open(path + DRAFT, "a");
  let rest: Pass;
  try {
    rest = await goThrough(path, drafted.end, isUnwanted, (bytes) => writeAll(draft, bytes));
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(path + DRAFT, path);
  await syncFolder(dirname(path));
  return drafted.dropped + rest.dropped;
}

/** Removes drafts that a crash left behind: they have lines of sessions that may have been deleted since. */
export async function removeDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (name.endsWith(DRAFT)) await rm(join(folder, name), { force: true });
}

/** Hands on the wanted lines, a few at a time: memory does not grow with the file. */
async function goThrough(
  path: string,
  start: number,
  isUnwanted: IsUnwanted,
  onWanted: (bytes: Buffer) => Promise<void>,
): Promise<Pass> {
  let [end, dropped, size] = [start, 0, 0];
  /** Parts of a line whose end was not read yet. */
  let open: Buffer[] = [];
  let wanted: Buffer[] = [];
  const flush = async (): Promise<void> => {
    if (size > 0) await onWanted(Buffer.concat(wanted));
    wanted = [];
    size = 0;
  };
  for await (const chunk of chunksOf(path, start)) {
    if (!chunk.includes(NEWLINE)) {
      open.push(chunk);
      continue;
    }
    const bytes = open.length === 0 ? chunk : Buffer.concat([...open, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      const line = bytes.subarray(from, at + 1);
      from = at + 1;
      if (isUnwanted(line.toString("utf8", 0, line.length - 1))) dropped += 1;
      else {
        wanted.push(line);
        size += line.length;
      }
    }
    end += from;
    open = from === bytes.length ? [] : [bytes.subarray(from)];
    if (size > WRITE_BYTES) await flush();
  }
  await flush();
  return { end, dropped };
}

/** Only of a plain file: no link out of the folder, and no pipe to wait at. */
async function* chunksOf(path: string, start: number): AsyncGenerator<Buffer> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return;
  try {
    if (!(await file.stat()).isFile()) return;
    for (let at = start; ; ) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  await file.appendFile(bytes);
}

/** So that the new name survives a power cut. Not every system can open a folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
