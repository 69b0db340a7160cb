import { Frame } from "./event-framer.ts";
import { FrameBuffer } from "./frame-buffer.ts";

const LF = 10;
const DEFAULT_MAX_LINE_BYTES = 4 << 20;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Splits newline-delimited JSON into lines. */
export class LineFramer {
  readonly #buffer: FrameBuffer;

  constructor(limit = DEFAULT_MAX_LINE_BYTES) {
    this.#buffer = new FrameBuffer(limit);
  }

  get bufferedBytes(): number {
    return this.#buffer.size;
  }

  /** Throws when a line exceeds the limit; the caller then stops observing. */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      frames.push(parseLine(this.#buffer.take(chunk.subarray(start, end + 1))));
      start = end + 1;
    }
    this.#buffer.add(start === 0 ? chunk : chunk.subarray(start));
    return frames;
  }

  /** Returns a last line without its end. */
  end(): Uint8Array {
    return this.#buffer.take();
  }
}

/** Parses the bytes of one line. A blank line has no data. */
export function parseLine(raw: Uint8Array): Frame {
  const line = decoder.decode(raw).trim();
  return new Frame(raw, undefined, line === "" ? undefined : line, "lines");
}
