import { Frame } from "./event-framer.ts";
import { FrameBuffer } from "./frame-buffer.ts";

const DEFAULT_MAX_ELEMENT_BYTES = 4 << 20;
// Not imported: in the loop over every byte, constants of the same module are faster.
const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Splits a JSON array of objects that is written element by element. A frame is an object with the bracket, comma and
 * blanks before it. Anything else is returned by {@link ArrayFramer.end}.
 */
export class ArrayFramer {
  readonly #buffer: FrameBuffer;
  #depth = 0;
  /** Whether the outermost value is an array. */
  #isArray = false;
  #isInString = false;
  #isEscaped = false;

  constructor(limit = DEFAULT_MAX_ELEMENT_BYTES) {
    this.#buffer = new FrameBuffer(limit);
  }

  get bufferedBytes(): number {
    return this.#buffer.size;
  }

  /** Throws when an element exceeds the limit; the caller then stops observing. */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (!this.#closesElement(chunk[at] as number)) continue;
      frames.push(parseElement(this.#buffer.take(chunk.subarray(start, at + 1))));
      start = at + 1;
    }
    this.#buffer.add(start === 0 ? chunk : chunk.subarray(start));
    return frames;
  }

  /** Returns the end of the array. */
  end(): Uint8Array {
    return this.#buffer.take();
  }

  #closesElement(byte: number): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInString = false;
      return false;
    }
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (this.#depth === 0) this.#isArray = byte === OPEN_BRACKET;
      this.#depth += 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      this.#depth -= 1;
      return this.#depth === 1 && byte === CLOSE_BRACE && this.#isArray;
    }
    return false;
  }
}

/** Parses the bytes of one element with what precedes it. */
export function parseElement(raw: Uint8Array): Frame {
  const text = decoder.decode(raw);
  const start = text.indexOf("{");
  return new Frame(raw, undefined, start === -1 ? undefined : text.slice(start), "array");
}
