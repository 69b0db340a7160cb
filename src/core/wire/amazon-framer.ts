import { Frame, FrameTooLargeError, joinBytes } from "./event-framer.ts";
import { isObject, parseJson, text } from "./json.ts";

const DEFAULT_MAX_MESSAGE_BYTES = 4 << 20;
/** Length of the message, length of its headers, and a checksum of both. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Splits a stream of Amazon's binary messages by their lengths. Checksums are left to the client. */
export class AmazonFramer {
  readonly #limit: number;
  #buffered: Uint8Array[] = [];
  #bufferedBytes = 0;

  constructor(limit = DEFAULT_MAX_MESSAGE_BYTES) {
    this.#limit = limit;
  }

  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  /** Throws when a message exceeds the limit or has an impossible length; the caller then stops observing. */
  push(chunk: Uint8Array): Frame[] {
    this.#buffered.push(chunk);
    this.#bufferedBytes += chunk.length;
    const frames: Frame[] = [];
    // Joined only when a message may be complete, so that small chunks of a large one cost no more.
    if (this.#bufferedBytes < this.#needed) return frames;
    let rest = joinBytes(this.#buffered, this.#bufferedBytes);
    this.#needed = PRELUDE_BYTES;
    while (rest.length >= PRELUDE_BYTES) {
      const length = viewOf(rest).getUint32(0);
      if (length < PRELUDE_BYTES + CHECKSUM_BYTES || length > this.#limit) throw new FrameTooLargeError(this.#limit);
      if (rest.length < length) {
        this.#needed = length;
        break;
      }
      frames.push(parseAmazonMessage(rest.subarray(0, length)));
      rest = rest.subarray(length);
    }
    this.#buffered = rest.length === 0 ? [] : [rest];
    this.#bufferedBytes = rest.length;
    return frames;
  }
  /** Bytes that the next message needs at least. */
  #needed = PRELUDE_BYTES;

  end(): Uint8Array {
    const rest = joinBytes(this.#buffered, this.#bufferedBytes);
    this.#buffered = [];
    this.#bufferedBytes = 0;
    return rest;
  }
}

/** Parses one message: the event that its payload wraps, or an error. */
export function parseAmazonMessage(raw: Uint8Array): Frame {
  const start = PRELUDE_BYTES + viewOf(raw).getUint32(4);
  const payload = parseJson(decoder.decode(raw.subarray(start, raw.length - CHECKSUM_BYTES)));
  return new Frame(raw, undefined, isObject(payload) ? dataOf(payload) : undefined, "amazon");
}

function dataOf({ bytes, message }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof bytes === "string") return decodedBase64(bytes);
  const error = text(message);
  return error === undefined ? undefined : JSON.stringify({ type: "error", error: { message: error } });
}

function decodedBase64(source: string): string | undefined {
  try {
    return decoder.decode(Uint8Array.from(atob(source), (letter) => letter.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
