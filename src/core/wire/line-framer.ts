import { Frame, FrameTooLargeError, joinBytes } from "./event-framer.ts";

const LF = 10;
const DEFAULT_MAX_LINE_BYTES = 4 << 20;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Splits newline-delimited JSON into lines. */
export class LineFramer {
  readonly #limit: number;
  #buffered: Uint8Array[] = [];
  #bufferedBytes = 0;

  constructor(limit = DEFAULT_MAX_LINE_BYTES) {
    this.#limit = limit;
  }

  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  /** Throws when a line exceeds the limit; the caller then stops observing. */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      const last = chunk.subarray(start, end + 1);
      frames.push(parseLine(joinBytes([...this.#buffered, last], this.#bufferedBytes + last.length)));
      this.#buffered = [];
      this.#bufferedBytes = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      this.#buffered.push(start === 0 ? chunk : chunk.subarray(start));
      this.#bufferedBytes += chunk.length - start;
      if (this.#bufferedBytes > this.#limit) throw new FrameTooLargeError(this.#limit);
    }
    return frames;
  }

  /** Returns a last line without its end. */
  end(): Uint8Array {
    const rest = joinBytes(this.#buffered, this.#bufferedBytes);
    this.#buffered = [];
    this.#bufferedBytes = 0;
    return rest;
  }
}

/** Parses the bytes of one line. A blank line has no data. */
export function parseLine(raw: Uint8Array): Frame {
  const line = decoder.decode(raw).trim();
  return new Frame(raw, undefined, line === "" ? undefined : line, "lines");
}
