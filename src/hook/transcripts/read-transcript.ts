import { createReadStream } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import zlib, { createGunzip } from "node:zlib";
import { keysOf } from "../../core/model/narrow.ts";
import { type Fields, isObject, parseJson } from "../../core/wire/json.ts";
import { ClaudeCodeReader } from "./claude-code.ts";
import { CodexReader } from "./codex.ts";
import { isBareMeta } from "./codex-thread.ts";
import { COPILOT } from "./copilot.ts";
import { documentFormat } from "./documents.ts";
import { EventReader } from "./event-reader.ts";
import { GEMINI, QWEN } from "./gemini-family.ts";
import { isBlank, LineSplitter, looksLikeObject, parseLine, type RawLine } from "./line-splitter.ts";
import { type DatabaseOptions, readOpencodeDatabase } from "./opencode-database.ts";
import { PI } from "./pi.ts";
import { ToolmendEventsReader } from "./toolmend-events.ts";
import type { TimedEvent, TranscriptFormat } from "./transcript-event.ts";
import type { RawTranscriptObservation, ReaderMemory, ReadingContext, TranscriptReader } from "./transcript-reader.ts";

export interface ReadOptions {
  readonly path: string;
  readonly context: Omit<ReadingContext, "fallbackTime">;
  /** Where to resume. */
  readonly from?: Checkpoint | undefined;
  readonly chunkBytes?: number;
  /** For a database, which has no checkpoint. */
  readonly database?: DatabaseOptions | undefined;
}

/**
 * Reads a transcript of any kind and length from an offset to its end, compressed or not, in batches.
 *
 * @example
 * for await (const { rawObservations, checkpoint } of readTranscript({ path, context, from })) …
 */
export async function* readTranscript(options: ReadOptions): AsyncGenerator<TranscriptBatch> {
  const { path, from } = options;
  const { size, mtimeMs } = await stat(path);
  const context = { ...options.context, fallbackTime: Math.trunc(mtimeMs) };
  const magic = await magicOf(path);
  if (magic.startsWith(SQLITE_MAGIC)) {
    yield* readEvents("opencode", readOpencodeDatabase(path, options.database), context, size);
    return;
  }
  if (/\.json$/i.test(path)) {
    yield* readDocument(path, size, context);
    return;
  }
  const compression = compressionOf(Buffer.from(magic, "latin1"));
  const reading = new TranscriptReading(context, compression === undefined ? from : undefined);
  const file = createReadStream(path, { start: reading.offset, highWaterMark: options.chunkBytes ?? 1 << 20 });
  let before = 0;
  const readBytes = (): number => {
    const bytes = file.bytesRead - before;
    before = file.bytesRead;
    return bytes;
  };
  // Node types the chunks of a stream as `any`; without an encoding they are buffers.
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
      if (reading.isNotTranscript) return;
    }
    reading.end();
    yield asBatch();
  } finally {
    file.destroy();
  }
}

/** The first bytes of databases and of compressed files. */
const SQLITE_MAGIC = "SQLite format 3\0";
const GZIP_MAGIC = 0x1f8b;
const ZSTD_MAGIC = 0x28b52ffd;

async function magicOf(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await file.close();
  }
}

function compressionOf(magic: Buffer): (() => NodeJS.ReadWriteStream) | undefined {
  if (magic.length >= 2 && magic.readUInt16BE(0) === GZIP_MAGIC) return () => createGunzip();
  return magic.length >= 4 && magic.readUInt32BE(0) === ZSTD_MAGIC ? zstdDecoder : undefined;
}

/** A longer document would need several times its size in memory. */
const MAX_DOCUMENT_BYTES = 128 << 20;

const NOTHING: TranscriptBatch = {
  ...{ rawObservations: [], broken: [], kind: undefined, lines: 0, bytes: 0, checkpoint: undefined, unfinished: false },
};

/** Clients rewrite documents as a whole, so they are read as a whole. */
async function* readDocument(path: string, size: number, context: ReadingContext): AsyncGenerator<TranscriptBatch> {
  if (size > MAX_DOCUMENT_BYTES) throw new Error(`the document is larger than ${MAX_DOCUMENT_BYTES >> 20} MB`);
  const document = parseJson(await readFile(path, "utf8"));
  const format = documentFormat(document);
  if (format === undefined || !isObject(document)) {
    // An incomplete document is one that the client is writing.
    yield { ...NOTHING, bytes: size, unfinished: document === undefined };
    return;
  }
  yield* readEvents(format.client, format.events(document), context, size);
}

const BATCH_EVENTS = 2000;

/**
 * Reads sources that are not files of lines. Without a checkpoint: they are read again when they change, and nothing
 * counts twice.
 */
async function* readEvents(
  client: DocumentKind,
  events: Iterable<TimedEvent> | AsyncIterable<TimedEvent>,
  context: ReadingContext,
  bytes: number,
): AsyncGenerator<TranscriptBatch> {
  const reader = new EventReader({ client, markers: [], read: () => [] }, context);
  let rawObservations: RawTranscriptObservation[] = [];
  const take = (read: number): TranscriptBatch => {
    const batch = { ...NOTHING, kind: client, rawObservations, bytes: read };
    rawObservations = [];
    return batch;
  };
  for await (const event of events) {
    for (const observation of reader.add(event)) rawObservations.push(observation);
    if (rawObservations.length >= BATCH_EVENTS) yield take(0);
  }
  for (const observation of reader.open()) rawObservations.push(observation);
  yield take(bytes);
}

/** Where reading resumes when a file has grown. Plain JSON without any text of the transcript. */
export interface Checkpoint {
  readonly kind: LineKind;
  /** In bytes. */
  readonly offset: number;
  /** Number of lines before the offset. */
  readonly lines: number;
  readonly memory: ReaderMemory;
}

/** An unreadable line. */
export interface BrokenLine {
  readonly line: number;
  readonly reason: string;
}

/** The observations of about 1 MB of a file. */
export interface TranscriptBatch {
  readonly rawObservations: readonly RawTranscriptObservation[];
  readonly broken: readonly BrokenLine[];
  /** Format of the transcript; undefined until a line reveals it. */
  readonly kind: TranscriptKind | undefined;
  /** Number of all lines in this batch. */
  readonly lines: number;
  /** Bytes read from the file for this batch. */
  readonly bytes: number;
  /** Where to resume; undefined while the format is unknown, and for compressed files. */
  readonly checkpoint: Checkpoint | undefined;
  /** The last line is incomplete; the client may still be writing it. */
  readonly unfinished: boolean;
}

/** A file whose format is still unknown after this much is not a transcript. */
const MAX_DETECTION_LINES = 200;
const MAX_DETECTION_BYTES = 8 << 20;

/** One run over a file: detects its format, collects observations and tracks the checkpoint. */
export class TranscriptReading {
  readonly #context: ReadingContext;
  readonly #splitter: LineSplitter;
  #reader: TranscriptReader | undefined;
  #kind: LineKind | undefined;
  #checkpoint: Checkpoint | undefined;
  #line: number;
  #totalLines = 0;
  #totalBytes = 0;
  #rawObservations: RawTranscriptObservation[] = [];
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
    if (from !== undefined) this.#startReader(from.kind, from.memory);
  }

  get isNotTranscript(): boolean {
    return (
      this.#reader === undefined && (this.#totalLines > MAX_DETECTION_LINES || this.#totalBytes > MAX_DETECTION_BYTES)
    );
  }

  push(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    for (const line of this.#splitter.push(chunk)) this.#read(line);
  }

  /**
   * Reads the last line if it is complete without a newline. Otherwise the client is still writing it; it is read next
   * time.
   */
  end(): void {
    const rest = this.#splitter.remainder();
    if (rest?.bytes === undefined || parseLine(rest.bytes) === undefined) this.#unfinished = rest !== undefined;
    else this.#read(rest);
    for (const observation of this.#reader?.open() ?? []) this.#rawObservations.push(observation);
  }

  take(bytes: number): TranscriptBatch {
    const batch = {
      rawObservations: this.#rawObservations,
      broken: this.#broken,
      kind: this.#kind,
      lines: this.#lines,
      bytes,
      checkpoint: this.#checkpoint,
      unfinished: this.#unfinished,
    };
    this.#rawObservations = [];
    this.#broken = [];
    this.#lines = 0;
    return batch;
  }

  #read(line: RawLine): void {
    this.#line += 1;
    this.#lines += 1;
    this.#totalLines += 1;
    const { bytes } = line;
    if (bytes === undefined) this.#report("line too long");
    else if (!isBlank(bytes)) this.#readBytes(bytes, line);
    if (this.#reader?.isSettled === true) this.#checkpointAt(line.end, this.#line, this.#reader.memory());
  }

  #readBytes(bytes: Buffer, { start }: RawLine): void {
    if (this.#reader?.isRelevant(bytes) === false) {
      // Irrelevant lines are not parsed, but incomplete ones are still reported.
      if (!looksLikeObject(bytes)) this.#report("incomplete JSON object");
      return;
    }
    const value = parseLine(bytes);
    if (value === undefined) {
      this.#report("not a JSON object");
      return;
    }
    const kind = this.#kind ?? kindOfLine(value);
    if (kind === undefined) return;
    const reader = this.#reader ?? this.#startReader(kind);
    const memory = reader.memory();
    // No spread: a line can contain more calls than a function accepts arguments.
    for (const observation of reader.push(value)) this.#rawObservations.push(observation);
    if (reader.startedTurn && !reader.isSettled) this.#checkpointAt(start, this.#line - 1, memory);
  }

  #startReader(kind: LineKind, memory?: ReaderMemory): TranscriptReader {
    this.#kind = kind;
    this.#reader = createReader(kind, this.#context, memory);
    return this.#reader;
  }

  #checkpointAt(offset: number, lines: number, memory: ReaderMemory): void {
    if (this.#kind !== undefined) this.#checkpoint = { kind: this.#kind, offset, lines, memory };
  }

  #report(reason: string): void {
    this.#broken.push({ line: this.#line, reason });
  }
}

type ReaderFactory = (context: ReadingContext, memory?: ReaderMemory) => TranscriptReader;

const eventReader =
  (format: TranscriptFormat): ReaderFactory =>
  (context, memory) =>
    new EventReader(format, context, memory);

const READERS = {
  "claude-code": (context, memory) => new ClaudeCodeReader(context, memory),
  codex: (context, memory) => new CodexReader(context, memory),
  pi: eventReader(PI),
  copilot: eventReader(COPILOT),
  "gemini-cli": eventReader(GEMINI),
  "qwen-code": eventReader(QWEN),
  toolmend: (context) => new ToolmendEventsReader(context),
} as const satisfies Readonly<Record<string, ReaderFactory>>;

/** Formats of lines, which can be read from the middle. */
export type LineKind = keyof typeof READERS;
export const LINE_KINDS: readonly LineKind[] = keysOf(READERS);

/** Formats that are read as a whole. */
type DocumentKind = "cline" | "continue" | "opencode";

/** Supported transcript formats. */
export type TranscriptKind = LineKind | DocumentKind;

export function createReader(kind: LineKind, context: ReadingContext, memory?: ReaderMemory): TranscriptReader {
  return READERS[kind](context, memory);
}

/** Detects the format from the fields of a line; undefined if they are ambiguous. */
export function kindOfLine(line: Fields): LineKind | undefined {
  if (isBareMeta(line)) return "codex";
  if (line.type === undefined)
    return typeof line.sessionId === "string" && typeof line.projectHash === "string" ? "gemini-cli" : undefined;
  if (typeof line.type !== "string") return undefined;
  if (line.v === 1 && typeof line.event_id === "string") return "toolmend";
  if (line.type === "session_meta" && isObject(line.payload)) return "codex";
  if (line.type === "session.start" && isObject(line.data)) return "copilot";
  if (line.type === "session" && typeof line.id === "string" && typeof line.cwd === "string") return "pi";
  // Qwen Code's lines have the fields of Claude Code's, and one more.
  if (typeof line.sessionId === "string" && typeof line.provenance === "string") return "qwen-code";
  if (typeof line.sessionId === "string" || typeof line.leafUuid === "string") return "claude-code";
  return line.type === "file-history-snapshot" && isObject(line.snapshot) ? "claude-code" : undefined;
}

/** Node has it since version 22.15. */
function zstdDecoder(): NodeJS.ReadWriteStream {
  if (typeof zlib.createZstdDecompress === "function") return zlib.createZstdDecompress();
  throw new Error(`reading files compressed with zstd needs Node 22.15 or newer, this is ${process.versions.node}`);
}
