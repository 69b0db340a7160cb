import { CLOSE_BRACE, CR, LF, OPEN_BRACE, SPACE, TAB } from "../../core/text/char-codes.ts";
import { type Fields, isObject } from "../../core/wire/json.ts";

/** A line without its newline, and its position in the file. */
export interface RawLine {
  /** Undefined for a line longer than the limit. */
  readonly bytes: Buffer | undefined;
  readonly start: number;
  /** Offset after its newline. */
  readonly end: number;
}

/** Longer lines are skipped, so that memory stays bounded. */
export const MAX_LINE_BYTES: number = 64 << 20;

/** Splits chunks into lines. Joins the pieces of a long line only once, which keeps the time linear. */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #pieces: Buffer[] = [];
  #bufferedBytes = 0;
  #tooLong = false;
  #start: number;
  #end: number;

  constructor(offset = 0, longest = MAX_LINE_BYTES) {
    this.#start = offset;
    this.#end = offset;
    this.#maxLineBytes = longest;
  }

  push(chunk: Buffer): readonly RawLine[] {
    const lines: RawLine[] = [];
    let at = 0;
    for (let newline = chunk.indexOf(LF); newline !== -1; newline = chunk.indexOf(LF, at)) {
      this.#buffer(chunk.subarray(at, newline));
      this.#end += newline + 1 - at;
      lines.push(this.#take());
      at = newline + 1;
    }
    if (at < chunk.length) {
      this.#buffer(chunk.subarray(at));
      this.#end += chunk.length - at;
    }
    return lines;
  }

  /** Returns the text after the last newline. */
  remainder(): RawLine | undefined {
    return this.#end === this.#start ? undefined : this.#take();
  }

  #buffer(piece: Buffer): void {
    if (this.#tooLong || piece.length === 0) return;
    this.#bufferedBytes += piece.length;
    if (this.#bufferedBytes > this.#maxLineBytes) {
      this.#tooLong = true;
      this.#pieces = [];
    } else this.#pieces.push(piece);
  }

  #take(): RawLine {
    const [first] = this.#pieces;
    const whole = first !== undefined && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    const bytes = whole.at(-1) === CR ? whole.subarray(0, -1) : whole;
    const line = { bytes: this.#tooLong ? undefined : bytes, start: this.#start, end: this.#end };
    this.#start = this.#end;
    this.#pieces = [];
    this.#bufferedBytes = 0;
    this.#tooLong = false;
    return line;
  }
}

/** Parses a line; undefined unless it is a JSON object. */
export function parseLine(bytes: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the line starts and ends like a JSON object. Cheaper than parsing it. */
export function looksLikeObject(bytes: Buffer): boolean {
  const text = bytes.length < 3 || isSpace(bytes.at(0)) || isSpace(bytes.at(-1)) ? trimmed(bytes) : bytes;
  return text.at(0) === OPEN_BRACE && text.at(-1) === CLOSE_BRACE;
}

function trimmed(bytes: Buffer): Buffer {
  let [start, end] = [0, bytes.length];
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

export function isBlank(bytes: Buffer): boolean {
  return bytes.length === 0 || (isSpace(bytes.at(0)) && trimmed(bytes).length === 0);
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === CR || byte === LF;
}
