import { BYTE_ORDER_MARK, COLON, SPACE } from "../text/char-codes.ts";
import { isDone } from "./done-event.ts";
import { parseJson } from "./json.ts";

/** One server-sent event with its exact bytes, including line ends, comments and `retry:` lines. */
export class Frame {
  readonly raw: Uint8Array;
  /** Value of the `event:` line, if present. */
  readonly event: string | undefined;
  /** The `data:` lines joined by newlines; undefined for a frame that has only comments. */
  readonly data: string | undefined;
  /** How the frame is separated from others; see `framing.ts`. */
  readonly framing: "events" | "lines" | "array";
  private isParsed = false;
  private value: unknown;

  constructor(
    raw: Uint8Array,
    event: string | undefined,
    data: string | undefined,
    framing: Frame["framing"] = "events",
  ) {
    this.raw = raw;
    this.event = event;
    this.data = data;
    this.framing = framing;
  }

  /** The parsed data, cached because several observers need it; undefined if it is not JSON. */
  get json(): unknown {
    if (!this.isParsed) {
      this.isParsed = true;
      this.value = this.data === undefined || isDone(this.data) ? undefined : parseJson(this.data);
    }
    return this.value;
  }
}

// Not imported: in the loop over every byte, constants of the same module are faster.
const LF = 10;
const CR = 13;
const DEFAULT_MAX_EVENT_BYTES = 4 << 20;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Splits a byte stream into events. Joining the `raw` of all frames and of {@link EventFramer.end} reproduces the
 * stream byte for byte, however it was chunked. Lines end with LF, CRLF or CR, as the specification allows.
 */
export class EventFramer {
  readonly #limit: number;
  #buffered: Uint8Array[] = [];
  #bufferedBytes = 0;
  #lineIsEmpty = true;
  #afterCr = false;
  #first = true;

  constructor(limit = DEFAULT_MAX_EVENT_BYTES) {
    this.#limit = limit;
  }

  /**
   * Returns the frames completed by this chunk. Throws when an event exceeds the limit; the caller then stops
   * observing.
   */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    // Hot loop over every byte: the fields are loaded and stored once per chunk.
    let [afterCr, lineIsEmpty] = [this.#afterCr, this.#lineIsEmpty];
    for (let at = 0; at < chunk.length; at += 1) {
      // The loop ends before the index does; a check per byte would cost time.
      const byte = chunk[at] as number;
      if (byte !== LF && byte !== CR && !afterCr) {
        lineIsEmpty = false;
        continue;
      }
      if (afterCr && byte !== LF) {
        // The previous carriage return ended its line by itself.
        if (lineIsEmpty) start = this.#cut(chunk, start, at, frames);
        lineIsEmpty = true;
      }
      afterCr = byte === CR;
      if (byte === LF) {
        if (lineIsEmpty) start = this.#cut(chunk, start, at + 1, frames);
        lineIsEmpty = true;
      } else if (byte !== CR) {
        lineIsEmpty = false;
      }
    }
    [this.#afterCr, this.#lineIsEmpty] = [afterCr, lineIsEmpty];
    if (start < chunk.length) this.#buffer(start === 0 ? chunk : chunk.subarray(start));
    return frames;
  }

  /** Number of bytes buffered for an incomplete event. */
  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  /** Returns the bytes of the last event if the stream ended without its blank line. */
  end(): Uint8Array {
    const remainder = joinBytes(this.#buffered, this.#bufferedBytes);
    this.#buffered = [];
    this.#bufferedBytes = 0;
    return remainder;
  }

  #cut(chunk: Uint8Array, start: number, end: number, frames: Frame[]): number {
    const last = chunk.subarray(start, end);
    const raw =
      this.#buffered.length === 0 ? last : joinBytes([...this.#buffered, last], this.#bufferedBytes + last.length);
    this.#buffered = [];
    this.#bufferedBytes = 0;
    frames.push(parseFrame(raw, this.#first));
    this.#first = false;
    return end;
  }

  #buffer(bytes: Uint8Array): void {
    this.#buffered.push(bytes);
    this.#bufferedBytes += bytes.length;
    if (this.#bufferedBytes > this.#limit) throw new FrameTooLargeError(this.#limit);
  }
}

/** An event exceeds the buffer limit. */
export class FrameTooLargeError extends Error {
  readonly code = "frame-too-large";
  constructor(limit: number) {
    super(`Event exceeds the limit of ${limit} bytes`);
    this.name = "FrameTooLargeError";
  }
}

/** Joins byte arrays of this total length. A single one is not copied. */
export function joinBytes(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Parses the bytes of one complete event. */
export function parseFrame(raw: Uint8Array, isFirst = false): Frame {
  const text = decoder.decode(raw);
  const hasCr = text.includes("\r");
  let event: string | undefined;
  let data: string | undefined;
  for (let at = 0; at < text.length; ) {
    const end = hasCr ? lineEnd(text, at) : text.indexOf("\n", at);
    // Only the first line of a stream can start with a byte order mark.
    const from = isFirst && at === 0 && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : at;
    if (isField(text, "data", from, end)) {
      const value = fieldValue(text, from + 5, end);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (isField(text, "event", from, end)) {
      event = fieldValue(text, from + 6, end);
    }
    at = end + 1;
  }
  return new Frame(raw, event, data);
}

/** True if the line has this field name. A line without a colon is a field with an empty value. */
function isField(text: string, name: string, from: number, end: number): boolean {
  const after = from + name.length;
  return text.startsWith(name, from) && (after === end || text.charCodeAt(after) === COLON);
}

/** Every frame ends with a line break, so the search always finds one. */
function lineEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && text.charCodeAt(end) !== LF && text.charCodeAt(end) !== CR) end += 1;
  return end;
}

function fieldValue(text: string, from: number, end: number): string {
  return text.slice(text.charCodeAt(from) === SPACE ? from + 1 : from, end);
}
