import type { Json } from "../../model/tool-call.ts";
import { objectOf } from "../json/object-of.ts";
import { skipWhitespace } from "../json/read-string.ts";
import type { Repair } from "../json/repairs.ts";
import { readTolerant } from "../json/tolerant.ts";
import { isPlainObject } from "../schema.ts";
import { isSchema } from "../tools.ts";
import { type Envelope, MORE, no, type Payload, type RawCall, type Read, type Source } from "./payload.ts";

const MAX_NAME = 200;
const isNamePart = (c: string): boolean => /[\w.\-\u0080-\uffff]/.test(c);

/** `[f(a=1), g()]`, or one call per line. */
export const pythonicCalls: Payload = { starts: (source, at) => startsPythonic(source, at, false), read: readPythonic };

/** The same without an envelope: in brackets, and the first name must be declared. */
export const weakPythonic: Payload = {
  starts: (source, at) => (source.text[at] === "[" ? startsPythonic(source, at, true) : false),
  read: readPythonic,
};

function startsPythonic(source: Source, at: number, declared: boolean): boolean | undefined {
  const { text, final, tools } = source;
  let i = at;
  if (text[i] === "[") i = skipWhitespace(text, i + 1, text.length);
  const from = i;
  const stop = Math.min(text.length, from + MAX_NAME);
  while (i < stop && isNamePart(text[i] as string)) i += 1;
  if (i >= stop) return stop === text.length && !final ? undefined : false;
  if (text[i] !== "(" || i === from) return false;
  const name = text.slice(from, i);
  return !declared || tools.size === 0 || tools.has(name) || tools.has(name.slice(name.lastIndexOf(".") + 1));
}

function readPythonic(source: Source, at: number, _envelope: Envelope): Read {
  const { text, final } = source;
  const calls: RawCall[] = [];
  const repairs = new Set<Repair>();
  const listed = text[at] === "[";
  let i = listed ? skipWhitespace(text, at + 1, text.length) : at;
  let end = i;
  let dataEnd: number | undefined;
  for (;;) {
    const call = readCall(source, i, repairs);
    if (call.kind === "more") return MORE;
    if (call.kind === "no") {
      dataEnd = call.dataEnd;
      if (calls.length > 0 && !listed) break;
      return no(call.at, call.open ? "truncated" : "malformed", undefined, dataEnd);
    }
    calls.push(call.call);
    end = call.end;
    i = skipWhitespace(text, end, text.length);
    if (i >= text.length) {
      if (!final) return MORE;
      if (listed) repairs.add("missing-closer");
      break;
    }
    if (text[i] === "," || text[i] === ";") i = skipWhitespace(text, i + 1, text.length);
    if (listed && text[i] === "]") {
      end = i + 1;
      break;
    }
    const again = startsPythonic(source, i, false);
    if (again === undefined) return MORE;
    if (again && text[i] !== "[") continue;
    if (listed) {
      if (i >= text.length && !final) return MORE;
      // A list that a closer ends: its bracket is lost.
      if (text[i] !== "<") return no(i);
      repairs.add("missing-closer");
    }
    break;
  }
  return { kind: "done", calls, end, repairs: [...repairs], ...(dataEnd === undefined ? {} : { dataEnd }) };
}

type CallRead =
  | { readonly kind: "call"; readonly call: RawCall; readonly end: number }
  | { readonly kind: "more" }
  /** `dataEnd`: the text ended inside a string. */
  | { readonly kind: "no"; readonly at: number; readonly open: boolean; readonly dataEnd?: number };

function readCall(source: Source, at: number, repairs: Set<Repair>, printed = false): CallRead {
  const { text, final } = source;
  let i = at;
  while (i < text.length && i - at < MAX_NAME && isNamePart(text[i] as string)) i += 1;
  if (i >= text.length) return final ? { kind: "no", at: i, open: true } : { kind: "more" };
  if (text[i] !== "(" || i === at) return { kind: "no", at: i, open: false };
  const written = text.slice(at, i);
  if (written === "print" && !printed && !source.tools.has(written)) return readPrinted(source, i + 1, repairs);
  const name = written.endsWith(".call") && !source.tools.has(written) ? written.slice(0, -5) : written;
  i += 1;
  const from = i;
  const entries: Array<[string, Json]> = [];
  const positional: Json[] = [];
  let ambiguous = false;
  for (;;) {
    i = skipWhitespace(text, i, text.length);
    if (i >= text.length) return final ? { kind: "no", at: i, open: true } : { kind: "more" };
    if (text[i] === ")") break;
    if (text[i] === ",") {
      i += 1;
      continue;
    }
    const key = /^[*]{0,2}([\p{L}_][\p{L}\p{N}_-]{0,120})\s{0,4}=(?!=)/u.exec(text.slice(i, i + 140));
    if (key !== null) i += key[0].length;
    else if (!final && text.length - i < 140 && /^[\p{L}\p{N}_\s*-]*$/u.test(text.slice(i))) return { kind: "more" };
    const read = readTolerant(text, i, text.length, { python: true });
    if (!final && (read.touched || (read.kind === "read" && read.end >= text.length))) return { kind: "more" };
    if (read.kind === "unread") return { kind: "no", at: read.at, open: false };
    if (read.open)
      return { kind: "no", at: text.length, open: true, ...(read.inString ? { dataEnd: text.length } : {}) };
    for (const repair of read.repairs) if (!PYTHONS_OWN.has(repair)) repairs.add(repair);
    // A word without quotes is a variable, whose value is not in the text, or a text without a certain end.
    if (read.repairs.has("bare-value") || read.keyDoubts.size > 0) ambiguous = true;
    if (key === null) {
      // Python itself refuses a value without a name behind one that has a name.
      if (entries.length > 0) ambiguous = true;
      positional.push(read.value);
    } else {
      entries.push([key[1] as string, read.value]);
    }
    i = read.end;
  }
  if (positional.length > 0) {
    if (!placePositional(source, name, positional, entries)) return { kind: "no", at: i, open: false };
    repairs.add("positional-arguments");
  }
  // And a name that comes twice.
  if (new Set(entries.map(([key]) => key)).size < entries.length) ambiguous = true;
  const call: RawCall = {
    name,
    args: objectOf(entries),
    rawArguments: text.slice(from, i),
    complete: true,
    ...(ambiguous ? { doubts: { ambiguous } } : {}),
  };
  return { kind: "call", call, end: i + 1 };
}

/** `print(f(a=1))`: the call is what is printed. Nested `print` calls are not unwrapped. */
function readPrinted(source: Source, at: number, repairs: Set<Repair>): CallRead {
  const { text, final } = source;
  const inner = readCall(source, skipWhitespace(text, at, text.length), repairs, true);
  if (inner.kind !== "call") return inner;
  const close = skipWhitespace(text, inner.end, text.length);
  if (close >= text.length && !final) return { kind: "more" };
  return text[close] === ")" ? { ...inner, end: close + 1 } : inner;
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
  const properties = source.tools.schema(name)?.properties;
  const first = values[0];
  if (!isSchema(properties)) {
    if (values.length !== 1 || !isPlainObject(first)) return false;
    for (const entry of Object.entries(first)) entries.push(entry);
    return true;
  }
  const keys = Object.keys(properties);
  // `f({"a": 1})`: all arguments in one object.
  if (values.length === 1 && entries.length === 0 && isPlainObject(first)) {
    const members = Object.entries(first);
    if (members.length > 0 && members.every(([key]) => Object.hasOwn(properties, key))) {
      for (const member of members) entries.push(member);
      return true;
    }
  }
  if (values.length > keys.length) return false;
  entries.unshift(...values.map((value, index): [string, Json] => [keys[index] as string, value]));
  return true;
}
