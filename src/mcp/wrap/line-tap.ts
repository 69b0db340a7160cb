/** A line of a stream: whole, or the start of one that is too long to be buffered. */
export type TappedLine =
  | { readonly kind: "line"; readonly bytes: Buffer }
  | {
      readonly kind: "long";
      readonly head: Buffer;
      /** The last characters, as latin1. */
      readonly tail: string;
      readonly isError: boolean;
      readonly size: number;
    };

/** Longer lines are not buffered. SDK version 2 closes the connection at 10 MB. */
export const MAX_LINE_BYTES = 4 << 20;
const MAX_HEAD_BYTES = 64 << 10;
const NEWLINE = 10;
/** In JSON text, a quote inside a string is escaped: this sequence is always a member. */
const ERROR_FLAG = /"isError"\s*:\s*true/;
/** Kept from one chunk to the next, so that a flag that spans both is found, and the id at the end of a response. */
const TAIL_CHARS = 256;

/**
 * Splits a copy of a stream into lines. Keeps references to the chunks until a line is complete, and copies only lines
 * that span several chunks.
 */
export class LineTap {
  readonly #onLine: (line: TappedLine) => void;
  #parts: Buffer[] = [];
  #head: Buffer | undefined;
  #size = 0;
  #isError = false;
  #last = "";

  constructor(onLine: (line: TappedLine) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, end));
      this.#emit();
      from = end + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }

  /** Emits a last line without a line end. */
  end(): void {
    if (this.#size > 0) this.#emit();
  }

  #add(part: Buffer): void {
    this.#size += part.length;
    if (this.#size <= MAX_LINE_BYTES) {
      this.#parts.push(part);
      return;
    }
    if (this.#parts.length > 0) this.#giveUp();
    this.#scan(part);
  }

  /** Keeps only the head of a long line. */
  #giveUp(): void {
    const whole = Buffer.concat(this.#parts);
    for (let at = 0; at < whole.length; at += MAX_HEAD_BYTES) this.#scan(whole.subarray(at, at + MAX_HEAD_BYTES));
    this.#head = Buffer.from(whole.subarray(0, MAX_HEAD_BYTES));
    this.#parts = [];
  }

  #scan(part: Buffer): void {
    const text = this.#last + part.toString("latin1");
    this.#isError ||= ERROR_FLAG.test(text);
    this.#last = text.slice(-TAIL_CHARS);
  }

  #longLine(): TappedLine {
    return {
      kind: "long",
      head: this.#head ?? Buffer.alloc(0),
      tail: this.#last,
      isError: this.#isError,
      size: this.#size,
    };
  }

  #emit(): void {
    const [only, ...more] = this.#parts;
    const line: TappedLine =
      this.#size > MAX_LINE_BYTES
        ? this.#longLine()
        : { kind: "line", bytes: only === undefined || more.length > 0 ? Buffer.concat(this.#parts) : only };
    this.#parts = [];
    this.#size = 0;
    this.#isError = false;
    this.#last = "";
    this.#head = undefined;
    this.#onLine(line);
  }
}
