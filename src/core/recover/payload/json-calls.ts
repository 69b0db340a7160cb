import type { Json } from "../../model/tool-call.ts";
import type { KeyDoubt } from "../arguments-fit.ts";
import { type Shaped, type ShapedCall, shapeCalls } from "../call-shape.ts";
import { isDeep } from "../json/find-end.ts";
import { memberRanges, type Range } from "../json/member-range.ts";
import { closeTruncated, readJson } from "../json/read-json.ts";
import { skipWhitespace } from "../json/read-string.ts";
import { repairDelimited } from "../json/repair-fallback.ts";
import type { Repair } from "../json/repairs.ts";
import { lexToken } from "../lex/token.ts";
import { damagedBodyEnd, damagedDataEnd } from "./data-end.ts";
import { type Envelope, MORE, no, type Payload, type RawCall, type Read, type Source } from "./payload.ts";
import { looksLikeCall } from "./peek-call.ts";

type Done = Extract<Read, { kind: "done" }>;

/** How far the closer of a body is searched for the last resort. */
const LAST_RESORT = 16_384;

/** Objects and lists that say which tool to call; Apertus (`keyed`) has the name as the key. */
function jsonPayload(keyed: boolean): Payload {
  return {
    starts: (source, at) => startsJson(source, at),
    read: (source, at, envelope) => readJsonCalls(source, at, envelope, keyed),
  };
}

export const jsonCalls: Payload = jsonPayload(false);
export const keyedJson: Payload = jsonPayload(true);

/** Without an envelope the first key, and the name if it comes first, must already say that this is a call. */
export const weakJson: Payload = {
  starts: (source, at) => startsWeak(source, at),
  read: (source, at, envelope) => readJsonCalls(source, at, envelope, false, true),
};

/** A fence around the body, inside an envelope, is markup. */
export function skipFence(source: Source, at: number): number | undefined {
  const { text, final } = source;
  if (text[at] !== "`") return at;
  const line = text.slice(at, at + 24);
  if (!final && text.length - at < 24 && !line.includes("\n")) return undefined;
  const match = /^```[ \t]*(?:json5?|tool_call|tool_code|python)?[ \t]*\r?\n?/i.exec(line);
  return match === null ? at : at + match[0].length;
}

/** Skips one fence at most, as `readJsonCalls` does. Skipping all would be quadratic for a text of fences. */
function startsJson(source: Source, from: number): boolean | undefined {
  const { text, final } = source;
  const inner = skipFence(source, from);
  if (inner === undefined) return undefined;
  const at = inner === from ? from : skipWhitespace(text, inner, text.length);
  if (at >= text.length) return final ? false : undefined;
  const c = text[at];
  if (c === "{") return true;
  if (c !== "[") return false;
  const next = skipWhitespace(text, at + 1, text.length);
  if (next >= text.length) return final ? false : undefined;
  return text[next] === "{" || text[next] === "[";
}

function startsWeak(source: Source, at: number): boolean | undefined {
  const begins = startsJson(source, at);
  if (begins !== true) return begins;
  const { text } = source;
  let i = skipWhitespace(text, text[at] === "`" ? (skipFence(source, at) ?? at) : at, text.length);
  const listed = text[i] === "[";
  while (text[i] === "[") i = skipWhitespace(text, i + 1, text.length);
  if (i >= text.length) return source.final ? false : undefined;
  return text[i] === "{" ? looksLikeCall(source, i, listed) : false;
}

function readJsonCalls(source: Source, at: number, envelope: Envelope, keyed: boolean, single = false): Read {
  const { text, final } = source;
  const calls: RawCall[] = [];
  const repairs = new Set<Repair>();
  let i = skipFence(source, at);
  if (i === undefined) return MORE;
  const fenced = i > at;
  i = skipWhitespace(text, i, text.length);
  let end = i;
  let dataEnd: number | undefined;
  let values = 0;
  for (;;) {
    const value = readValue(source, i, envelope, keyed, !single);
    if (value.kind === "more") return value;
    if (value.kind === "no") {
      // A later value that turns out to be something else leaves the calls before it as they are.
      if (calls.length === 0) return value;
      dataEnd = value.dataEnd;
      break;
    }
    if (!value.calls.every((call) => call.complete)) return value;
    dataEnd = value.dataEnd;
    values += 1;
    for (const call of value.calls) calls.push(call);
    for (const repair of value.repairs) repairs.add(repair);
    end = value.end;
    i = skipWhitespace(text, end, text.length);
    if (text[i] === "," || text[i] === ";") i = skipWhitespace(text, i + 1, text.length);
    if (i >= text.length && !final) return MORE;
    const again = text[i] === "{" || text[i] === "[" ? startsJson(source, i) : false;
    if (again === undefined) return MORE;
    if (!again) break;
    // Without an envelope each value is a separate candidate, which may be rejected alone.
    if (single && !fenced && !envelope.block) {
      end = i;
      break;
    }
  }
  if (repairs.has("unescaped-quote")) {
    const closed = values === 1 ? isClosedAt(source, i, envelope) : false;
    const dataEnds = closed === false ? damagedBodyEnd(source, i, envelope) : undefined;
    if (closed === undefined || dataEnds === "more") return MORE;
    if (!closed) return no(end, "ambiguous", calls[0]?.name, dataEnd ?? dataEnds);
  }
  return { kind: "done", calls, end, repairs: [...repairs], fenced, ...(dataEnd === undefined ? {} : { dataEnd }) };
}

/**
 * Does the envelope end here? Where a string holds quotes that are not escaped its end is a guess, and anything else
 * behind it says that the guess was wrong.
 */
function isClosedAt({ text, final, formats }: Source, at: number, { key }: Envelope): boolean | undefined {
  let i = at;
  while (i < text.length && i - at < 8 && (text[i] === "}" || text[i] === "]"))
    i = skipWhitespace(text, i + 1, text.length);
  if (i >= text.length) return final ? true : undefined;
  if (key === "" || text[i] === "`") return true;
  const token = text[i] === "<" ? lexToken(text, i, final) : null;
  if (token === "more") return undefined;
  if (token === null || !formats.closers.has(token.key)) return false;
  // A tag is closed by a tag: a special token belongs to something that the string quotes.
  return token.close || key.includes("|");
}

/** One object or list. */
function readValue(source: Source, at: number, envelope: Envelope, keyed: boolean, enveloped: boolean): Read {
  const { text, final, memo, origin } = source;
  const known = memo.get(at - origin);
  if (known !== undefined) return { kind: "done", calls: known.calls, end: origin + known.end, repairs: known.repairs };
  const read = readJson(text, at, text.length, { boundary: envelope.boundary, final });
  if (read.kind === "open") {
    if (!final) return MORE;
    const dataEnd = enveloped || read.inString ? text.length : undefined;
    const whole = enveloped ? wholeItems(source, at, envelope, keyed) : undefined;
    if (whole !== undefined) return dataEnd === undefined ? whole : { ...whole, dataEnd };
    return truncated(source, at, keyed, dataEnd);
  }
  if (read.kind === "none") {
    if (read.inString) return no(read.at, "malformed", undefined, damagedDataEnd(source, envelope, at));
    return lastResort(source, at, read.at, envelope, keyed);
  }
  const shaped = shapeCalls(read.value, source.tools, keyed);
  if (shaped.kind === "none") return no(at + 1, shaped.reason, undefined, read.end);
  const calls = rawCalls(shaped, text, at, read.repairs.length === 0, read.keyDoubts);
  const repairs = [...read.repairs, ...shaped.calls.flatMap((call) => call.repairs)];
  memo.set(at - origin, { calls, end: read.end - origin, repairs });
  return { kind: "done", calls, end: read.end, repairs };
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
  const { text, tools, eager } = source;
  if (text[at] !== "[" || eager) return undefined;
  const calls: RawCall[] = [];
  const repairs = new Set<Repair>(["closed-brackets"]);
  let end = at;
  for (let i = skipWhitespace(text, at + 1, text.length); text[i] === "{"; ) {
    const read = readJson(text, i, text.length, { boundary: envelope.boundary, final: true });
    const shaped = read.kind === "value" ? shapeCalls(read.value, tools, keyed) : undefined;
    if (read.kind !== "value" || shaped?.kind !== "calls") break;
    for (const call of rawCalls(shaped, text, i, read.repairs.length === 0, read.keyDoubts)) calls.push(call);
    for (const repair of [...read.repairs, ...shaped.calls.flatMap((call) => call.repairs)]) repairs.add(repair);
    end = read.end;
    i = skipWhitespace(text, end, text.length);
    if (text[i] === ",") i = skipWhitespace(text, i + 1, text.length);
  }
  return calls.length === 0 ? undefined : { kind: "done", calls, end, repairs: [...repairs] };
}

function truncated(source: Source, at: number, keyed: boolean, dataEnd: number | undefined): Read {
  const length = source.text.length;
  if (!source.eager) return no(length, "truncated", undefined, dataEnd);
  const value = closeTruncated(source.text, at, length);
  const shaped = value === undefined ? undefined : shapeCalls(value, source.tools, keyed);
  if (shaped === undefined || shaped.kind === "none") return no(length, "truncated", undefined, dataEnd);
  const last = shaped.calls.length - 1;
  const calls = rawCalls(shaped, source.text, at, false).map((call, index) =>
    index === last ? { ...call, complete: false } : call,
  );
  return { kind: "done", calls, end: length, repairs: ["truncated"] };
}

/** A body that no reader understands but whose closer says where it ends. */
function lastResort(source: Source, at: number, badAt: number, envelope: Envelope, keyed: boolean): Read {
  const window = source.text.slice(at, at + LAST_RESORT);
  const length = envelope.key === "" ? -1 : window.indexOf(`</${envelope.key}>`);
  const isTag = envelope.key !== "" && !envelope.key.includes("|");
  if (isTag && length === -1 && !source.final && window.length < LAST_RESORT) return MORE;
  const dataEnd = damagedBodyEnd(source, at, envelope);
  if (dataEnd === "more") return MORE;
  if (!isTag) return no(badAt, "malformed", undefined, dataEnd);
  if (length === -1) return no(Math.max(badAt, at + window.length), "malformed", undefined, dataEnd);
  const body = window.slice(0, length);
  const value = isDeep(body) ? undefined : (unframed(body.trim()) ?? repairDelimited(body));
  const shaped = value === undefined ? undefined : shapeCalls(value, source.tools, keyed);
  if (shaped === undefined || shaped.kind === "none")
    return no(Math.max(badAt, at + length), shaped?.reason ?? "malformed", undefined, dataEnd);
  const repairs = new Set<Repair>(["jsonrepair", ...shaped.calls.flatMap((call) => call.repairs)]);
  return { kind: "done", calls: rawCalls(shaped, source.text, at, false), end: at + length, repairs: [...repairs] };
}

/** A body in doubled braces, as templates need them, or escaped as if it stood in a string. */
function unframed(body: string): Json | undefined {
  const inner =
    body.startsWith("{{") && body.endsWith("}}")
      ? body.slice(1, -1)
      : body.startsWith('{\\"') && body.endsWith("}")
        ? parsed(`"${body}"`)
        : undefined;
  return typeof inner === "string" ? parsed(inner) : undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
