import { isAscii } from "node:buffer";
import { isArray, isObject } from "../../core/model/narrow.ts";

/** A JSON body as text that is cheap to parse. Parsed values must pass through `restore` before they are stored. */
export interface BodyText {
  readonly text: string;
  /** Returns the value that parsing the body as UTF-8 would have given. */
  readonly restore: <T>(value: T) => T;
}

/**
 * Returns the text of a JSON body. Most of a body is history that was recorded before, and decoding UTF-8 costs as much
 * as parsing. So the body is read as latin1, which is a plain copy, and only the strings that are stored are decoded.
 * This is safe because the syntax of JSON is ASCII.
 */
export function bodyText(chunks: readonly Buffer[]): BodyText {
  const bytes = withoutByteOrderMark(join(chunks));
  const text = bytes.toString("latin1");
  if (isAscii(bytes)) return { text, restore: keepValue };
  return hasWideEscape(text) ? { text: bytes.toString("utf8"), restore: keepValue } : { text, restore: decodeUtf8 };
}

/** Some clients and gateways write a byte order mark before a body, which JSON does not allow. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

const SCRATCH_BYTES = 1 << 20;
let scratch: Buffer | undefined;

/**
 * Joins chunks in a reused buffer, because memory outside the heap is costly to collect. The result is valid until the
 * next call.
 */
function join(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (size > SCRATCH_BYTES) return Buffer.concat(chunks, size);
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  let end = 0;
  for (const chunk of chunks) end += chunk.copy(scratch, end);
  return scratch.subarray(0, end);
}

/** For values that need no decoding. */
export function keepValue<T>(value: T): T {
  return value;
}

/**
 * Whether the text has an escape beyond ASCII. After parsing, such a character could not be distinguished from a raw
 * byte. Clients use either escapes or raw characters, so the slow path is rare.
 */
export function hasWideEscape(text: string): boolean {
  for (let at = text.indexOf("\\u"); at !== -1; at = text.indexOf("\\u", at + 2)) {
    if (!text.startsWith("00", at + 2) || text.charAt(at + 4) > "7") return true;
  }
  return false;
}

const BEYOND_ASCII = /[\x80-\xff]/;

/** Decodes the strings of a value that was parsed from bytes read as latin1. */
export function decodeUtf8<T>(value: T): T {
  // Decoding changes only the characters of texts.
  return decodeValue(value) as T;
}

/** Returns the same value if all of it is ASCII. Most values are, and a copy costs more than the check. */
function decodeValue(value: unknown): unknown {
  if (typeof value === "string") return decodeText(value);
  if (isArray(value)) return decodeItems(value);
  if (!isObject(value)) return value;
  let copy: [string, unknown][] | undefined;
  const names = Object.keys(value);
  for (const [at, name] of names.entries()) {
    const inner = value[name];
    const [decodedName, decodedInner] = [decodeText(name), decodeValue(inner)];
    if (copy === undefined && decodedName === name && decodedInner === inner) continue;
    copy ??= names.slice(0, at).map((before) => [before, value[before]]);
    copy.push([decodedName, decodedInner]);
  }
  return copy === undefined ? value : Object.fromEntries(copy);
}

function decodeText(text: string): string {
  return BEYOND_ASCII.test(text) ? Buffer.from(text, "latin1").toString("utf8") : text;
}

function decodeItems(items: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [at, item] of items.entries()) {
    const decoded = decodeValue(item);
    if (decoded === item) continue;
    copy ??= [...items];
    copy[at] = decoded;
  }
  return copy ?? items;
}
