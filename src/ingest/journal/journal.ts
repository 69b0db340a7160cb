import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { type FileHandle, lstat, open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, toError } from "../../core/model/errors.ts";
import { openOwnFile, replaceOwnFile } from "../own-file.ts";

export interface JournalOptions {
  readonly folder: string;
  /** Maximum delay before lines are written, in ms. */
  readonly batchMs?: number;
  /** Size at which a new segment is started. */
  readonly segmentBytes?: number;
  /** Maximum of unapplied bytes. Beyond it, `append` rejects. */
  readonly spoolBytes?: number;
  /** Call fsync before acknowledging, so that lines survive a power cut. */
  readonly durable?: boolean;
}

/** Complete lines, and the position after them. */
export interface Chunk {
  /** In UTF-8. */
  readonly lines: Buffer;
  readonly next: Position;
}

const READ_BYTES = 1 << 20;
/** Larger than a usual batch. */
const PROBE_BYTES = 64 << 10;
/** Size of the in-memory cache of recent lines. A store that is further behind reads the file. */
const MAX_RECENT_BYTES = 12 << 20;

/** Lines of one write, and their position. Bytes, because they wait for the store outside the heap, where no collection copies them. */
interface Block extends Position {
  readonly data: Buffer;
}

/**
 * The write-ahead log of observations. Lines count as acknowledged when `append` resolves: they are in the file then.
 * Old segments are never modified; a partial last line in one of them was never acknowledged and is skipped.
 */
export class Journal {
  readonly id: string;
  readonly #options: Required<JournalOptions>;
  /** Where this process started to write. Everything before was acknowledged by earlier processes. */
  readonly start: Position;
  readonly #oldSegments: number[];
  #segment: number;
  #file: FileHandle | undefined;
  #written = 0;
  #unapplied = 0;
  #recent: Block[] = [];
  #recentBytes = 0;
  #pending: { data: Buffer; resolve: () => void; reject: (error: Error) => void }[] = [];
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #flushAt = 0;

  constructor(options: JournalOptions) {
    this.#options = { batchMs: 10, segmentBytes: 64 << 20, spoolBytes: 1 << 30, durable: false, ...options };
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    this.id = readOrCreateId(join(options.folder, "id"));
    this.#oldSegments = readdirSync(options.folder)
      .filter((name) => /^\d{8}\.jsonl$/.test(name))
      .map((name) => Number.parseInt(name, 10))
      .sort((a, b) => a - b);
    this.#segment = (this.#oldSegments.at(-1) ?? 0) + 1;
    this.start = { segment: this.#segment, offset: 0 };
  }

  get unappliedBytes(): number {
    return this.#unapplied;
  }

  /** Position after the last acknowledged line. */
  get end(): Position {
    return { segment: this.#segment, offset: this.#written };
  }

  /**
   * Appends complete lines, which wait at most `withinMs` for others. Resolves when they are written; if it rejects,
   * none of them is acknowledged.
   */
  append(lines: string | Buffer, withinMs: number = this.#options.batchMs): Promise<void> {
    const data = typeof lines === "string" ? Buffer.from(lines) : lines;
    if (this.#unapplied + data.length > this.#options.spoolBytes) return Promise.reject(new SpoolFullError());
    this.#unapplied += data.length;
    return new Promise((resolve, reject) => {
      this.#pending.push({ data, resolve, reject });
      if (this.#flushing === undefined) this.#flushWithin(withinMs);
    });
  }

  #flushWithin(ms: number): void {
    const at = performance.now() + ms;
    if (this.#timer !== undefined && this.#flushAt <= at) return;
    clearTimeout(this.#timer);
    this.#flushAt = at;
    this.#timer = setTimeout(() => this.#startFlush(), ms);
  }

  /**
   * Returns acknowledged lines from a position, about `maxBytes` from memory or 1 MB from a file; undefined at the end.
   */
  async read(from: Position, maxBytes: number = READ_BYTES): Promise<Chunk | undefined> {
    const recent = this.#readRecent(from, maxBytes);
    if (recent !== undefined) return recent;
    const last = this.#segment;
    for (let segment = from.segment, offset = from.offset; segment <= last; segment += 1, offset = 0) {
      const path = join(this.#options.folder, segmentFile(segment));
      const end = segment === last ? this.#written : await sizeOf(path);
      if (offset >= end) continue;
      const chunk = await readCompleteLines(path, offset, end);
      if (chunk !== undefined) return { lines: chunk, next: { segment, offset: offset + chunk.length } };
    }
    return undefined;
  }

  /** Marks lines as stored: they no longer count against the limit, and old segments are deleted. */
  async applied(position: Position, bytes: number): Promise<void> {
    this.#unapplied = Math.max(0, this.#unapplied - bytes);
    this.#evictBlocks((block) => isBefore(block, position));
    for (
      let [oldest] = this.#oldSegments;
      oldest !== undefined && oldest < position.segment;
      [oldest] = this.#oldSegments
    ) {
      this.#oldSegments.shift();
      await rm(join(this.#options.folder, segmentFile(oldest)), { force: true });
    }
  }

  /**
   * Removes segments whose lines are all stored, except the current one; returns how many. Call `startSegment` first:
   * without any segment file the next start would number from 1 again and treat new lines as stored.
   */
  async removeStored(position: Position): Promise<number> {
    let removed = 0;
    for (let [segment] = this.#oldSegments; segment !== undefined; [segment] = this.#oldSegments) {
      const path = join(this.#options.folder, segmentFile(segment));
      const isStored =
        segment < position.segment ||
        (segment === position.segment && (await completeLineBytes(path)) <= position.offset);
      if (!isStored) break;
      this.#oldSegments.shift();
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  /** Flushes pending lines, then starts a new segment and creates its file. */
  async startSegment(): Promise<void> {
    await this.flush();
    while (this.#flushing !== undefined) await this.#flushing;
    const start = async (): Promise<void> => {
      if (this.#written > 0) await this.#nextSegment();
      this.#file ??= await this.#openSegment();
    };
    this.#flushing = start().finally(() => {
      this.#flushing = undefined;
      if (this.#pending.length > 0) this.#startFlush();
    });
    await this.#flushing;
  }

  #openSegment(): Promise<FileHandle> {
    const path = join(this.#options.folder, segmentFile(this.#segment));
    return openOwnFile(path, "append").catch(async (error: unknown) => {
      // A link under the name of this segment must not stop all recording.
      if (codeOf(toError(error).cause) === "ELOOP") await this.#nextSegment();
      throw error;
    });
  }

  /** Adds the unapplied lines of earlier processes to the unapplied bytes. */
  async countBacklog(from: Position): Promise<void> {
    for (const segment of this.#oldSegments) {
      if (segment < from.segment) continue;
      const size = await completeLineBytes(join(this.#options.folder, segmentFile(segment)));
      this.#unapplied += segment === from.segment ? Math.max(0, size - from.offset) : size;
    }
  }

  /** Rejects while `append` would fail because the spool or the disk is full. */
  async probe(): Promise<void> {
    if (this.#unapplied >= this.#options.spoolBytes) throw new SpoolFullError();
    const path = join(this.#options.folder, "probe");
    await rm(path, { force: true });
    try {
      await writeFile(path, Buffer.alloc(PROBE_BYTES), { flag: "wx", mode: 0o600 });
    } finally {
      await rm(path, { force: true });
    }
  }

  async flush(): Promise<void> {
    while (this.#pending.length > 0 || this.#flushing !== undefined) {
      this.#startFlush();
      await this.#flushing;
    }
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#file?.close();
    this.#file = undefined;
  }

  #startFlush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing ??= this.#writePending().finally(() => {
      this.#flushing = undefined;
      if (this.#pending.length > 0) this.#startFlush();
    });
  }

  async #writePending(): Promise<void> {
    const batch = this.#pending;
    this.#pending = [];
    if (batch.length === 0) return;
    try {
      await this.#write(joinBuffers(batch.map((one) => one.data)));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { data, reject } of batch) {
        this.#unapplied -= data.length;
        reject(toError(error));
      }
    }
  }

  async #write(data: Buffer): Promise<void> {
    if (this.#file !== undefined && this.#written + data.length > this.#options.segmentBytes) await this.#nextSegment();
    this.#file ??= await this.#openSegment();
    try {
      await this.#file.appendFile(data);
      if (this.#options.durable) await this.#file.datasync();
      this.#cacheBlock({ segment: this.#segment, offset: this.#written, data });
      this.#written += data.length;
    } catch (error) {
      // Part of the batch may be in the file: truncate it to the last acknowledged line.
      await this.#file.truncate(this.#written).catch(() => this.#nextSegment());
      throw error;
    }
  }

  #cacheBlock(block: Block): void {
    this.#recent.push(block);
    this.#recentBytes += block.data.length;
    if (this.#recentBytes > MAX_RECENT_BYTES) this.#evictBlocks(() => true);
  }

  /** Evicts blocks from the front as long as they match. */
  #evictBlocks(matches: (block: Block) => boolean): void {
    const firstKept = this.#recent.findIndex((block) => !matches(block));
    for (const { data } of this.#recent.splice(0, firstKept === -1 ? this.#recent.length : firstKept))
      this.#recentBytes -= data.length;
  }

  /** Serves {@link Journal.read} from memory if the position is the start of the first cached block. */
  #readRecent(from: Position, maxBytes: number): Chunk | undefined {
    const first = this.#recent[0];
    if (first?.segment !== from.segment || first.offset !== from.offset) return undefined;
    const blocks: Buffer[] = [];
    let bytes = 0;
    for (const { segment, data } of this.#recent) {
      if (segment !== from.segment || (bytes > 0 && bytes + data.length > maxBytes)) break;
      blocks.push(data);
      bytes += data.length;
    }
    return { lines: joinBuffers(blocks), next: { segment: from.segment, offset: from.offset + bytes } };
  }

  async #nextSegment(): Promise<void> {
    await this.#file?.close().catch(() => undefined);
    this.#file = undefined;
    this.#oldSegments.push(this.#segment);
    this.#segment += 1;
    this.#written = 0;
  }
}

/** The unapplied part of the journal has reached its limit. */
export class SpoolFullError extends Error {
  readonly code = "spool-full";
  constructor() {
    super("the journal is full of unapplied data, so the observation was dropped");
    this.name = "SpoolFullError";
  }
}

function readOrCreateId(path: string): string {
  // A full disk may have left an empty file.
  const known = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  if (known !== "") return known;
  const id = randomUUID();
  replaceOwnFile(path, `${id}\n`);
  return id;
}

async function sizeOf(path: string): Promise<number> {
  // A link is no segment: its target may be any file.
  return await lstat(path).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
}

/** Returns a file's size without the partial line at its end, which was never acknowledged. */
async function completeLineBytes(path: string): Promise<number> {
  const size = await sizeOf(path);
  if (size === 0) return 0;
  const file = await open(path, "r");
  try {
    for (let end = size; end > 0; ) {
      const length = Math.min(READ_BYTES, end);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, end - length);
      const newline = buffer.subarray(0, bytesRead).lastIndexOf(10);
      if (newline !== -1) return end - length + newline + 1;
      end -= length;
    }
    return 0;
  } finally {
    await file.close();
  }
}

async function readCompleteLines(path: string, offset: number, end: number): Promise<Buffer | undefined> {
  const file = await open(path, "r");
  try {
    for (let size = READ_BYTES; ; size *= 4) {
      const length = Math.min(size, end - offset);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      const lastNewline = buffer.subarray(0, bytesRead).lastIndexOf(10);
      if (lastNewline !== -1) return buffer.subarray(0, lastNewline + 1);
      if (bytesRead < size) return undefined;
    }
  } finally {
    await file.close();
  }
}

function joinBuffers(buffers: readonly Buffer[]): Buffer {
  const [first, ...others] = buffers;
  return first !== undefined && others.length === 0 ? first : Buffer.concat(buffers);
}

/** An offset in the journal. Its text form sorts in the same order. */
export interface Position {
  readonly segment: number;
  readonly offset: number;
}

export function positionText({ segment, offset }: Position): string {
  return `${String(segment).padStart(8, "0")}:${String(offset).padStart(12, "0")}`;
}

export function isBefore(a: Position, b: Position): boolean {
  return a.segment === b.segment ? a.offset < b.offset : a.segment < b.segment;
}

export function parsePosition(text: string): Position {
  const [segment = Number.NaN, offset = Number.NaN] = text.split(":").map(Number);
  return { segment, offset };
}

export function segmentFile(segment: number): string {
  return `${String(segment).padStart(8, "0")}.jsonl`;
}
