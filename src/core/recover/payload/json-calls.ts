import type { Json, JsonObject } from "../../model/tool-call.ts";
import type { KeyDoubt } from "../arguments-fit.ts";
import { argumentsOf, type Shaped, type ShapedCall, shapeCalls } from "../call-shape.ts";
import { closeTruncated, type JsonRead, jsonAt, readDelimited, readJson } from "../json/read-json.ts";
import type { Repair } from "../json/repairs.ts";
import { memberRanges, type Range } from "../json/strict.ts";
import { decodeEntities, tokenAt } from "../lex/token.ts";
import { damagedBodyEnd, damagedDataEnd } from "./data-end.ts";
import { type Done, type Envelope, no, type Payload, type RawCall, type Read, type Source } from "./payload.ts";
import { looksLikeCall } from "./peek-call.ts";
import { UNSAFE_KEYS } from "./vocabulary.ts";
import { readYaml } from "./yaml.ts";

/** How far the closer of a damaged body is searched. */
const MAX_DELIMITED_CHARS = 16_384;

/** Objects and lists that name the tool; with `keyed`, the name is the key. */
function jsonPayload(keyed: boolean): Payload {
  return {
    starts: startsJson,
    read: (source, at, envelope) => readJsonCalls(source, at, envelope, keyed, true),
  };
}

export const jsonCalls: Payload = jsonPayload(false);
export const keyedJson: Payload = jsonPayload(true);

/** Without an envelope the first key, and the name if it comes first, must already show that this is a call. */
export const weakJson: Payload = {
  starts: startsWeak,
  read: (source, at, envelope) => readJsonCalls(source, at, envelope, false, false),
};

const FENCE = /^```[ \t]*(?:json5?|tool_call|tool_code|python)?[ \t]*\r?\n?/i;
const MAX_FENCE_LINE = 24;

/** Skips the opening line of a fence around the body: inside an envelope, a fence is markup. */
export function skipFence(source: Source, from: number): number {
  const at = skipEscapedBreaks(source, from);
  if (source.at(at) !== "`") return at;
  source.skipWhile(at, MAX_FENCE_LINE, (c) => c !== 10);
  return at + (FENCE.exec(source.text.slice(at, at + MAX_FENCE_LINE))?.[0].length ?? 0);
}

/** Skips line breaks that were escaped twice: `\\n` between a tag and its body. */
export function skipEscapedBreaks(source: Source, at: number): number {
  let i = at;
  while (source.at(i) === "\\" && source.at(i + 1) === "n") i = source.skipBlanks(i + 2);
  return i;
}

/** Skips one fence at most, as `readJsonCalls` does. Skipping all would be quadratic for a text of fences. */
function startsJson(source: Source, from: number): boolean {
  const inner = skipFence(source, from);
  const at = inner === from ? from : source.skipBlanks(inner);
  const c = source.at(at);
  if (c !== "[") return c === "{";
  const next = source.at(source.skipBlanks(at + 1));
  return next === "{" || next === "[";
}

function startsWeak(source: Source, at: number): boolean {
  if (!startsJson(source, at)) return false;
  let i = source.skipBlanks(skipFence(source, at));
  const listed = source.at(i) === "[";
  while (source.at(i) === "[") i = source.skipBlanks(i + 1);
  return source.at(i) === "{" && looksLikeCall(source, i, listed);
}

function readJsonCalls(source: Source, at: number, envelope: Envelope, keyed: boolean, enveloped: boolean): Read {
  const calls: RawCall[] = [];
  const repairs = new Set<Repair>();
  const inner = skipFence(source, at);
  const fenced = source.at(inner - 1) === "\n" ? inner > at : inner > skipEscapedBreaks(source, at);
  let i = source.skipBlanks(inner);
  let end = i;
  let dataEnd: number | undefined;
  let values = 0;
  for (;;) {
    const value = readValue(source, i, envelope, keyed, enveloped);
    // A later value that turns out to be something else leaves the calls before it as they are.
    if (value.kind === "no" && calls.length === 0) return value;
    dataEnd = value.dataEnd;
    if (value.kind === "no") break;
    if (!value.calls.every((call) => call.complete)) return value;
    values += 1;
    for (const call of value.calls) calls.push(call);
    for (const repair of value.repairs) repairs.add(repair);
    end = value.end;
    i = skipSeparator(source, end);
    if (!"{[".includes(source.at(i)) || !startsJson(source, i)) break;
    // Without an envelope each value is a separate candidate, which may be rejected alone.
    if (!enveloped && !fenced && !envelope.block) {
      end = i;
      break;
    }
  }
  if (repairs.has("unescaped-quote") && !(values === 1 && isClosedAt(source, i, envelope))) {
    const dataEnds = damagedBodyEnd(source, i, envelope);
    return no(end, "ambiguous", calls[0]?.name, dataEnd ?? dataEnds);
  }
  return { kind: "done", calls, end, repairs: [...repairs], fenced, ...(dataEnd === undefined ? {} : { dataEnd }) };
}

/** Skips whitespace and a comma or semicolon between two calls. */
export function skipSeparator(source: Source, at: number): number {
  const i = source.skipBlanks(at);
  return source.at(i) === "," || source.at(i) === ";" ? source.skipBlanks(i + 1) : i;
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
  const token = c === "<" ? tokenAt(source, i) : null;
  if (token === null || !source.formats.closers.has(token.key)) return false;
  // A tag is closed by a tag: a special token belongs to something that the string quotes.
  return token.close || key.includes("|");
}

/** One object or list. */
function readValue(source: Source, at: number, envelope: Envelope, keyed: boolean, enveloped: boolean): Read {
  const known = remembered(source, at);
  if (known !== undefined) return known;
  const read = jsonAt(source, at, { boundary: envelope.boundary });
  if (read.kind === "open") {
    const dataEnd = enveloped || read.inString ? source.length : undefined;
    const whole = wholeItems(source, at, envelope, keyed);
    // Without an envelope only the bracket may be missing, not a part of an item.
    if (whole !== undefined && (enveloped || source.isEnd(source.skipBlanks(whole.end))))
      return dataEnd === undefined ? whole : { ...whole, dataEnd };
    return truncated(source, at, keyed, dataEnd);
  }
  if (read.kind === "value") return shapeValue(source, at, read, keyed);
  if (read.inString) return no(read.at, "malformed", undefined, damagedDataEnd(source, envelope, at));
  return damaged(source, at, read.at, envelope, keyed);
}

type JsonValue = Extract<JsonRead, { kind: "value" }>;

function shapeValue(source: Source, at: number, read: JsonValue, keyed: boolean): Read {
  const shaped = shapeCalls(read.value, source.tools, keyed);
  if (shaped.kind === "none") return no(at + 1, shaped.reason, undefined, read.end);
  const calls = rawCalls(shaped, source.text, at, read.repairs.length === 0, read.keyDoubts);
  return remember(source, at, calls, read.end, [...read.repairs, ...shaped.calls.flatMap((call) => call.repairs)]);
}

function remembered({ reading: { memo, origin } }: Source, at: number): Done | undefined {
  const known = memo.get(at - origin);
  return known === undefined ? undefined : { kind: "done", ...known, end: origin + known.end };
}

function remember(
  { reading: { memo, origin } }: Source,
  at: number,
  calls: readonly RawCall[],
  end: number,
  repairs: readonly Repair[],
): Done {
  memo.set(at - origin, { calls, end: end - origin, repairs });
  return { kind: "done", calls, end, repairs };
}

function rawCalls(
  shaped: Extract<Shaped, { kind: "calls" }>,
  text: string,
  start: number,
  strict: boolean,
  keyDoubts?: ReadonlyMap<string, KeyDoubt>,
): readonly RawCall[] {
  const seen = new Map<number, ReadonlyMap<string, Range>>();
  return shaped.calls.map((call) => ({
    name: call.name,
    args: call.args,
    rawArguments: (strict ? rawText(text, start, call, seen) : undefined) ?? JSON.stringify(call.args),
    ...(call.id === undefined ? {} : { id: call.id }),
    complete: true,
    ...(keyDoubts === undefined || keyDoubts.size === 0 ? {} : { doubts: { keys: keyDoubts } }),
  }));
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

/** A list that the end of the text cut: the calls in it that are whole. */
function wholeItems(source: Source, at: number, envelope: Envelope, keyed: boolean): Done | undefined {
  if (source.at(at) !== "[" || source.reading.eager) return undefined;
  const calls: RawCall[] = [];
  const repairs = new Set<Repair>(["closed-brackets"]);
  let end = at;
  for (let i = source.skipBlanks(at + 1); source.at(i) === "{"; i = skipSeparator(source, end)) {
    const read = jsonAt(source, i, { boundary: envelope.boundary });
    const item = read.kind === "value" ? shapeValue(source, i, read, keyed) : undefined;
    if (item?.kind !== "done") break;
    for (const call of item.calls) calls.push(call);
    for (const repair of item.repairs) repairs.add(repair);
    end = item.end;
  }
  return calls.length === 0 ? undefined : { kind: "done", calls, end, repairs: [...repairs] };
}

function truncated(source: Source, at: number, keyed: boolean, dataEnd: number | undefined): Read {
  const value = source.reading.eager ? closeTruncated(source, at) : undefined;
  const shaped = value === undefined ? undefined : shapeCalls(value, source.tools, keyed);
  if (shaped === undefined || shaped.kind === "none") return no(source.length, "truncated", undefined, dataEnd);
  const last = shaped.calls.length - 1;
  const calls = rawCalls(shaped, source.text, at, false).map((call, index) =>
    index === last ? { ...call, complete: false } : call,
  );
  return { kind: "done", calls, end: source.length, repairs: ["truncated"] };
}

/** A body that no reader understands but whose closer shows where it ends. */
function damaged(source: Source, at: number, badAt: number, envelope: Envelope, keyed: boolean): Read {
  const isTag = envelope.key !== "" && !envelope.key.includes("|");
  const end = isTag ? source.find(`</${envelope.key}>`, at, MAX_DELIMITED_CHARS) : -1;
  const dataEnd = damagedBodyEnd(source, at, envelope);
  if (!isTag) return no(badAt, "malformed", undefined, dataEnd);
  if (end === -1) {
    const searched = Math.min(source.length, at + MAX_DELIMITED_CHARS);
    return no(Math.max(badAt, searched), "malformed", undefined, dataEnd);
  }
  const body = unframed(source.text.slice(at, end).trim());
  const read: JsonRead =
    body === undefined
      ? readDelimited(source, at, end)
      : { kind: "value", value: body, end, repairs: ["unwrapped-string"], keyDoubts: new Map() };
  const shaped = read.kind === "value" ? shapeCalls(read.value, source.tools, keyed) : undefined;
  if (read.kind !== "value" || shaped?.kind !== "calls") {
    const reason = shaped?.kind === "none" ? shaped.reason : "malformed";
    return no(Math.max(badAt, end), reason, undefined, dataEnd);
  }
  const repairs = new Set([...read.repairs, ...shaped.calls.flatMap((call) => call.repairs)]);
  const calls = rawCalls(shaped, source.text, at, false, read.keyDoubts);
  return { kind: "done", calls, end, repairs: [...repairs] };
}

/** A body in doubled braces, as templates need them, or escaped as if it stood in a string or an attribute. */
function unframed(body: string): Json | undefined {
  const inner =
    body.startsWith("{{") && body.endsWith("}}")
      ? body.slice(1, -1)
      : body.startsWith('{\\"') && body.endsWith("}")
        ? unescaped(body)
        : body.startsWith("{&quot;")
          ? decodeEntities(body)
          : undefined;
  const read = inner === undefined ? undefined : readJson(inner);
  return read?.kind === "value" && read.end === inner?.length && read.repairs.length === 0 ? read.value : undefined;
}

function unescaped(body: string): string | undefined {
  try {
    return JSON.parse(`"${body}"`) as string;
  } catch {
    return undefined;
  }
}

/** A call in YAML, between tags. */
export const yamlCalls: Payload = {
  starts: (source, at) => ["name:", "tool:", "function:", "tool_name:"].some((key) => source.startsWith(key, at)),
  read: (source, at, envelope) => {
    const end = source.find(`</${envelope.key}>`, at, MAX_DELIMITED_CHARS);
    const value = end === -1 ? undefined : readYaml(source.text.slice(at, end), undefined);
    const shaped = value === undefined ? undefined : shapeCalls(value, source.tools);
    const isUnsafe =
      shaped?.kind === "calls" && shaped.calls.some(({ args }) => UNSAFE_KEYS.some((key) => Object.hasOwn(args, key)));
    if (shaped?.kind !== "calls" || isUnsafe)
      return no(at, "malformed", undefined, damagedBodyEnd(source, at, envelope));
    return { kind: "done", calls: rawCalls(shaped, "", 0, false), end, repairs: ["yaml"] };
  },
};

const MAX_ESCAPED_CHARS = 65_536;

/** A call that was escaped twice, as inside a JSON string: `{\"name\": \"f\"}`, on one line. */
export const escapedCalls: Payload = {
  starts: (source, at) => source.at(at) === "\\" || source.startsWith('{\\"', at),
  read: (source, at) => {
    const end = source.skipWhile(at, MAX_ESCAPED_CHARS, (c) => c !== 10);
    const text = unescaped(source.text.slice(at, end).trim())?.trim();
    const read = text?.startsWith("{") || text?.startsWith("[") ? readJson(text) : undefined;
    const isWhole = read?.kind === "value" && /^\s*(?:<\/[\w-]{1,40}>\s*)?$/.test(text?.slice(read.end) ?? "");
    const shaped = isWhole ? shapeCalls(read.value, source.tools) : undefined;
    if (shaped?.kind !== "calls" || read?.kind !== "value" || read.repairs.length > 0) return no(end);
    const repairs: readonly Repair[] = ["unwrapped-string", ...shaped.calls.flatMap((call) => call.repairs)];
    return { kind: "done", calls: rawCalls(shaped, "", 0, false), end, repairs };
  },
};

/** Reads the arguments of a call whose name is known: `<function=f>{"a": 1}</function>`. */
export function readJsonArguments(source: Source, at: number, envelope: Envelope, name: string): Read {
  const known = remembered(source, at);
  if (known !== undefined) return known;
  const read = jsonAt(source, at, { boundary: envelope.boundary });
  if (read.kind === "open") return no(source.length, "truncated", name, read.inString ? source.length : undefined);
  if (read.kind === "none") {
    const dataEnd = read.inString ? damagedDataEnd(source, envelope, at) : damagedBodyEnd(source, at, envelope);
    return no(read.at, "malformed", name, dataEnd);
  }
  const args = argumentsOf(read.value);
  if (args === undefined) return no(at + 1, "not-an-object", name, read.end);
  const call: RawCall = {
    name,
    args: unwrapNamed(args.args, name) ?? args.args,
    rawArguments: source.text.slice(at, read.end),
    ...(envelope.id === undefined ? {} : { id: envelope.id }),
    complete: true,
    ...(read.keyDoubts.size === 0 ? {} : { doubts: { keys: read.keyDoubts } }),
  };
  return remember(source, at, [call], read.end, [...read.repairs, ...args.repairs]);
}

/** `{"name": "f", "arguments": {…}}` where the arguments of `f` were due. */
function unwrapNamed(args: JsonObject, name: string): JsonObject | undefined {
  const keys = Object.keys(args);
  if (keys.length !== 2 || args.name !== name) return undefined;
  const inner = args.arguments ?? args.parameters;
  return inner === undefined ? undefined : argumentsOf(inner)?.args;
}
