/** One server-sent event with the exact bytes it came in: line ends, comments and `retry:` lines included. */
export interface Frame {
  readonly raw: Uint8Array;
  /** The `event:` line; undefined when there is none. */
  readonly event: string | undefined;
  /** The `data:` lines joined by newlines; undefined for a frame of comments only. */
  readonly data: string | undefined;
}

const LF = 10;
const CR = 13;
const COLON = 58;
const DEFAULT_LIMIT = 4 << 20;

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
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#afterCr) {
        this.#afterCr = false;
        if (byte === LF) {
          if (this.#endLine()) start = this.#cut(chunk, start, at + 1, frames);
          continue;
        }
        if (this.#endLine()) start = this.#cut(chunk, start, at, frames);
      }
      if (byte === LF) {
        if (this.#endLine()) start = this.#cut(chunk, start, at + 1, frames);
      } else if (byte === CR) {
        this.#afterCr = true;
      } else {
        this.#lineIsEmpty = false;
      }
    }
    if (start < chunk.length) this.#hold(start === 0 ? chunk : chunk.subarray(start));
    return frames;
  }

  /** What is left when the stream is over: bytes of an event without its blank line. */
  end(): Uint8Array {
    const rest = join(this.#parts, this.#held);
    this.#parts = [];
    this.#held = 0;
    return rest;
  }

  /** True when the line was empty: then the event is over. */
  #endLine(): boolean {
    const wasEmpty = this.#lineIsEmpty;
    this.#lineIsEmpty = true;
    return wasEmpty;
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

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function parseFrame(raw: Uint8Array, isFirst: boolean): Frame {
  const text = decoder.decode(raw);
  let event: string | undefined;
  let data: string | undefined;
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (end < text.length && text.charCodeAt(end) !== LF && text.charCodeAt(end) !== CR) end += 1;
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
  return { raw, event, data };
}

/** A line that is nothing but the name is that field with an empty value. */
function isField(text: string, name: string, from: number, end: number): boolean {
  const after = from + name.length;
  return text.startsWith(name, from) && (after === end || text.charCodeAt(after) === COLON);
}

function fieldValue(text: string, from: number, end: number): string {
  return text.slice(text.charCodeAt(from) === 32 ? from + 1 : from, end);
}
