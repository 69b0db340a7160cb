import { isAscii } from "node:buffer";
import { isArray, isObject } from "../../core/model/narrow.ts";
import { type BodyText, decodeUtf8, hasWideEscape, keepValue, withoutByteOrderMark } from "./body-text.ts";
import { type JsonPart, JsonPartScan, type PartValues } from "./json-parts.ts";

/** A body that was read: equal to what parsing all of its bytes gives, once strings pass through `restore`. */
export interface RememberedValue {
  readonly body: unknown;
  readonly restore: BodyText["restore"];
}

/** How much of the last body a new one repeats, in bytes from its start and to its end. */
export interface Overlap {
  readonly prefix: number;
  readonly suffix: number;
}

/** Reads a body value by value. */
export interface BodySteps {
  /** Reads one value, and returns whether there are more. Throws if it is not JSON. */
  readonly step: () => boolean;
  /** Reads what is left. Throws if it is not JSON. */
  readonly end: () => RememberedBody;
}

interface WideCharacters {
  bytes: boolean;
  escapes: boolean;
}

type KnownParts = Pick<PartValues, "known" | "inside">;

const NO_PARTS: readonly JsonPart[] = [];
const NOTHING_KNOWN: KnownParts = { known: () => undefined, inside: () => NO_PARTS };

/** Room for the next turns, so that they are written behind the last one. */
const SLACK = 1.25;
const COMPARED_BYTES = 64;
/** What an object or array takes beside its text. */
const CONTAINER_BYTES = 64;

/**
 * The last body of one conversation, as bytes and as values. The next one is compared with it by bytes, and only the
 * messages that differ are parsed; all others are the same objects as before. So these values must not be changed.
 */
export class RememberedBody {
  #bytes: Buffer;
  #size: number;
  #body: unknown;
  /** Undefined until the next body is compared: a conversation of one request never needs them. */
  #parts: JsonPart[] | undefined;
  /** Whether there are bytes beyond ASCII, or escapes of such characters; with both, values are parsed as UTF-8. */
  #hasWideBytes = false;
  #hasWideEscapes = false;
  /** Objects and arrays in the values, and in those that later bodies replaced. */
  #containers = 0;

  private constructor(bytes: Buffer, size: number) {
    this.#bytes = bytes;
    this.#size = size;
  }

  /** Reads a body whole. Returns undefined for one that is not kept. Throws if it is not JSON. */
  static read(chunks: readonly Buffer[], size: number): RememberedBody | undefined {
    const remembered = new RememberedBody(Buffer.allocUnsafeSlow(Math.ceil(size * SLACK)), size);
    copyChunks(chunks, 0, size, remembered.#bytes);
    if (withoutByteOrderMark(remembered.#bytes) !== remembered.#bytes) return undefined;
    remembered.#readWhole();
    return remembered;
  }

  /** Reads a body whole, in steps. Returns undefined if it cannot be. */
  static inSteps(chunks: readonly Buffer[], size: number): BodySteps | undefined {
    const remembered = new RememberedBody(Buffer.allocUnsafeSlow(Math.ceil(size * SLACK)), size);
    copyChunks(chunks, 0, size, remembered.#bytes);
    const wide = { bytes: false, escapes: false };
    try {
      const scan = remembered.#scan(wide, NOTHING_KNOWN);
      return {
        step() {
          scan.step();
          return !scan.isDone;
        },
        end() {
          while (!scan.isDone) scan.step();
          if (!remembered.#adopt(scan, wide)) remembered.#readWhole();
          return remembered;
        },
      };
    } catch {
      return undefined;
    }
  }

  get value(): RememberedValue {
    const isDecoded = !this.#hasWideBytes || this.#hasWideEscapes;
    return { body: this.#body, restore: isDecoded ? keepValue : decodeUtf8 };
  }

  /** Approximate memory: the bytes, and the values that were parsed from them, as far as they were counted. */
  get weight(): number {
    return this.#bytes.length + this.#size + CONTAINER_BYTES * this.#containers;
  }

  get size(): number {
    return this.#size;
  }

  /** Compares bytes only. */
  overlap(chunks: readonly Buffer[], size: number): Overlap {
    const prefix = commonPrefix(this.#bytes, this.#size, chunks);
    return { prefix, suffix: commonSuffix(this.#bytes, this.#size, chunks, Math.min(this.#size, size) - prefix) };
  }

  /** Reads a body that shares values with this one, and leaves this one as it is. Throws if it is not JSON. */
  fork(chunks: readonly Buffer[], size: number, overlap: Overlap): RememberedBody {
    const known = this.#locate();
    const forked = new RememberedBody(Buffer.allocUnsafeSlow(Math.ceil(size * SLACK)), size);
    copyChunks(chunks, 0, size, forked.#bytes);
    forked.#hasWideBytes = this.#hasWideBytes;
    forked.#hasWideEscapes = this.#hasWideEscapes;
    forked.#containers = this.#containers;
    this.#parts = known;
    if (known === undefined || !forked.#readParts(known, overlap, this.#size)) forked.#readWhole();
    return forked;
  }

  /** Reads the next body of the conversation. Throws if it is not JSON. */
  update(chunks: readonly Buffer[], size: number, overlap: Overlap): void {
    if (overlap.prefix === size && size === this.#size) return;
    const known = this.#locate();
    this.#replaceBytes(chunks, size, overlap);
    const before = this.#size;
    this.#size = size;
    this.#parts = undefined;
    if (known === undefined || !this.#readParts(known, overlap, before)) this.#readWhole();
  }

  /** Finds where the values are. */
  #locate(): JsonPart[] | undefined {
    if (this.#parts !== undefined) return this.#parts;
    // JSON.parse accepted the body.
    const body = this.#body as Readonly<Record<string, unknown>>;
    try {
      const scan = new JsonPartScan(this.#bytes, this.#size, {
        ...NOTHING_KNOWN,
        read: (_start, _end, name, index) =>
          index === undefined ? body[name] : (body[name] as readonly unknown[])[index],
      });
      while (!scan.isDone) scan.step();
      this.#containers = scan.containers;
      // The scan created its own arrays.
      const names = new Map(Object.entries(scan.body).map(([name, value]) => [value, name]));
      for (const part of scan.parts) {
        const name = Array.isArray(part.value) ? names.get(part.value) : undefined;
        if (name !== undefined) part.value = body[name];
      }
      return scan.parts;
    } catch {
      return undefined;
    }
  }

  #replaceBytes(chunks: readonly Buffer[], size: number, { prefix, suffix }: Overlap): void {
    const old = this.#bytes;
    if (size > old.length) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.ceil(size * SLACK));
      old.copy(this.#bytes, 0, 0, prefix);
      old.copy(this.#bytes, size - suffix, this.#size - suffix, this.#size);
    } else old.copyWithin(size - suffix, this.#size - suffix, this.#size);
    copyChunks(chunks, prefix, size - suffix, this.#bytes);
  }

  /** Returns false if the body must be read whole. */
  #readParts(parts: readonly JsonPart[], overlap: Overlap, before: number): boolean {
    const wide = { bytes: this.#hasWideBytes, escapes: this.#hasWideEscapes };
    try {
      const scan = this.#scan(wide, knownParts(parts, overlap, before, this.#size));
      while (!scan.isDone) scan.step();
      return this.#adopt(scan, wide);
    } catch {
      return false;
    }
  }

  /** `wide` says what the known values contain, and at the end what all of them do. */
  #scan(wide: WideCharacters, known: KnownParts): JsonPartScan {
    const encoding = wide.bytes && wide.escapes ? "utf8" : "latin1";
    return new JsonPartScan(this.#bytes, this.#size, {
      ...known,
      read: (start, end) => {
        const text = this.#bytes.toString(encoding, start, end);
        wide.bytes ||= !isAscii(this.#bytes.subarray(start, end));
        wide.escapes ||= hasWideEscape(text);
        return JSON.parse(text);
      },
    });
  }

  /** Returns false if the values must be parsed another way, because of what was found in a later one. */
  #adopt({ body, parts, containers }: JsonPartScan, wide: WideCharacters): boolean {
    const wasUtf8 = this.#hasWideBytes && this.#hasWideEscapes;
    if (wide.bytes && wide.escapes && !wasUtf8) return false;
    this.#body = body;
    this.#parts = parts;
    this.#containers += containers;
    this.#hasWideBytes = wide.bytes;
    this.#hasWideEscapes = wide.escapes;
    return true;
  }

  #readWhole(): void {
    this.#containers = 0;
    const bytes = this.#bytes.subarray(0, this.#size);
    const text = bytes.toString("latin1");
    this.#hasWideBytes = !isAscii(bytes);
    this.#hasWideEscapes = hasWideEscape(text);
    this.#body = JSON.parse(this.#hasWideBytes && this.#hasWideEscapes ? bytes.toString("utf8") : text);
    if (isObject(this.#body)) for (const value of Object.values(this.#body)) if (isArray(value)) Object.freeze(value);
  }
}

/** Finds values of the last body in the bytes that both bodies share. */
function knownParts(parts: readonly JsonPart[], { prefix, suffix }: Overlap, before: number, size: number): KnownParts {
  const moved = size - before;
  const firstInSuffix = before - suffix;
  let next = 0;
  let isMoved = false;
  return {
    known(start) {
      const inSuffix = start - moved >= firstInSuffix;
      const wanted = inSuffix ? start - moved : start;
      if (!inSuffix && start >= prefix) return undefined;
      while (next < parts.length && (parts[next] as JsonPart).start < wanted) next += 1;
      const part = parts[next];
      if (part === undefined || part.start !== wanted || (!inSuffix && !isWithin(part, prefix))) return undefined;
      next += 1;
      isMoved = inSuffix && moved !== 0;
      return isMoved ? movedPart(part, moved) : part;
    },
    inside(known) {
      const end = isMoved ? known.end - moved : known.end;
      if ((parts[next]?.start ?? end) >= end) return NO_PARTS;
      const inner: JsonPart[] = [];
      for (let part = parts[next]; part !== undefined && part.start < end; part = parts[next]) {
        inner.push(isMoved ? movedPart(part, moved) : part);
        next += 1;
      }
      return inner;
    },
  };
}

/** Whether a value ends within the bytes. A number may go on where they end. */
function isWithin({ end, value }: JsonPart, prefix: number): boolean {
  return (
    end < prefix || (end === prefix && (typeof value === "string" || (typeof value === "object" && value !== null)))
  );
}

function movedPart({ start, end, value }: JsonPart, by: number): JsonPart {
  return { start: start + by, end: end + by, value };
}

/** Copies the bytes of a body from `from` to `to` to the same place in `target`. */
function copyChunks(chunks: readonly Buffer[], from: number, to: number, target: Buffer): void {
  let at = 0;
  for (const chunk of chunks) {
    const [start, end] = [Math.max(from - at, 0), Math.min(to - at, chunk.length)];
    if (start < end) chunk.copy(target, at + start, start, end);
    at += chunk.length;
  }
}

function commonPrefix(known: Buffer, size: number, chunks: readonly Buffer[]): number {
  let at = 0;
  for (const chunk of chunks) {
    const length = Math.min(chunk.length, size - at);
    const equal = equalFromStart(known, at, chunk, length);
    at += equal;
    if (equal < chunk.length) break;
  }
  return at;
}

function equalFromStart(known: Buffer, at: number, chunk: Buffer, length: number): number {
  if (isEqual(known, at, chunk, 0, length)) return length;
  let [equal, differs] = [0, length];
  while (differs - equal > COMPARED_BYTES) {
    const middle = (equal + differs) >> 1;
    if (isEqual(known, at + equal, chunk, equal, middle - equal)) equal = middle;
    else differs = middle;
  }
  while (equal < differs && known[at + equal] === chunk[equal]) equal += 1;
  return equal;
}

/** At most `limit` bytes. */
function commonSuffix(known: Buffer, size: number, chunks: readonly Buffer[], limit: number): number {
  let found = 0;
  for (let n = chunks.length - 1; n >= 0 && found < limit; n -= 1) {
    const chunk = chunks[n] as Buffer;
    const length = Math.min(chunk.length, limit - found);
    const equal = equalFromEnd(known, size - found, chunk, length);
    found += equal;
    if (equal < chunk.length) break;
  }
  return found;
}

function equalFromEnd(known: Buffer, end: number, chunk: Buffer, length: number): number {
  const last = chunk.length;
  if (isEqual(known, end - length, chunk, last - length, length)) return length;
  let [equal, differs] = [0, length];
  while (differs - equal > COMPARED_BYTES) {
    const middle = (equal + differs) >> 1;
    if (isEqual(known, end - middle, chunk, last - middle, middle - equal)) equal = middle;
    else differs = middle;
  }
  while (equal < differs && known[end - equal - 1] === chunk[last - equal - 1]) equal += 1;
  return equal;
}

function isEqual(a: Buffer, atA: number, b: Buffer, atB: number, length: number): boolean {
  return length === 0 || a.compare(b, atB, atB + length, atA, atA + length) === 0;
}
