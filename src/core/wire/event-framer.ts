import { parseJson } from "./json.ts";

/** One server-sent event with the exact bytes it came in: line ends, comments and `retry:` lines included. */
export class Frame {
  readonly raw: Uint8Array;
  /** The `event:` line; undefined when there is none. */
  readonly event: string | undefined;
  /** The `data:` lines joined by newlines; undefined for a frame of comments only. */
  readonly data: string | undefined;
  private isRead = false;
  private value: unknown;

  constructor(raw: Uint8Array, event: string | undefined, data: string | undefined) {
    this.raw = raw;
    this.event = event;
    this.data = data;
  }

  /** What the data says, read once for all who ask; undefined when it is no JSON. */
  get json(): unknown {
    if (!this.isRead) {
      this.isRead = true;
      this.value = this.data === undefined || this.data === "[DONE]" ? undefined : parseJson(this.data);
    }
    return this.value;
  }
}

const LF = 10;
const CR = 13;
const COLON = 58;
const DEFAULT_LIMIT = 4 << 20;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Cuts a byte stream into events. Joining the `raw` of all frames and of {@link EventFramer.end} gives the stream back, byte for byte, at any
 * chunking. Ends of line are LF, CRLF or CR, as the specification has it.
 */
export class EventFramer {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #held = 0;
  #lineIsEmpty = true;
  #afterCr = false;
  #first = true;

  constructor(limit = DEFAULT_LIMIT) {
    this.#limit = limit;
  }

  /** The frames that this chunk completes. Throws when one event outgrows the limit: the caller then stops observing. */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    // Every byte passes here: fields are read and written once per chunk.
    let [afterCr, lineIsEmpty] = [this.#afterCr, this.#lineIsEmpty];
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte !== LF && byte !== CR && !afterCr) {
        lineIsEmpty = false;
        continue;
      }
      if (afterCr && byte !== LF) {
        // The carriage return alone was the end of the line before this byte.
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
    if (start < chunk.length) this.#hold(start === 0 ? chunk : chunk.subarray(start));
    return frames;
  }

  /** How many bytes wait for the end of their event. */
  get held(): number {
    return this.#held;
  }

  /** What is left when the stream is over: bytes of an event without its blank line. */
  end(): Uint8Array {
    const rest = join(this.#parts, this.#held);
    this.#parts = [];
    this.#held = 0;
    return rest;
  }

  #cut(chunk: Uint8Array, start: number, end: number, frames: Frame[]): number {
    const last = chunk.subarray(start, end);
    const raw = this.#parts.length === 0 ? last : join([...this.#parts, last], this.#held + last.length);
    this.#parts = [];
    this.#held = 0;
    frames.push(parseFrame(raw, this.#first));
    this.#first = false;
    return end;
  }

  #hold(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#held += bytes.length;
    if (this.#held > this.#limit) throw new FrameTooLargeError(this.#limit);
  }
}

/** One event is larger than we are willing to hold. */
export class FrameTooLargeError extends Error {
  readonly code = "frame-too-large";
  constructor(limit: number) {
    super(`an event of more than ${limit} bytes`);
    this.name = "FrameTooLargeError";
  }
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Reads the bytes of one whole event. */
export function parseFrame(raw: Uint8Array, isFirst = false): Frame {
  const text = decoder.decode(raw);
  const hasCr = text.includes("\r");
  let event: string | undefined;
  let data: string | undefined;
  for (let at = 0; at < text.length; ) {
    const end = hasCr ? lineEnd(text, at) : text.indexOf("\n", at);
    // Only the first line of a stream can carry a byte order mark.
    const from = isFirst && at === 0 && text.charCodeAt(0) === 0xfeff ? 1 : at;
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

/** A line that is nothing but the name is that field with an empty value. */
function isField(text: string, name: string, from: number, end: number): boolean {
  const after = from + name.length;
  return text.startsWith(name, from) && (after === end || text.charCodeAt(after) === COLON);
}

/** Frames end with a line end, so there always is one. */
function lineEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && text.charCodeAt(end) !== LF && text.charCodeAt(end) !== CR) end += 1;
  return end;
}

function fieldValue(text: string, from: number, end: number): string {
  return text.slice(text.charCodeAt(from) === 32 ? from + 1 : from, end);
}
