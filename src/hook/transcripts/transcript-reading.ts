import { isBlank, LineSplitter, looksWhole, parseLine, type RawLine } from "./line-splitter.ts";
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
  readonly sightings: readonly RawTranscriptObservation[];
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
const LOOK_LINES = 200;
const LOOK_BYTES = 8 << 20;

/** One reading of one file: whose is it, what does it tell, and where could it go on? */
export class TranscriptReading {
  readonly #context: ReadingContext;
  readonly #splitter: LineSplitter;
  #reader: TranscriptReader | undefined;
  #kind: TranscriptKind | undefined;
  #checkpoint: Checkpoint | undefined;
  #line: number;
  #seenLines = 0;
  #seenBytes = 0;
  #sightings: RawTranscriptObservation[] = [];
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
    if (rest?.bytes === undefined || parseLine(rest.bytes) === undefined) this.#unfinished = rest !== undefined;
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
    const value = parseLine(bytes);
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
