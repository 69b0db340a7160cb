/** A line without its end, and where it stands in the file. */
export interface RawLine {
  /** Undefined for a line that was too long to keep. */
  readonly bytes: Buffer | undefined;
  readonly start: number;
  /** Behind its newline. */
  readonly end: number;
}

const NEWLINE = 10;
const RETURN = 13;

/** Longer lines are let pass unread: whatever stands in them, memory stays bounded. */
export const LONGEST_LINE: number = 64 << 20;

/** Cuts chunks into lines. Pieces of a long line are joined once, so that the time stays linear. */
export class LineSplitter {
  readonly #longest: number;
  #pieces: Buffer[] = [];
  #held = 0;
  #tooLong = false;
  #start: number;
  #end: number;

  constructor(offset = 0, longest = LONGEST_LINE) {
    this.#start = offset;
    this.#end = offset;
    this.#longest = longest;
  }

  push(chunk: Buffer): readonly RawLine[] {
    const lines: RawLine[] = [];
    let at = 0;
    for (let newline = chunk.indexOf(NEWLINE); newline !== -1; newline = chunk.indexOf(NEWLINE, at)) {
      this.#hold(chunk.subarray(at, newline));
      this.#end += newline + 1 - at;
      lines.push(this.#take());
      at = newline + 1;
    }
    if (at < chunk.length) {
      this.#hold(chunk.subarray(at));
      this.#end += chunk.length - at;
    }
    return lines;
  }

  /** What stands behind the last newline. */
  rest(): RawLine | undefined {
    return this.#end === this.#start ? undefined : this.#take();
  }

  #hold(piece: Buffer): void {
    if (this.#tooLong || piece.length === 0) return;
    this.#held += piece.length;
    if (this.#held > this.#longest) {
      this.#tooLong = true;
      this.#pieces = [];
    } else this.#pieces.push(piece);
  }

  #take(): RawLine {
    const whole = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    const bytes = whole.at(-1) === RETURN ? whole.subarray(0, -1) : whole;
    const line = { bytes: this.#tooLong ? undefined : bytes, start: this.#start, end: this.#end };
    this.#start = this.#end;
    this.#pieces = [];
    this.#held = 0;
    this.#tooLong = false;
    return line;
  }
}
