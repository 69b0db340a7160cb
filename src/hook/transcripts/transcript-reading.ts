import { isBlank, LineSplitter, looksLikeObject, parseLine, type RawLine } from "./line-splitter.ts";
import { createReader, kindOfLine, type TranscriptKind } from "./transcript-kind.ts";
import type { RawTranscriptObservation, ReaderMemory, ReadingContext, TranscriptReader } from "./transcript-reader.ts";

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
  readonly rawObservations: readonly RawTranscriptObservation[];
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

/** A file of which these lines and bytes at its start say nothing is no transcript. */
const MAX_DETECTION_LINES = 200;
const MAX_DETECTION_BYTES = 8 << 20;

/** One reading of one file: whose is it, what does it tell, and where could it go on? */
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

  /** The last line may lack its newline and be whole; else somebody is still writing it, and it is left for the next time. */
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
    if (bytes === undefined) this.#report("longer than can be read");
    else if (!isBlank(bytes)) this.#readBytes(bytes, line);
    if (this.#reader?.isSettled === true) this.#checkpointAt(line.end, this.#line, this.#reader.memory());
  }

  #readBytes(bytes: Buffer, { start }: RawLine): void {
    if (this.#reader?.isRelevant(bytes) === false) {
      // Not parsed, but half a line is told apart from a line.
      if (!looksLikeObject(bytes)) this.#report("not a whole JSON object");
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
    // One by one: a line can hold any number of calls.
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
