/** A line of a stream, as latin1: each character is one byte. Or pieces of a line that is too long to be buffered. */
export type TappedLine =
  | { readonly kind: "line"; readonly text: string }
  | {
      readonly kind: "long";
      readonly head: string;
      readonly tail: string;
      /** Whether the line contains the flag of a failed tool. */
      readonly isError: boolean;
      readonly size: number;
    };

/** Longer lines are not buffered. SDK version 2 closes the connection at 10 MB. */
const MAX_LINE_BYTES = 4 << 20;
const HEAD_CHARS = 64 << 10;
/** Also kept from one chunk to the next, so that a flag that spans both is found. */
const TAIL_CHARS = 300;
/** In JSON text, a quote inside a string is escaped: this sequence is always a member. */
const ERROR_FLAG = /"isError"\s{0,9}:\s{0,9}true/;

/** Splits a copy of a stream into lines. Decodes each chunk once; lines are parts of that text and not copied. */
export class LineTap {
  readonly #onLine: (line: TappedLine) => void;
  /** The start of a line whose end has not arrived. */
  #start = "";
  #long: { readonly head: string; tail: string; isError: boolean; size: number } | undefined;

  constructor(onLine: (line: TappedLine) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const text = chunk.toString("latin1");
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      if (this.#start === "" && this.#long === undefined) this.#onLine({ kind: "line", text: text.slice(from, end) });
      else {
        this.#add(text.slice(from, end));
        this.end();
      }
      from = end + 1;
    }
    if (from < text.length) this.#add(text.slice(from));
  }

  /** Emits a line without a line end. */
  end(): void {
    const [start, long] = [this.#start, this.#long];
    this.#start = "";
    this.#long = undefined;
    if (long !== undefined) this.#onLine({ kind: "long", ...long });
    else if (start !== "") this.#onLine({ kind: "line", text: start });
  }

  #add(part: string): void {
    if (this.#long === undefined) {
      this.#start += part;
      if (this.#start.length <= MAX_LINE_BYTES) return;
      const whole = this.#start;
      this.#start = "";
      const isError = ERROR_FLAG.test(whole);
      this.#long = { head: whole.slice(0, HEAD_CHARS), tail: whole.slice(-TAIL_CHARS), isError, size: whole.length };
      return;
    }
    const recent = this.#long.tail + part;
    this.#long.isError ||= ERROR_FLAG.test(recent);
    this.#long.tail = recent.slice(-TAIL_CHARS);
    this.#long.size += part.length;
  }
}
