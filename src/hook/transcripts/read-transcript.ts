import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { type Fields, isObject } from "../../core/wire/json.ts";
import { LineSplitter, type RawLine } from "./line-splitter.ts";
import { createReader, kindOfLine, type TranscriptKind } from "./transcript-kind.ts";
import type { ReaderMemory, ReadingContext, TranscriptReader, TranscriptSighting } from "./transcript-reader.ts";

/** Where reading of a file can go on when it has grown. Plain JSON, and nothing of any text. */
export interface Checkpoint {
  readonly kind: TranscriptKind;
  /** In bytes. */
  readonly offset: number;
  /** How many lines stand before it. */
  readonly lines: number;
  readonly memory: ReaderMemory;
}

/** A line that could not be read. */
export interface BrokenLine {
  readonly line: number;
  readonly reason: string;
}

/** What about a megabyte of a file told. */
export interface TranscriptBatch {
  readonly sightings: readonly TranscriptSighting[];
  readonly broken: readonly BrokenLine[];
  /** Whose transcript it is; undefined while no line has told. */
  readonly kind: TranscriptKind | undefined;
  /** Lines in this batch, whatever they held. */
  readonly lines: number;
  /** Bytes of the file that were read for it. */
  readonly bytes: number;
  /** From here on the file can be read again; undefined while nobody knows whose it is, and for compressed files. */
  readonly checkpoint: Checkpoint | undefined;
  /** The last line has no end yet: somebody may still be writing it. */
  readonly unfinished: boolean;
}

export interface ReadOptions {
  readonly path: string;
  readonly context: Omit<ReadingContext, "fallbackTime">;
  /** Go on from here. */
  readonly from?: Checkpoint | undefined;
  readonly chunkBytes?: number;
}

/** A file of which these lines and bytes at its start say nothing is no transcript. */
const LOOK_LINES = 200;
const LOOK_BYTES = 8 << 20;

/**
 * Reads a transcript of any kind and length from an offset to its end, compressed or not, in batches.
 *
 * @example
 * for await (const { sightings, checkpoint } of readTranscript({ path, context, from })) …
 */
export async function* readTranscript(options: ReadOptions): AsyncGenerator<TranscriptBatch> {
  const { path, from } = options;
  const compression = await compressionOf(path);
  const context = { ...options.context, fallbackTime: Math.trunc((await stat(path)).mtimeMs) };
  const reading = new Reading(context, compression === undefined ? from : undefined);
  const file = createReadStream(path, { start: reading.offset, highWaterMark: options.chunkBytes ?? 1 << 20 });
  let before = 0;
  const readBytes = (): number => {
    const bytes = file.bytesRead - before;
    before = file.bytesRead;
    return bytes;
  };
  const chunks = (compression === undefined
    ? file
    : pipeline(file, compression(), () => undefined)) as unknown as AsyncIterable<Buffer>;
  const asBatch = (): TranscriptBatch => {
    const batch = reading.take(readBytes());
    return compression === undefined ? batch : { ...batch, checkpoint: undefined };
  };
  try {
    for await (const chunk of chunks) {
      reading.push(chunk);
      yield asBatch();
      if (reading.isNoTranscript) return;
    }
    reading.end();
    yield asBatch();
  } finally {
    file.destroy();
  }
}

async function compressionOf(path: string): Promise<(() => NodeJS.ReadWriteStream) | undefined> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    if (bytesRead >= 2 && buffer.readUInt16BE(0) === 0x1f8b) return () => createGunzip();
    return bytesRead === 4 && buffer.readUInt32BE(0) === 0x28b52ffd ? () => createZstdDecompress() : undefined;
  } finally {
    await file.close();
  }
}

/** One reading of one file: whose is it, what does it tell, and where could it go on? */
class Reading {
  readonly #context: ReadingContext;
  readonly #splitter: LineSplitter;
  #reader: TranscriptReader | undefined;
  #kind: TranscriptKind | undefined;
  #checkpoint: Checkpoint | undefined;
  #line: number;
  #seenLines = 0;
  #seenBytes = 0;
  #sightings: TranscriptSighting[] = [];
  #broken: BrokenLine[] = [];
  #lines = 0;
  #unfinished = false;
  readonly offset: number;

  constructor(context: ReadingContext, from: Checkpoint | undefined) {
    this.#context = context;
    this.offset = from?.offset ?? 0;
    this.#line = from?.lines ?? 0;
    this.#splitter = new LineSplitter(this.offset);
    this.#checkpoint = from;
    if (from !== undefined) this.#recognise(from.kind, from.memory);
  }

  get isNoTranscript(): boolean {
    return this.#reader === undefined && (this.#seenLines > LOOK_LINES || this.#seenBytes > LOOK_BYTES);
  }

  push(chunk: Buffer): void {
    this.#seenBytes += chunk.length;
    for (const line of this.#splitter.push(chunk)) this.#read(line);
  }

  /** The last line may lack its newline and be whole; else somebody is still writing it, and it is left for the next time. */
  end(): void {
    const rest = this.#splitter.rest();
    if (rest?.bytes === undefined || parse(rest.bytes) === undefined) this.#unfinished = rest !== undefined;
    else this.#read(rest);
    for (const sighting of this.#reader?.open() ?? []) this.#sightings.push(sighting);
  }

  take(bytes: number): TranscriptBatch {
    const batch = {
      sightings: this.#sightings,
      broken: this.#broken,
      kind: this.#kind,
      lines: this.#lines,
      bytes,
      checkpoint: this.#checkpoint,
      unfinished: this.#unfinished,
    };
    this.#sightings = [];
    this.#broken = [];
    this.#lines = 0;
    return batch;
  }

  #read(line: RawLine): void {
    this.#line += 1;
    this.#lines += 1;
    this.#seenLines += 1;
    const { bytes } = line;
    if (bytes === undefined) this.#report("longer than can be read");
    else if (!isBlank(bytes)) this.#readBytes(bytes, line);
    if (this.#reader?.settled === true) this.#checkpointAt(line.end, this.#line, this.#reader.memory());
  }

  #readBytes(bytes: Buffer, { start }: RawLine): void {
    if (this.#reader?.wants(bytes) === false) {
      // Not parsed, but half a line is told apart from a line.
      if (!looksWhole(bytes)) this.#report("not a whole JSON object");
      return;
    }
    const value = parse(bytes);
    if (value === undefined) {
      this.#report("not a JSON object");
      return;
    }
    const kind = this.#kind ?? kindOfLine(value);
    if (kind === undefined) return;
    const reader = this.#reader ?? this.#recognise(kind);
    const memory = reader.memory();
    // One by one: a line can hold any number of calls.
    for (const sighting of reader.push(value)) this.#sightings.push(sighting);
    if (reader.began && !reader.settled) this.#checkpointAt(start, this.#line - 1, memory);
  }

  #recognise(kind: TranscriptKind, memory?: ReaderMemory): TranscriptReader {
    this.#kind = kind;
    this.#reader = createReader(kind, this.#context, memory);
    return this.#reader;
  }

  #checkpointAt(offset: number, lines: number, memory: ReaderMemory): void {
    this.#checkpoint = { kind: this.#kind as TranscriptKind, offset, lines, memory };
  }

  #report(reason: string): void {
    this.#broken.push({ line: this.#line, reason });
  }
}

function parse(bytes: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const [OPEN, CLOSE] = [0x7b, 0x7d];

function looksWhole(bytes: Buffer): boolean {
  const text = bytes.length < 3 || isSpace(bytes.at(0)) || isSpace(bytes.at(-1)) ? trimmed(bytes) : bytes;
  return text.at(0) === OPEN && text.at(-1) === CLOSE;
}

function trimmed(bytes: Buffer): Buffer {
  let [start, end] = [0, bytes.length];
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length === 0 || (isSpace(bytes.at(0)) && trimmed(bytes).length === 0);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 13 || byte === 10;
}
