import {
  closeTruncated,
  type JsonRead,
  type JsonValue,
  jsonAt,
  memberRanges,
  type Range,
  readDelimited,
  readWholeJson,
} from "../../json/read-json.ts";
import type { Json } from "../../model/tool-call.ts";
import { type Doubts, UNSAFE_KEYS } from "../arguments-fit.ts";
import { argumentsOf, parseString, type ShapedCall, shapeCalls } from "../call-shape.ts";
import { openingOf } from "../formats/index-formats.ts";
import type { FormatRow } from "../formats/table.ts";
import { decodeEntities, isNameChar, tokenAt } from "../lex/token.ts";
import { cleanName } from "../tools.ts";
import {
  called,
  type Done,
  type Envelope,
  no,
  type Payload,
  type RawCall,
  type Read,
  readSequence,
  Source,
  skipFence,
} from "./payload.ts";
import { looksLikeCall } from "./peek-call.ts";
import { damagedBodyEnd, damagedDataEnd, tagsFrom } from "./tree.ts";
import { readYaml } from "./yaml.ts";

/** How far the closer of a damaged body is searched. */
const MAX_DELIMITED_CHARS = 16_384;
const MAX_NAME = 64;

/** How calls are written in a body. */
interface JsonStyle {
  /** The name is the key: `{"f": {…}}`. */
  readonly keyed: boolean;
  /** An envelope shows that these are calls. */
  readonly enveloped: boolean;
}

/** Objects and lists that name the tool. */
export const jsonCalls: Payload = jsonPayload({ keyed: false, enveloped: true });
export const keyedJson: Payload = jsonPayload({ keyed: true, enveloped: true });
/** Without an envelope the first key, and the name if it comes first, must already show that this is a call. */
export const weakJson: Payload = jsonPayload({ keyed: false, enveloped: false });

function jsonPayload(style: JsonStyle): Payload {
  return (source, from, envelope) => {
    // One fence at most: skipping all would be quadratic for a text of fences.
    const { at, fenced } = skipFence(source, from);
    if (!startsValue(source, at) || !(style.enveloped || startsCall(source, at))) return undefined;
    return readJsonCalls(source, at, envelope, style, fenced);
  };
}

function startsValue(source: Source, at: number): boolean {
  const c = source.at(at);
  if (c !== "[") return c === "{";
  const next = source.at(source.skipBlanks(at + 1));
  return next === "{" || next === "[";
}

/** Whether the first object, in whatever lists, looks like a call. */
function startsCall(source: Source, at: number): boolean {
  let i = at;
  while (source.at(i) === "[") i = source.skipBlanks(i + 1);
  return source.at(i) === "{" && looksLikeCall(source, i);
}

function readJsonCalls(source: Source, at: number, envelope: Envelope, style: JsonStyle, fenced: boolean): Read {
  // Without an envelope each value is a separate candidate, which may be rejected alone.
  const isTogether = style.enveloped || fenced || envelope.block;
  const read = readSequence(
    source,
    at,
    (i) => readValue(source, i, envelope, style),
    (i) => isTogether && startsValue(source, i),
  );
  if (read.kind === "no") return read;
  const { next, count, repairs } = read;
  if (repairs.includes("unescaped-quote") && !(count === 1 && isClosedAt(source, next, envelope))) {
    const dataEnd = read.dataEnd ?? damagedBodyEnd(source, next, envelope);
    return no(read.end, "ambiguous", read.calls[0]?.name, dataEnd);
  }
  return { ...read, fenced, end: !isTogether && startsValue(source, next) ? next : read.end };
}

/**
 * Whether the envelope ends here. Where a string holds quotes that are not escaped its end is a guess, and anything else
 * behind it shows that the guess was wrong.
 */
function isClosedAt(source: Source, at: number, { key }: Envelope): boolean {
  let i = at;
  while (i - at < 8 && (source.at(i) === "}" || source.at(i) === "]")) i = source.skipBlanks(i + 1);
  const c = source.at(i);
  if (c === "" || c === "`" || key === "") return true;
  const token = tokenAt(source, i);
  if (token === null || !source.formats.closers.has(token.key)) return false;
  // A tag is closed by a tag: a special token belongs to something that the string quotes.
  return token.close || key.includes("|");
}

/** One object or list. */
function readValue(source: Source, at: number, envelope: Envelope, style: JsonStyle): Read {
  const known = remembered(source, at);
  if (known !== undefined) return known;
  const read = jsonAt(source, at, { boundary: envelope.boundary });
  switch (read.kind) {
    case "value":
      return readShaped(source, at, read, style);
    case "open":
      return readOpen(source, at, read.inString, envelope, style);
    case "none":
      if (read.inString) return no(read.at, "malformed", undefined, damagedDataEnd(source, envelope, at));
      return readDamaged(source, at, read.at, envelope, style);
  }
}

function readShaped(source: Source, at: number, read: JsonValue, { keyed }: JsonStyle): Read {
  const calls = callsIn(source, read, keyed, read.repairs.length === 0 ? at : undefined);
  return calls.kind === "no" ? { ...calls, at: at + 1 } : remember(source, at, calls);
}

function remembered({ reading: { memo, origin } }: Source, at: number): Done | undefined {
  const known = memo.get(at - origin);
  return known && { ...known, end: origin + known.end };
}

function remember({ reading: { memo, origin } }: Source, at: number, read: Done): Done {
  memo.set(at - origin, { ...read, end: read.end - origin });
  return read;
}

/** A value from whichever notation. */
type Value = Pick<JsonValue, "value" | "end" | "repairs"> & Partial<JsonValue>;

/** The calls in a value. `strictAt`: where it begins as strict JSON, in which the raw text of the arguments is found. */
function callsIn(source: Source, read: Value, keyed: boolean, strictAt?: number): Read {
  const shaped = shapeCalls(read.value, source.tools, keyed);
  if (shaped.kind === "none") return no(read.end, shaped.reason, undefined, read.end);
  const seen = new Map<number, ReadonlyMap<string, Range>>();
  const raw = (call: ShapedCall): string | undefined =>
    strictAt === undefined ? undefined : rawText(source.text, strictAt, call, seen);
  const doubts = doubtsOf(read);
  const calls = shaped.calls.map(
    (call): RawCall => ({
      name: call.name,
      args: call.args,
      rawArguments: raw(call) ?? JSON.stringify(call.args),
      id: call.id,
      complete: true,
      doubts,
    }),
  );
  const repairs = [...read.repairs, ...shaped.calls.flatMap((call) => call.repairs)];
  return { kind: "done", calls, end: read.end, repairs };
}

function doubtsOf({ keyDoubts: keys, isContradictory: ambiguous }: Partial<JsonValue>): Doubts | undefined {
  if (ambiguous === true) return { ambiguous };
  return keys === undefined || keys.size === 0 ? undefined : { keys };
}

/** The arguments as written, found by walking the path; only strict JSON can be walked. */
function rawText(
  text: string,
  start: number,
  call: ShapedCall,
  seen: Map<number, ReadonlyMap<string, Range>>,
): string | undefined {
  if (call.path.length === 0) return undefined;
  let at = start;
  let end = start;
  for (const step of call.path) {
    const ranges = seen.get(at) ?? memberRanges(text, at);
    seen.set(at, ranges);
    const range = ranges.get(step);
    if (range === undefined) return undefined;
    at = range.start;
    end = range.end;
  }
  const raw = text.slice(at, end);
  return raw.startsWith("{") ? raw : undefined;
}

/** A value that the end of the text cut off. */
function readOpen(source: Source, at: number, inString: boolean, envelope: Envelope, style: JsonStyle): Read {
  const dataEnd = style.enveloped || inString ? source.length : undefined;
  const whole = wholeItems(source, at, envelope, style);
  // Without an envelope only the bracket may be missing, not a part of an item.
  if (whole !== undefined && (style.enveloped || source.isEnd(source.skipBlanks(whole.end))))
    return { ...whole, dataEnd };
  const value = source.reading.eager ? closeTruncated(source, at) : undefined;
  const end = source.length;
  const read = value === undefined ? no(end) : callsIn(source, { value, end, repairs: ["truncated"] }, style.keyed);
  if (read.kind === "no") return no(end, "truncated", undefined, dataEnd);
  const last = read.calls.length - 1;
  return { ...read, calls: read.calls.map((call, index) => ({ ...call, complete: index < last })) };
}

/** The items of a cut list that are whole. */
function wholeItems(source: Source, at: number, envelope: Envelope, style: JsonStyle): Done | undefined {
  if (source.at(at) !== "[" || source.reading.eager) return undefined;
  const readItem = (i: number): Read => {
    const read = jsonAt(source, i, { boundary: envelope.boundary });
    return read.kind === "value" ? readShaped(source, i, read, style) : no(i);
  };
  const isItem = (i: number): boolean => source.at(i) === "{";
  const first = source.skipBlanks(at + 1);
  const items = isItem(first) ? readSequence(source, first, readItem, isItem) : no(first);
  return items.kind === "no" ? undefined : { ...items, repairs: ["closed-brackets", ...items.repairs] };
}

/** A body that no reader understands but whose closer shows where it ends. */
function readDamaged(source: Source, at: number, badAt: number, envelope: Envelope, { keyed }: JsonStyle): Read {
  const isTag = envelope.key !== "" && !envelope.key.includes("|");
  const end = isTag ? source.find(`</${envelope.key}>`, at, MAX_DELIMITED_CHARS) : -1;
  const dataEnd = damagedBodyEnd(source, at, envelope);
  if (end === -1) {
    const lookedTo = isTag ? Math.min(source.length, at + MAX_DELIMITED_CHARS) : badAt;
    return no(Math.max(badAt, lookedTo), "malformed", undefined, dataEnd);
  }
  const body = unframed(source.text.slice(at, end).trim());
  const read: JsonRead | Value =
    body === undefined ? readDelimited(source, at, end) : { value: body, end, repairs: ["unwrapped-string"] };
  const calls = "value" in read ? callsIn(source, { ...read, end }, keyed) : no(at);
  return calls.kind === "no" ? no(Math.max(badAt, end), calls.reason, undefined, dataEnd) : calls;
}

/** The value of a body in doubled braces, as templates need them, or of an escaped one. */
function unframed(body: string): Json | undefined {
  const isDoubled = body.startsWith("{{") && body.endsWith("}}");
  const texts = isDoubled ? [body.slice(1, -1), body.replaceAll("{{", "{").replaceAll("}}", "}")] : [unescaped(body)];
  for (const text of texts) {
    const read = text === undefined ? undefined : readWholeJson(text);
    if (read?.repairs.length === 0) return read.value;
  }
  return undefined;
}

/** The text that was escaped for a page or an attribute, or for a string. */
function unescaped(text: string): string | undefined {
  return /^\{?&/.test(text) ? decodeEntities(text) : parseString(`"${text}"`);
}

const YAML_NAMES = ["name:", "tool:", "function:", "tool_name:"];

/** A call in YAML, between tags. */
export const yamlCalls: Payload = (source, at, envelope) => {
  if (!YAML_NAMES.some((key) => source.startsWith(key, at))) return undefined;
  const end = linesEnd(source, at, envelope);
  const value = end === undefined ? undefined : readYaml(source.text.slice(at, end), undefined);
  const read =
    end === undefined || value === undefined ? no(at) : callsIn(source, { value, end, repairs: ["yaml"] }, false);
  const isUnsafe =
    read.kind === "done" && read.calls.some(({ args }) => UNSAFE_KEYS.some((key) => Object.hasOwn(args, key)));
  return read.kind === "no" || isUnsafe ? no(at, "malformed", undefined, damagedBodyEnd(source, at, envelope)) : read;
};

/** The same in a fence, or as a paragraph of its own: the name must be declared, and alone on its line. */
export const weakYaml: Payload = (source, at, envelope) => {
  const key = YAML_NAMES.find((one) => source.startsWith(one, at));
  if (key === undefined) return undefined;
  const from = source.skipWhile(at + key.length, 2, (c) => c === 32);
  const end = source.skipWhile(from, MAX_NAME, isNameChar);
  const name = cleanName(source.text.slice(from, end), source.tools)?.name ?? "";
  const isAlone = source.tools.has(name) && /[\r\n]/.test(source.at(end));
  return isAlone ? yamlCalls(source, at, envelope) : undefined;
};

/** Where lines that belong together end: at the closer of their tag, the end of their fence, or an empty line. */
export function linesEnd(
  source: Source,
  at: number,
  { key, block }: Pick<Envelope, "key" | "block">,
): number | undefined {
  const closer = key !== "" ? `</${key}>` : block ? "\n```" : "\n\n";
  const end = source.find(closer, at, MAX_DELIMITED_CHARS);
  if (end !== -1) return key === "" ? end + 1 : end;
  return key === "" && !block && source.length - at < MAX_DELIMITED_CHARS ? source.length : undefined;
}

const MAX_ESCAPED_CHARS = 65_536;

/**
 * A call that was escaped once more: for a JSON string (`{\"name\": \"f\"}`, `\u003ctool_call\u003e`), on one line, or for
 * a page (`&lt;tool_call&gt;`), up to the end of the text.
 */
export const escapedCalls: Payload = (source, at, envelope) => {
  const isPage = source.at(at) === "&";
  if (isPage && !namesCall(source, at + "&lt;".length)) return undefined;
  const end = source.skipWhile(at, MAX_ESCAPED_CHARS, (c) => isPage || c !== 10);
  if (end - at >= MAX_ESCAPED_CHARS) return no(at, "too-large");
  const raw = source.text.slice(at, end).trim();
  const text = isPage && !isProgramText(raw) ? undefined : unescaped(raw);
  const calls = text === undefined ? no(end) : readUnescaped(source, text, end, envelope);
  if (calls.kind === "no") return no(end);
  return { ...calls, end, repairs: [...calls.repairs, isPage ? "decoded-entities" : "unwrapped-string"] };
};

/** Whether the name of a call's tag, or of a tool, begins here. */
function namesCall(source: Source, from: number): boolean {
  const { formats, text, tools } = source;
  const name = text.slice(from, source.skipWhile(from, MAX_NAME, isNameChar));
  return formats.tokens.has(name.toLowerCase()) || tools.has(name);
}

/** Only a program escapes the quotes too. With its tags alone escaped, markup is shown to a reader. */
function isProgramText(raw: string): boolean {
  return /&(?:quot|#34|#x22|apos|#39);/.test(raw) && !/["<]/.test(raw);
}

/** The calls of a text that was unescaped, if it holds nothing else. */
function readUnescaped(source: Source, text: string, end: number, envelope: Envelope): Read {
  if (text[0] !== "<") {
    const read = readWholeJson(text);
    return read === undefined || read.repairs.length > 0 ? no(0) : callsIn(source, { ...read, end }, false);
  }
  const inner = new Source(text, true, { ...source.reading, origin: 0, memo: new Map(), standsAlone: () => true });
  const read = readSequence(
    inner,
    0,
    (i) => inner.open(i, envelope.depth + 1) ?? no(i),
    (i) => inner.at(i) === "<",
  );
  return read.kind === "done" && inner.isEnd(inner.skipBlanks(read.end)) ? read : no(0);
}

/** Arguments that only lost brackets at their end: the closer of their call follows. */
function readToCloser(source: Source, at: number, unread: JsonRead): JsonRead {
  const { formats, reading } = source;
  // Every opener of a text without closers may look ahead: all of them together may not.
  if (reading.ahead.left < 0) return unread;
  for (const { key, close, start } of tagsFrom(source, at)) {
    if (start - at > MAX_DELIMITED_CHARS) break;
    if (formats.closers.has(key) && (close || formats.plainClosers.has(key))) return readDelimited(source, at, start);
  }
  if (source.length - at < MAX_DELIMITED_CHARS) source.isEnd(source.length);
  reading.ahead.left -= MAX_DELIMITED_CHARS;
  return unread;
}

/** Whether a call opens in the text: a string whose end is a guess may quote it, or have run into it. */
function holdsOpener(source: Source, from: number, to: number): boolean {
  const { formats, text } = source;
  const isStrong = (rows: readonly FormatRow[]): boolean => rows.some((row) => row.strength === "strong");
  for (const token of tagsFrom(source, from)) {
    if (token.start >= to) break;
    if (isStrong(openingOf(formats, token)?.rows ?? [])) return true;
  }
  const written = text.slice(from, to);
  return [...formats.marks.values()].flat().some((mark) => isStrong([mark.row]) && written.includes(mark.text));
}

/** Reads the arguments of a call whose name is known: `<function=f>{"a": 1}</function>`. */
export function readJsonArguments(source: Source, at: number, envelope: Envelope, name: string): Read {
  const known = remembered(source, at);
  if (known !== undefined) return known;
  const whole = jsonAt(source, at, { boundary: envelope.boundary });
  if (whole.kind === "open") return no(source.length, "truncated", name, whole.inString ? source.length : undefined);
  const isDelimited = envelope.key !== "" && whole.kind === "none" && whole.inString !== true;
  const read = isDelimited ? readToCloser(source, at, whole) : whole;
  if (read.kind !== "value") {
    const isInString = whole.kind === "none" && whole.inString === true;
    const dataEnd = isInString ? damagedDataEnd(source, envelope, at) : damagedBodyEnd(source, at, envelope);
    return no(whole.kind === "none" ? whole.at : at, "malformed", name, dataEnd);
  }
  if (read.repairs.includes("unescaped-quote") && holdsOpener(source, at, read.end))
    return no(read.end, "ambiguous", name, read.end);
  const args = argumentsOf(read.value);
  if (args === undefined) return no(at + 1, "not-an-object", name, read.end);
  const raw = source.text.slice(at, read.end);
  const call = called(name, args.args, raw, read.end, {
    id: envelope.id,
    doubts: doubtsOf(read),
    repairs: [...read.repairs, ...args.repairs],
  });
  return remember(source, at, call);
}
