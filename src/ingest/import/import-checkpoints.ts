import { createHash, hash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { present } from "../../core/model/narrow.ts";
import type { Checkpoint } from "../../hook/transcripts/read-transcript.ts";
import { LINE_KINDS } from "../../hook/transcripts/read-transcript.ts";
import type { FoundFile } from "./find-transcripts.ts";

/** Read progress of a file, and the file's state at that time. */
interface Entry {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  /** Hash of its first bytes. It distinguishes a file that has grown from a replaced one. */
  readonly prefix?: { readonly bytes: number; readonly hash: string };
  readonly checkpoint?: Checkpoint;
  /** Present if the file is not a transcript. */
  readonly other?: true;
}

/** How to read a file: not at all (an unchanged transcript, or another file), from the checkpoint, or from its start. */
export type Plan =
  | { readonly kind: "unchanged" }
  | { readonly kind: "other" }
  | { readonly kind: "grown"; readonly from: Checkpoint }
  | { readonly kind: "new" };

const PREFIX_BYTES = 4096;

const VERSION = 2;

/**
 * Read progress of each file imported into the store of a data folder. Only an optimization: without a checkpoint a
 * file is read again and nothing is counted twice. Checkpoints of another database file are ignored. Entries are keyed
 * by a hash of the path, because clients name transcripts after their session.
 */
export class ImportCheckpoints {
  readonly #path: string;
  readonly #database: string;
  readonly #entries: Map<string, Entry>;
  readonly #changed = new Set<string>();

  /** @param force Ignore all checkpoints and read every file again. */
  constructor(path: string, database: string, force = false) {
    this.#path = path;
    this.#database = database;
    this.#entries = force ? new Map() : this.#read();
  }

  async plan(file: FoundFile): Promise<Plan> {
    const entry = this.#entries.get(pathHash(file.path));
    if (entry === undefined) return { kind: "new" };
    if (entry.size === file.size && entry.mtimeMs === file.mtimeMs && entry.ino === file.ino)
      return { kind: entry.other === true ? "other" : "unchanged" };
    const { checkpoint, prefix } = entry;
    if (checkpoint === undefined || prefix === undefined || file.size < checkpoint.offset) return { kind: "new" };
    return (await prefixOf(file.path, prefix.bytes)) === prefix.hash
      ? { kind: "grown", from: checkpoint }
      : { kind: "new" };
  }

  /** Records that everything up to the checkpoint is acknowledged. `file.size` is its size when it was read. */
  async update(file: FoundFile, checkpoint: Checkpoint | undefined, isTranscript = true): Promise<void> {
    const { size, mtimeMs, ino } = file;
    const bytes = Math.min(PREFIX_BYTES, checkpoint?.offset ?? 0);
    const hash = bytes === 0 ? undefined : await prefixOf(file.path, bytes);
    this.#entries.set(pathHash(file.path), {
      size,
      mtimeMs,
      ino,
      ...(hash !== undefined && { prefix: { bytes, hash } }),
      ...(checkpoint !== undefined && { checkpoint }),
      ...(!isTranscript && { other: true }),
    });
    this.#changed.add(pathHash(file.path));
  }

  /** Merges the changed entries into the file, because another process may have saved since. */
  save(): void {
    if (this.#changed.size === 0) return;
    const files = this.#read();
    for (const name of this.#changed) files.set(name, present(this.#entries.get(name)));
    this.#write(files);
    this.#changed.clear();
  }

  /**
   * Removes the checkpoints of deleted sessions and returns how many. Their files are read from the start if they grow.
   */
  static forget(path: string, database: string, isDeleted: (line: string) => boolean): number {
    removeDrafts(path);
    const checkpoints = new ImportCheckpoints(path, database);
    let removed = 0;
    for (const [name, { checkpoint, prefix: _start, ...rest }] of checkpoints.#entries) {
      if (checkpoint === undefined || !isDeleted(JSON.stringify(checkpoint))) continue;
      checkpoints.#entries.set(name, rest);
      removed += 1;
    }
    if (removed > 0) checkpoints.#write(checkpoints.#entries);
    return removed;
  }

  #write(files: ReadonlyMap<string, Entry>): void {
    const text = JSON.stringify({ v: VERSION, store: storeIdentity(this.#database), files: Object.fromEntries(files) });
    const draft = `${this.#path}.${randomUUID()}`;
    writeFileSync(draft, `${text}\n`, { mode: 0o600 });
    renameSync(draft, this.#path);
  }

  #read(): Map<string, Entry> {
    try {
      const { v, store, files } = JSON.parse(readFileSync(this.#path, "utf8")) as Record<string, unknown>;
      if ((v !== 1 && v !== VERSION) || store !== storeIdentity(this.#database)) return new Map();
      const entries = Object.entries(files as Record<string, Entry>).filter(([, entry]) => isEntry(entry));
      // Version 1 named files by their path.
      return new Map(v === VERSION ? entries : entries.map(([path, entry]) => [pathHash(path), entry]));
    } catch {
      // Missing or damaged: everything is read again.
      return new Map();
    }
  }
}

function pathHash(path: string): string {
  return hash("sha256", path, "hex").slice(0, 32);
}

/** Age after which a draft counts as left by a crash. A newer one may belong to a running import. */
const ABANDONED_MS = 60_000;

function removeDrafts(path: string): void {
  try {
    for (const name of readdirSync(dirname(path))) {
      const draft = join(dirname(path), name);
      if (name.startsWith(`${basename(path)}.`) && statSync(draft).mtimeMs < Date.now() - ABANDONED_MS)
        rmSync(draft, { force: true });
    }
  } catch {
    // The folder is missing, or another process removed the draft.
  }
}

/** Identifies the database file; a deleted and recreated file has another identity. */
function storeIdentity(database: string): string | undefined {
  try {
    const { ino, birthtimeMs } = statSync(database);
    return `${ino}-${Math.trunc(birthtimeMs)}`;
  } catch {
    return undefined;
  }
}

function isEntry(entry: Partial<Entry>): boolean {
  const { checkpoint, prefix } = entry;
  const numbers = [entry.size, entry.mtimeMs, entry.ino];
  if (checkpoint !== undefined) {
    if (!LINE_KINDS.includes(checkpoint.kind) || typeof checkpoint.memory !== "object") return false;
    numbers.push(checkpoint.offset, checkpoint.lines);
  }
  if (prefix !== undefined) numbers.push(prefix.bytes);
  return numbers.every((value) => typeof value === "number" && value >= 0);
}

async function prefixOf(path: string, bytes: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return createHash("sha256").update(buffer.subarray(0, bytesRead)).digest("hex").slice(0, 16);
  } finally {
    await file.close();
  }
}
