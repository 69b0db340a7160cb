import { closeTruncated } from "../../json/read-json.ts";
import { readTolerant, TolerantReader, Unreadable } from "../../json/tolerant.ts";
import { canonicalJson, isPlainObject, objectOf, type Repair } from "../../json/values.ts";
import type { Json } from "../../model/tool-call.ts";
import { listedKeys, propertyOf } from "../../schema/lookup.ts";
import { typedValue } from "../coerce.ts";
import { isNameChar } from "../lex/token.ts";
import { called, type Envelope, no, type Payload, type Read, readSequence, type Source, skipFence } from "./payload.ts";
import { damagedBodyEnd } from "./tree.ts";

const MAX_NAME = 200;
const MAX_KEY = 120;
const MAX_PAIR_CHARS = 4096;

/** What may be around a call: `print(f())`, and `python(f())` as Gemini writes it. */
const PRINTS: ReadonlySet<string> = new Set(["print", "python"]);

/** `[f(a=1), g()]`, or one call per line, whose result may be assigned and printed. */
export const pythonicCalls: Payload = (source, from) => {
  const { at, fenced } = skipFence(source, from);
  if (!startsStatement(source, at)) return undefined;
  const isListed = source.at(at) === "[";
  const read = isListed
    ? readPythonic(source, at)
    : readSequence(
        source,
        at,
        (i) => readStatement(source, i),
        (i) => source.at(i) !== "[" && startsStatement(source, i),
      );
  return read.kind === "done" ? { ...read, fenced } : read;
};

function startsStatement(source: Source, at: number): boolean {
  return startsPythonic(source, assignedTo(source, at)?.end ?? at, false);
}

/** The variable of `a = f()`. */
function assignedTo(source: Source, at: number): { readonly name: string; readonly end: number } | undefined {
  const end = source.skipWhile(at, MAX_KEY, isNameChar);
  if (source.at(end) !== " " || end === at || !source.startsWith(" = ", end)) return undefined;
  return { name: source.text.slice(at, end), end: end + " = ".length };
}

/** A call, and that its result is printed. */
function readStatement(source: Source, at: number): Read {
  const variable = assignedTo(source, at);
  const read = readCall(source, variable?.end ?? at);
  if (variable === undefined || read.kind === "no") return read;
  const next = source.skipBlanks(read.end);
  const print = `print(${variable.name})`;
  return source.startsWith(print, next) ? { ...read, end: next + print.length } : read;
}

/** The same without an envelope: the first name must be declared. */
export const weakPythonic: Payload = (source, at) =>
  startsPythonic(source, at, true) ? readPythonic(source, at) : undefined;

function startsPythonic(source: Source, at: number, declared: boolean): boolean {
  const from = source.at(at) === "[" ? source.skipBlanks(at + 1) : at;
  const end = callHeadEnd(source, from);
  if (end === undefined || !declared || source.tools.size === 0) return end !== undefined;
  if (isDeclaredName(source, from, end)) return true;
  const inner = source.text.slice(from, end) === "python" ? source.skipBlanks(end + 1) : undefined;
  const innerEnd = inner === undefined ? undefined : callHeadEnd(source, inner);
  return inner !== undefined && innerEnd !== undefined && isDeclaredName(source, inner, innerEnd);
}

/** The end of the name of `f(`. */
function callHeadEnd(source: Source, from: number): number | undefined {
  const end = source.skipWhile(from, MAX_NAME, isNameChar);
  return source.at(end) === "(" && end > from ? end : undefined;
}

function isDeclaredName({ text, tools }: Source, from: number, end: number): boolean {
  const name = text.slice(from, end);
  return tools.has(name) || tools.has(name.slice(name.lastIndexOf(".") + 1));
}

function readPythonic(source: Source, at: number): Read {
  const listed = source.at(at) === "[";
  const read = readSequence(
    source,
    listed ? source.skipBlanks(at + 1) : at,
    (i) => readCall(source, i),
    (i) => source.at(i) !== "[" && startsPythonic(source, i, false),
  );
  if (read.kind === "no" || !listed) return read;
  const { next, refused } = read;
  if (refused !== undefined) return refused;
  if (source.at(next) === "]") return { ...read, end: next + 1 };
  // A list that a closer or the end of the text ends: its bracket is lost.
  return "<".includes(source.at(next)) ? { ...read, repairs: [...read.repairs, "missing-closer"] } : no(next);
}

/** Reads `f(a=1, "x")`. */
function readCall(source: Source, at: number, printed = false): Read {
  const { text, tools } = source;
  const open = source.skipWhile(at, MAX_NAME, isNameChar);
  if (source.isEnd(open)) return no(open, "truncated");
  if (source.at(open) !== "(" || open === at) return no(open);
  const written = text.slice(at, open);
  if (PRINTS.has(written) && !printed && !tools.has(written)) return readPrinted(source, open + 1);
  const name = written.endsWith(".call") && !tools.has(written) ? written.slice(0, -5) : written;
  return readParenthesized(source, open, name);
}

/** Reads the arguments in the parentheses at `open`. */
export function readParenthesized(source: Source, open: number, name: string): Read {
  const { text } = source;
  const read = readMembers(source, open + 1, ")");
  const { reader, entries, positional } = read;
  if (read.isUnread) return no(reader.i);
  if (reader.isOpen) return no(text.length, "truncated", undefined, reader.inString ? text.length : undefined);
  const repairs = [...reader.repairs].filter((repair) => !PYTHONS_OWN.has(repair));
  if (positional.length > 0) {
    if (!placePositional(source, name, positional, entries)) return no(reader.i);
    repairs.push("positional-arguments");
  }
  // A word without quotes is a variable, whose value is not in the text, or a text without a certain end.
  const isUncertain = reader.repairs.has("bare-value") || reader.keyDoubts.size > 0;
  const isAmbiguous = isUncertain || read.isDisordered || isContradictory(entries);
  const doubts = isAmbiguous ? { ambiguous: true } : undefined;
  return called(name, objectOf(entries), text.slice(open + 1, reader.i), reader.i + 1, { doubts, repairs });
}

/** Reads `a=1 b="x"`, separated by blanks or commas, up to `closer` or the end of the text. */
export function readPairs(source: Source, at: number, name: string, closer: string): Read {
  const schema = source.schemaOf(name);
  const read = readMembers(source, at, closer, true);
  const { i } = read.reader;
  if (read.isUnread || read.entries.length === 0) return no(i, "malformed", name);
  if (read.positional.length > 0 || isContradictory(read.entries)) return no(i, "ambiguous", name);
  const typed = read.entries.map(
    ([key, value]) =>
      [key, typeof value === "string" ? typedValue(value, propertyOf(schema, key), new Set()) : value] as const,
  );
  return called(name, objectOf(typed), source.text.slice(at, i).trim(), i);
}

/** Whether a key has different values. */
function isContradictory(entries: ReadonlyArray<readonly [string, Json]>): boolean {
  const values = new Map<string, string>();
  return entries.some(([key, value]) => {
    const written = canonicalJson(value);
    const isOther = (values.get(key) ?? written) !== written;
    values.set(key, written);
    return isOther;
  });
}

interface Members {
  readonly isUnread: boolean;
  readonly reader: TolerantReader;
  readonly entries: Array<[string, Json]>;
  readonly positional: readonly Json[];
  /** A value without a key follows one with a key, which Python itself refuses. */
  readonly isDisordered: boolean;
}

/** Reads values, with keys or without, up to `close`. `isSpaced`: blanks separate them, and end words. */
function readMembers(source: Source, at: number, close: string, isSpaced = false): Members {
  const reader = new TolerantReader(source, at, { python: true });
  const entries: Array<[string, Json]> = [];
  const positional: Json[] = [];
  let isDisordered = false;
  const members = (isUnread: boolean): Members => ({ isUnread, reader, entries, positional, isDisordered });
  const separators = isSpaced ? ",;" : ",";
  try {
    for (let c = skipAll(reader, separators); c !== close && c !== ""; c = skipAll(reader, separators)) {
      const key = keyAt(source, reader.i, !isSpaced);
      if (key !== undefined) reader.i = key.end;
      else if (isSpaced && entries.length === 0) return members(true);
      const value = isSpaced ? spacedValue(source, reader, close) : reader.value();
      if (reader.isOpen) break;
      if (key !== undefined) entries.push([key.name, value]);
      else {
        isDisordered ||= entries.length > 0;
        positional.push(value);
      }
    }
  } catch (error) {
    if (error instanceof Unreadable) return members(true);
    throw error;
  }
  return members(false);
}

/** Skips blanks, comments and separators, and returns the next character. */
function skipAll(reader: TolerantReader, separators: string): string {
  let c = reader.next();
  while (c !== "" && separators.includes(c)) {
    reader.i += 1;
    c = reader.next();
  }
  return c;
}

/** A quoted or structured value, or a word. */
function spacedValue(source: Source, reader: TolerantReader, close: string): Json {
  const from = reader.i;
  reader.i = source.skipBlanks(from);
  const start = reader.i;
  // The next key, so this one has no value.
  if (start > from && keyAt(source, start, false) !== undefined) throw new Unreadable();
  const isWord = !`"'[{`.includes(source.at(start));
  const value = isWord ? undefined : reader.value(0, "pair");
  if (isWord)
    reader.i = source.skipWhile(start, MAX_PAIR_CHARS, (c) => c > 32 && c !== 44 && c !== close.charCodeAt(0));
  if (reader.i === start || reader.isOpen || reader.repairs.has("unescaped-quote")) throw new Unreadable();
  return value ?? source.text.slice(start, reader.i);
}

/** `key =`, or `key:` where a colon may assign, also behind the stars of Python's unpacking. */
function keyAt(
  source: Source,
  at: number,
  hasColons: boolean,
): { readonly name: string; readonly end: number } | undefined {
  const from = source.skipWhile(at, 2, (c) => c === 42);
  const end = source.skipWhile(from, MAX_KEY, (c) => isNameChar(c) && c !== 46);
  const name = source.text.slice(from, end);
  if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name)) return undefined;
  const sign = source.skipWhile(end, 4, (c) => c <= 32);
  const isAssigned = source.at(sign) === "=" && source.at(sign + 1) !== "=";
  const isNamed = hasColons && source.at(end) === ":" && /[\s"'[{]/.test(source.at(end + 1));
  return isAssigned ? { name, end: sign + 1 } : isNamed ? { name, end: end + 1 } : undefined;
}

/** `print(f(a=1))`: the call is what is printed. Nested `print` calls are not unwrapped. */
function readPrinted(source: Source, at: number): Read {
  const inner = readCall(source, source.skipBlanks(at), true);
  if (inner.kind !== "done") return inner;
  const close = source.skipBlanks(inner.end);
  return source.at(close) === ")" ? { ...inner, end: close + 1 } : inner;
}

/** Differences between Python and JSON that are not repairs here. */
const PYTHONS_OWN: ReadonlySet<Repair> = new Set(["single-quotes", "python-literal", "raw-control-character"]);

/** Positional arguments have names only if the tool's schema gives them an order. */
function placePositional(
  source: Source,
  name: string,
  values: readonly Json[],
  entries: Array<[string, Json]>,
): boolean {
  const keys = listedKeys(source.tools.schema(name));
  const first = values[0];
  const members = values.length === 1 && isPlainObject(first) ? Object.entries(first) : undefined;
  // `f({"a": 1})`: all arguments in one object.
  const isWhole = members?.every(([key]) => keys?.includes(key)) === true && entries.length === 0;
  if (members !== undefined && (keys === undefined || isWhole)) {
    entries.push(...members);
    return true;
  }
  if (keys === undefined || values.length > keys.length) return false;
  entries.unshift(...values.map((value, index): [string, Json] => [keys[index] as string, value]));
  return true;
}

const QUOTES = ['<|"|>', "<escape>", "<|'|>", "<ctrl46>"];
/** The word before the colon may be lost. */
const CALLS = ["call:", "call :", "<call:", ":"];

/** The end of `call:`, or undefined. */
function callEnd(source: Source, at: number): number | undefined {
  const call = CALLS.find((one) => source.startsWith(one, at));
  return call === undefined ? undefined : at + call.length;
}

/** Gemma's `call:f{a:<|"|>x<|"|>}`: bare keys, and a token for a quote. */
export const bracedCalls: Payload = (source, at, envelope) => {
  const startsCall = (i: number): boolean => callEnd(source, i) !== undefined;
  return startsCall(at) ? readSequence(source, at, (i) => readBraced(source, i, envelope), startsCall) : undefined;
};

function readBraced(source: Source, at: number, envelope: Envelope): Read {
  const from = source.skipWhile(callEnd(source, at) ?? at, 4, (c) => c <= 32);
  const end = source.skipWhile(from, MAX_NAME, (c) => c > 32 && !"{}<>\"'`()".includes(String.fromCharCode(c)));
  const brace = source.skipWhile(end, 4, (c) => c <= 32);
  if (end === from || source.isEnd(brace)) return no(at + 1);
  const name = source.text.slice(from, end);
  if (source.at(brace) === "(") return readParenthesized(source, brace, name);
  if (source.at(brace) !== "{") return no(brace);
  const schema = source.schemaOf(name);
  const isKey = listedKeys(schema) !== undefined ? (key: string) => propertyOf(schema, key) !== undefined : undefined;
  const { value, reader } = readTolerant(source, brace, { quoteTokens: QUOTES, ...(isKey && { isKey }) });
  if (value === undefined) {
    // The quote of this dialect is a token: a call that is quoted with its quotes ends the text around it.
    const dataEnd = damagedBodyEnd(source, brace, { ...envelope, boundary: "\u0000" });
    return no(reader.i, "malformed", name, dataEnd);
  }
  if (reader.isOpen) return cutBraces(source, brace, name, reader.inString);
  if (!isPlainObject(value)) return no(brace, "not-an-object", name);
  const ambiguous = reader.isAmbiguous || reader.isContradictory;
  const doubts = ambiguous || reader.keyDoubts.size > 0 ? { keys: reader.keyDoubts, ambiguous } : undefined;
  const { i, repairs } = reader;
  return called(name, value, source.text.slice(brace, i), i, { doubts, repairs: [...repairs] });
}

function cutBraces(source: Source, brace: number, name: string, inString: boolean): Read {
  const { text, length } = source;
  if (!source.reading.eager) return no(length, "truncated", name, inString ? length : undefined);
  const value = closeTruncated(source, brace, { quoteTokens: QUOTES });
  const args = isPlainObject(value) ? value : {};
  return called(name, args, text.slice(brace), length, { complete: false, repairs: ["truncated"] });
}
