import { isBlank, LineSplitter, looksLikeObject, parseLine, type RawLine } from "./line-splitter.ts";
import { createReader, kindOfLine, type TranscriptKind } from "./transcript-kind.ts";
import type { RawTranscriptObservation, ReaderMemory, ReadingContext, TranscriptReader } from "./transcript-reader.ts";

/** Where reading resumes when a file has grown. Plain JSON without any text of the transcript. */
export interface Checkpoint {
  readonly kind: TranscriptKind;
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
  #kind: TranscriptKind | undefined;
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

  #startReader(kind: TranscriptKind, memory?: ReaderMemory): TranscriptReader {
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
