import { constants } from "node:fs";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openOwnFile } from "../own-file.ts";

/** Suffix of a file that is being rewritten. */
const DRAFT = ".rewrite";
const NEWLINE = 10;
const READ_BYTES = 256 << 10;
const WRITE_BYTES = 1 << 20;

/** Whether to remove a line, given without its newline. */
export type IsUnwanted = (line: string) => boolean;

/** Result of one pass over a file. */
export interface Pass {
  /** Offset in bytes after the last complete line. */
  readonly end: number;
  readonly dropped: number;
}

/**
 * Rewrites a file without its unwanted lines and returns how many it removed. A crash leaves either the old or the new
 * file under the name, never a part. A file without unwanted lines is not touched; a missing file counts as empty.
 */
export async function dropLines(path: string, isUnwanted: IsUnwanted): Promise<number> {
  const drafted = await draftWithout(path, isUnwanted);
  if (drafted === undefined) return 0;
  return await replaceByDraft(path, drafted, isUnwanted);
}

/**
 * Copies the wanted lines to a draft beside the file, while the writer may append. Returns undefined, without a draft,
 * if all lines are wanted.
 */
export async function draftWithout(path: string, isUnwanted: IsUnwanted): Promise<Pass | undefined> {
  const found = await filterLines(path, 0, isUnwanted, async () => undefined);
  if (found.dropped === 0) return undefined;
  await rm(path + DRAFT, { force: true });
  const draft = await open(path + DRAFT, "wx", 0o600);
  try {
    return await filterLines(path, 0, isUnwanted, (bytes) => writeAll(draft, bytes));
  } finally {
    await draft.close();
  }
}

/**
 * Copies lines appended since the draft, then replaces the file by the draft. The writer must pause. Returns the number
 * of removed lines.
 */
export async function replaceByDraft(path: string, drafted: Pass, isUnwanted: IsUnwanted): Promise<number> {
  const draft = await openOwnFile(path + DRAFT, "append");
  let rest: Pass;
  try {
    rest = await filterLines(path, drafted.end, isUnwanted, (bytes) => writeAll(draft, bytes));
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(path + DRAFT, path);
  await syncFolder(dirname(path));
  return drafted.dropped + rest.dropped;
}

/** Removes drafts left by a crash: they contain lines of sessions that may have been deleted since. */
export async function removeDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (name.endsWith(DRAFT)) await rm(join(folder, name), { force: true });
}

/** Passes the wanted lines on in blocks of about 1 MB, so that memory does not grow with the file. */
async function filterLines(
  path: string,
  start: number,
  isUnwanted: IsUnwanted,
  onWanted: (bytes: Buffer) => Promise<void>,
): Promise<Pass> {
  let [end, dropped, size] = [start, 0, 0];
  /** Parts of a line whose newline has not been read yet. */
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

/** Reads regular files only: a link could lead out of the folder, and a pipe would block. */
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

/** Makes the rename survive a power cut. Some systems cannot open a folder; there this does nothing. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
