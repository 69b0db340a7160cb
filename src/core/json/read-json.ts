import type { Json } from "../model/tool-call.ts";
import { NEED_MORE, skipWhitespace, Text } from "../text/cursor.ts";
import { readTolerant, type TolerantOptions, type TolerantReader } from "./tolerant.ts";
import { type KeyDoubt, MAX_DEPTH, type Repair } from "./values.ts";

/** A value that was read. */
export interface JsonValue {
  readonly kind: "value";
  readonly value: Json;
  readonly end: number;
  readonly repairs: readonly Repair[];
  /** Keys that may belong to the value before them. */
  readonly keyDoubts: ReadonlyMap<string, KeyDoubt>;
  /** A key occurs twice in one object, with different values. The last one is kept, as `JSON.parse` does. */
  readonly isContradictory: boolean;
}

/**
 * `open`: the complete text ended inside the value. `none`: parsing failed at `at`. `inString`: a string was open at the
 * end, or at the next opener, so the text there may be its data.
 */
export type JsonRead =
  | JsonValue
  | { readonly kind: "open"; readonly inString: boolean }
  | { readonly kind: "none"; readonly at: number; readonly inString?: boolean };

export interface ReadJsonOptions extends TolerantOptions {
  /** The latest end of damaged text: the next opener of the same kind. Strict JSON may pass it. */
  readonly boundary?: string;
}

const NO_REPAIRS: readonly Repair[] = [];
const NO_DOUBTS: ReadonlyMap<string, KeyDoubt> = new Map();
const MAX_CLOSED_CHARS = 65_536;
/** Repairs that guess where something begins or ends. All others only change notation. */
const GUESSES: readonly Repair[] = ["bare-value", "inserted-comma", "unescaped-quote"];

/**
 * Reads the JSON value that starts at `start` of a complete text: strictly if it is JSON, otherwise tolerantly.
 *
 * @example
 * readJson("{'a': True}") // { kind: "value", value: { a: true }, end: 11, repairs: [...], ... }
 */
export function readJson(text: string, start = 0, options: ReadJsonOptions = {}): JsonRead {
  return jsonAt(new Text(text, true), start, options);
}

/**
 * Reads a text that is a single object or list, apart from whitespace. Returns `undefined` for other texts, and where a
 * key may belong to the value before it.
 */
export function readWholeJson(text: string, options: ReadJsonOptions = {}): JsonValue | undefined {
  const start = text.search(/\S/);
  if (text[start] !== "{" && text[start] !== "[") return undefined;
  const read = readJson(text, start, options);
  const isWhole = read.kind === "value" && read.keyDoubts.size === 0 && text.slice(read.end).trim() === "";
  return isWhole ? read : undefined;
}

/** Reads the JSON value at `start`. Throws `NEED_MORE` if later text may complete or change it. */
export function jsonAt(source: Text, start: number, options: ReadJsonOptions = {}): JsonRead {
  const { text, length, final } = source;
  const found = findJsonEnd(text, start, length);
  if (found.kind === "deep") return { kind: "none", at: found.at };
  if (found.kind === "end" && !found.bigNumbers) {
    try {
      const value = JSON.parse(text.slice(start, found.end)) as Json;
      const isContradictory = countMembers(value) < found.colons && contradicts(text, start, found.end);
      return { kind: "value", value, end: found.end, repairs: NO_REPAIRS, keyDoubts: NO_DOUBTS, isContradictory };
    } catch {
      // Not JSON: the tolerant reader reports the difference.
    }
  }
  if (found.kind === "open") {
    if (!final) throw NEED_MORE;
    // Up to that point it is JSON, in which only a string can contain an opener.
    return { kind: "open", inString: true };
  }
  const oddAt = found.kind === "odd" ? found.at : start + 1;
  const bound = boundaryAfter(source, found.kind === "odd" ? found.since : oddAt, options.boundary);
  const isBounded = bound < length;
  const { value, reader } = readTolerant(isBounded ? new Text(text, true, bound) : source, start, options);
  if (value === undefined) return { kind: "none", at: Math.max(oddAt, reader.i) };
  if (isBounded && reader.inString) return readAcross(source, start, bound, options);
  if (reader.isOpen) return isBounded ? { kind: "none", at: bound } : { kind: "open", inString: reader.inString };
  if (!isBounded && !final && reader.i >= length) throw NEED_MORE;
  return complete(value, reader);
}

/**
 * Handles a string that is open at the next opener. Either the opener is part of the string, or the string lost its
 * closing quote. It is part of the string if parsing can continue without a guess; otherwise nothing is parsed.
 */
function readAcross(source: Text, start: number, bound: number, options: ReadJsonOptions): JsonRead {
  const { value, reader } = readTolerant(source, start, options);
  const isDone = value !== undefined && !reader.isOpen && (source.final || reader.i < source.length);
  if (isDone && !reader.repairs.has("closed-brackets") && !isGuessed(reader)) return complete(value, reader);
  if (!source.final) throw NEED_MORE;
  return { kind: "none", at: bound, inString: true };
}

function isGuessed({ repairs }: TolerantReader): boolean {
  return GUESSES.some((guess) => repairs.has(guess));
}

function complete(value: Json, { i: end, repairs, keyDoubts, isContradictory }: TolerantReader): JsonRead {
  return { kind: "value", value, end, repairs: [...repairs], keyDoubts, isContradictory };
}

/** The members of all objects in a value. */
function countMembers(root: Json): number {
  let count = 0;
  const pending: Json[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const inner = Object.values(value);
    if (!Array.isArray(value)) count += inner.length;
    for (const one of inner) if (typeof one === "object") pending.push(one);
  }
  return count;
}

/** Whether a key of strict JSON occurs twice with different values. */
function contradicts(text: string, start: number, end: number): boolean {
  return readTolerant(new Text(text, true, end), start).reader.isContradictory;
}

const MAX_LITERAL = 5;
/** What whole values end with: a bracket, a quote, a number or a literal. */
const VALUE_END = /(?:[}\]"\d]|true|false|null)$/;

/**
 * Reads a value whose end is known although some brackets are not closed, because its envelope was closed. Only
 * brackets may be missing, so the text must end with a whole value.
 */
export function readDelimited(source: Text, start: number, end: number): JsonRead {
  const last = source.text.slice(start, end).trimEnd().slice(-MAX_LITERAL);
  const { value, reader } = readTolerant(new Text(source.text, true, end), start);
  const isWhole = value !== undefined && VALUE_END.test(last) && !reader.inString && !isGuessed(reader);
  if (!isWhole || source.text.slice(reader.i, end).trim() !== "") return { kind: "none", at: start };
  if (reader.isOpen) reader.repairs.add("closed-brackets");
  return complete(value, reader);
}

/** The readable part of a value that the end of the text cut off. For display; never for running. */
export function closeTruncated({ text, length }: Text, start: number, options?: TolerantOptions): Json | undefined {
  return readTolerant(new Text(text, true, Math.min(length, start + MAX_CLOSED_CHARS)), start, options).value;
}

function boundaryAfter({ text, length }: Text, from: number, boundary: string | undefined): number {
  if (boundary === undefined) return length;
  const at = text.indexOf(boundary, from);
  return at === -1 || at > length ? length : at;
}

/** `end`: the value ends before this index. `open`: the text ended first. `odd`: not well formed from `at` on. */
type JsonEnd =
  | { readonly kind: "end"; readonly end: number; readonly bigNumbers: boolean; readonly colons: number }
  | { readonly kind: "open" }
  /** `since`: start of the last string before it, which may be the cause. */
  | { readonly kind: "odd"; readonly at: number; readonly since: number }
  | { readonly kind: "deep"; readonly at: number };

const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;

/** Classes of characters outside strings. */
const [BLANK, SEPARATOR, OPEN, CLOSE, DIGIT, LETTER, STRING] = [1, 2, 3, 4, 5, 6, 7] as const;
const CLASSES = new Uint8Array(128);
const classify = (characters: string, kind: number): void => {
  for (const c of characters) CLASSES[c.charCodeAt(0)] = kind;
};
classify(" \n\r\t", BLANK);
classify(",:", SEPARATOR);
classify("{[", OPEN);
classify("}]", CLOSE);
classify("0123456789", DIGIT);
// The other characters of JSON outside strings: + - . E e and the letters of true, false, null.
classify("+-.Eabcdefghijklmnopqrstu", LETTER);
classify('"', STRING);

/**
 * Finds the end of the object or array at `start` without building it. Checks just enough of the grammar (brackets
 * match, punctuation follows a string) to stop early where `JSON.parse` would fail. Otherwise one lost quote would make
 * it read damaged text to the end.
 */
function findJsonEnd(text: string, start: number, limit: number): JsonEnd {
  const stack: number[] = [];
  let bigNumbers = false;
  let colons = 0;
  let digits = 0;
  let afterString = false;
  let since = start;
  for (let i = start; i < limit; i++) {
    const c = text.charCodeAt(i);
    const kind = c < 128 ? (CLASSES[c] as number) : 0;
    if (kind === BLANK) digits = 0;
    else if (kind === CLOSE) {
      if (stack.pop() !== (c === 125 ? 123 : 91)) return { kind: "odd", at: i, since };
      if (stack.length === 0) return { kind: "end", end: i + 1, bigNumbers, colons };
      afterString = false;
      digits = 0;
    } else if (kind === SEPARATOR) {
      if (c === COLON) colons += 1;
      afterString = false;
      digits = 0;
    } else if (afterString || kind === 0) return { kind: "odd", at: i, since };
    else if (kind === STRING) {
      const close = closingQuote(text, i + 1, limit);
      since = i;
      if (close < 0) return close === -2 ? { kind: "odd", at: i, since } : { kind: "open" };
      afterString = true;
      i = close;
    } else if (kind === OPEN) {
      if (stack.length >= MAX_DEPTH) return { kind: "deep", at: i };
      stack.push(c);
      digits = 0;
    } else if (kind === DIGIT) {
      digits += 1;
      if (digits > 15) bigNumbers = true;
    } else digits = 0;
  }
  return { kind: "open" };
}

/** Index of the quote that closes the string, -1 when the text ends first, -2 at a raw control character. */
function closingQuote(text: string, from: number, limit: number): number {
  for (let i = from; i < limit; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) return i;
    if (c === BACKSLASH) i += 1;
    else if (c < 32) return -2;
  }
  return -1;
}

/** Where a value starts and ends. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The ranges of the top-level members of strict JSON: by key for an object, by index for a list. */
export function memberRanges(text: string, start: number): ReadonlyMap<string, Range> {
  const ranges = new Map<string, Range>();
  const object = text[start] === "{";
  let i = skipWhitespace(text, start + 1, text.length);
  while (i < text.length && text[i] !== "}" && text[i] !== "]") {
    let key = String(ranges.size);
    if (object) {
      const close = closingQuote(text, i + 1, text.length) + 1;
      key = text.slice(i + 1, close - 1);
      i = skipWhitespace(text, skipWhitespace(text, close, text.length) + 1, text.length);
    }
    const end = valueEnd(text, i);
    if (end <= i) break;
    ranges.set(key, { start: i, end });
    i = skipWhitespace(text, end, text.length);
    if (text[i] === ",") i = skipWhitespace(text, i + 1, text.length);
  }
  return ranges;
}

function valueEnd(text: string, start: number): number {
  const c = text[start];
  if (c === "{" || c === "[") {
    const found = findJsonEnd(text, start, text.length);
    return found.kind === "end" ? found.end : start;
  }
  if (c === '"') return closingQuote(text, start + 1, text.length) + 1;
  let i = start;
  while (i < text.length && !",}] \n\r\t".includes(text[i] as string)) i += 1;
  return i;
}
