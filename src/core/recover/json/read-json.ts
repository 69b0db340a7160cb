import type { Json } from "../../model/tool-call.ts";
import type { KeyDoubt } from "../arguments-fit.ts";
import { NEED_MORE, Text } from "../lex/text.ts";
import { findJsonEnd } from "./strict.ts";
import { readTolerant, type TolerantOptions, type TolerantReader } from "./tolerant.ts";
import type { Repair } from "./values.ts";

/** A value that was read. */
export interface JsonValue {
  readonly kind: "value";
  readonly value: Json;
  readonly end: number;
  readonly repairs: readonly Repair[];
  /** Keys that may belong to the value before them. */
  readonly keyDoubts: ReadonlyMap<string, KeyDoubt>;
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
  /** Where damaged text must end at the latest: the next opener of the same kind. Strict JSON may pass it. */
  readonly boundary?: string;
}

const NO_REPAIRS: readonly Repair[] = [];
const NO_DOUBTS: ReadonlyMap<string, KeyDoubt> = new Map();
const MAX_CLOSED_CHARS = 65_536;
/** Repairs that guess where something begins or ends; all others only change how it is written. */
const GUESSES: readonly Repair[] = ["bare-value", "inserted-comma", "unescaped-quote"];

/**
 * Reads the JSON value that starts at `start` of a complete text: strictly when it is JSON, tolerantly when it is not.
 *
 * @example
 * readJson("{'a': True}") // { kind: "value", value: { a: true }, end: 11, repairs: [...], ... }
 */
export function readJson(text: string, start = 0, options: ReadJsonOptions = {}): JsonRead {
  return jsonAt(new Text(text, true), start, options);
}

/**
 * Reads a text that is one object or list and nothing else, whitespace aside. `undefined` for other texts, and where a
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
      return { kind: "value", value, end: found.end, repairs: NO_REPAIRS, keyDoubts: NO_DOUBTS };
    } catch {
      // Not JSON: the tolerant reader names the difference.
    }
  }
  if (found.kind === "open") {
    if (!final) throw NEED_MORE;
    // As far as it goes it is JSON, in which only a string can hold an opener.
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
 * quote. It is part of the string if parsing on needs no guess; otherwise nothing is parsed.
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

function complete(value: Json, { i: end, repairs, keyDoubts }: TolerantReader): JsonRead {
  return { kind: "value", value, end, repairs: [...repairs], keyDoubts };
}

/**
 * Reads a value whose end is known although it does not close all its brackets: its envelope was closed. Only brackets
 * may be missing, so the text must end with one.
 */
export function readDelimited(source: Text, start: number, end: number): JsonRead {
  const last = source.text.slice(start, end).trimEnd().at(-1);
  const { value, reader } = readTolerant(new Text(source.text, true, end), start);
  const isWhole = value !== undefined && (last === "}" || last === "]") && !reader.inString && !isGuessed(reader);
  if (!isWhole || source.text.slice(reader.i, end).trim() !== "") return { kind: "none", at: start };
  if (reader.isOpen) reader.repairs.add("closed-brackets");
  return complete(value, reader);
}

/** What can be saved of a value that the end of the text cut off, for showing; never for running. */
export function closeTruncated({ text, length }: Text, start: number, options?: TolerantOptions): Json | undefined {
  return readTolerant(new Text(text, true, Math.min(length, start + MAX_CLOSED_CHARS)), start, options).value;
}

function boundaryAfter({ text, length }: Text, from: number, boundary: string | undefined): number {
  if (boundary === undefined) return length;
  const at = text.indexOf(boundary, from);
  return at === -1 || at > length ? length : at;
}
