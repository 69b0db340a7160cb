import type { Repair } from "../../json/values.ts";
import { skipWhitespace } from "../../text/cursor.ts";
import { literalAt, type Opening, openingOf } from "../formats/index-formats.ts";
import { type FormatRow, TOOL_ROWS } from "../formats/table.ts";
import { attributesOf, isCutToken, originalCase, type Token, tokenAt } from "../lex/token.ts";
import {
  type Done,
  type Envelope,
  no,
  type Payload,
  type Read,
  type Refused,
  type Source,
  skipEscapedBreaks,
} from "../payload/payload.ts";
import { PAYLOADS } from "../payload/registry.ts";

/** Deeper nesting of wrappers is a model that repeats itself. */
const MAX_NESTING = 4;
const FENCE = "```";

/** Returns the opening at `at`, at any position where envelopes may be nested. */
function openingAt(source: Source, at: number): Opening | undefined {
  const { formats } = source;
  const c = source.at(at);
  const token = c === "<" || c === "]" ? tokenAt(source, at) : null;
  if (token !== null) return openingOf(formats, token) ?? toolTagOf(source, token);
  return (
    literalAt(formats.marks.get(c) ?? [], source, at) ??
    (/[a-z]/i.test(c) ? literalAt(formats.words, source, at) : undefined)
  );
}

/** A tag named after a declared tool, inside a wrapper. */
function toolTagOf({ text, tools }: Source, token: Token): Opening | undefined {
  if (token.close || token.skin !== "" || token.value !== undefined) return undefined;
  const name = originalCase(text, token);
  if (!tools.has(name)) return undefined;
  return { rows: [TOOL_ROWS.tag], token, key: token.key, name, start: token.start, bodyAt: token.end };
}

/** Implements `Reading.open`: parses a nested envelope, if one opens here. */
export function openNested(source: Source, at: number, depth: number): Read | undefined {
  const first = depth > MAX_NESTING ? undefined : openingAt(source, at);
  const rows = first?.rows.filter((row) => row.strength === "strong" || row === TOOL_ROWS.tag) ?? [];
  if (first === undefined || rows.length === 0) return undefined;
  const opening = lastOfRun(source.text, first);
  checkRepeats(source, opening);
  return readEnvelope(source, { ...opening, rows }, depth);
}

const REPEATS_AT_ONCE = 64;

/** Skips to the last opener of a run. A model in a loop repeats the opener, and only the last one can have a body. */
export function lastOfRun(text: string, opening: Opening): Opening {
  const { token } = opening;
  if (token === undefined || token.self) return opening;
  const written = text.slice(token.start, token.end);
  const { length } = written;
  let last = token.start;
  let next = nextRepeat(text, last, written);
  if (next === last) return opening;
  // A model in a loop writes thousands: many at once are compared first.
  const many = written.repeat(REPEATS_AT_ONCE);
  while (next !== last) {
    last = next;
    while (text.startsWith(many, last + length)) last += many.length;
    next = nextRepeat(text, last, written);
  }
  const end = last + length;
  return { ...opening, token: { ...token, start: last, end }, bodyAt: end };
}

/** Start of the same opener behind the one at `at`, or `at` if something else follows. */
function nextRepeat(text: string, at: number, written: string): number {
  const next = skipWhitespace(text, at + written.length, text.length);
  return text.startsWith(written, next) ? next : at;
}

/** Waits while the text ends inside what may be a repetition of the same opener. */
export function checkRepeats(source: Source, { token }: Opening): void {
  if (token === undefined || token.self || source.final) return;
  source.startsWith(source.text.slice(token.start, token.end), source.skipBlanks(token.end));
}

/** Parses the body and the closers of an opening, using the first row whose payload recognizes the body. */
export function readEnvelope(source: Source, opening: Opening, depth: number): Read {
  const isSelf = opening.token?.self === true;
  const at = isSelf ? opening.bodyAt : source.skipBlanks(opening.bodyAt);
  if (!isSelf && source.isEnd(at)) return no(at, "truncated", opening.name);
  let refused: Refused | undefined;
  for (const row of opening.rows) {
    const read = readRow(source, opening, row, at, depth);
    if (read?.kind === "done") return read;
    refused = furthest(refused, read);
  }
  return refused ?? { kind: "no", at: opening.bodyAt, reason: "malformed", unbegun: true };
}

/** Tries the payloads of one row. `undefined`: none of them recognizes the body. */
function readRow(source: Source, opening: Opening, row: FormatRow, at: number, depth: number): Read | undefined {
  const envelope = envelopeOf(source, opening, row, depth);
  let refused: Refused | undefined;
  for (const name of row.payloads) {
    const payload: Payload = PAYLOADS[name];
    const from = name === "markup" || name === "elements" ? opening.bodyAt : at;
    const read = payload(source, from, envelope);
    if (read?.kind === "done") {
      const format = row.outer === true ? row.format : (read.format ?? row.format);
      return new Closers(source, row, opening).close(read, format);
    }
    refused = furthest(refused, read);
  }
  return refused;
}

/** The refusal that got further, the first of equals. What one of the readers takes for data is data. */
function furthest(a: Refused | undefined, b: Refused | undefined): Refused | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { ...(b.at > a.at ? b : a), dataEnd: a.dataEnd ?? b.dataEnd };
}

function envelopeOf(source: Source, opening: Opening, row: FormatRow, depth: number): Envelope {
  const token = opening.token;
  const attributes = token?.attributes ?? "";
  const id = attributes === "" ? undefined : attributesOf(attributes).get("id");
  return {
    key: opening.key,
    boundary: token === undefined ? "\u0000" : source.text.slice(token.start, token.end),
    skin: token?.skin ?? "",
    attributes,
    selfClosed: token?.self === true,
    depth,
    block: row.last === true,
    entities: row.entities === true,
    name: opening.name,
    id,
  };
}

/** Consumes the closers of an envelope: its own, another dialect's, doubled or misspelled ones, or none. */
class Closers {
  private readonly source: Source;
  private readonly key: string;
  private readonly row: FormatRow;
  private readonly repairs = new Set<Repair>();
  /** A fence inside the envelope is markup, and so is its end. */
  private isFenced = false;
  private isFenceClosed = false;
  /** The opener's own bracket is still to come: `<functioncall {…}>`. */
  private isTagOpen: boolean;

  constructor(source: Source, row: FormatRow, { key, token }: Opening) {
    this.source = source;
    this.key = key;
    this.row = row;
    this.isTagOpen = token !== undefined && source.text[token.end - 1] !== ">" && source.text[token.end] === "{";
  }

  close(read: Done, format: string): Done {
    const { source, repairs } = this;
    for (const repair of read.repairs) repairs.add(repair);
    this.isFenced = read.fenced === true;
    let end = read.end;
    for (let i = source.skipBlanks(end); !source.isEnd(i); i = source.skipBlanks(end)) {
      const next = this.closerEnd(skipEscapedBreaks(source, i));
      if (next === undefined) break;
      end = next;
      if (next >= source.length && source.final) break;
    }
    return { ...read, end, format, repairs: [...repairs], fenced: this.isFenced, fromFence: read.fenced === true };
  }

  /** End of the closer at `i`, if one is there. */
  private closerEnd(i: number): number | undefined {
    const { source } = this;
    const c = source.at(i);
    if (c === ">" && this.isTagOpen) {
      this.isTagOpen = false;
      return i + 1;
    }
    const token = c === "<" || c === "]" ? tokenAt(source, i) : null;
    if (token !== null) return this.tagEnd(token);
    if (c === "<" && this.isCutCloser(i)) return source.length;
    const literal = source.formats.literalClosers
      .get(c)
      ?.find((one) => this.isOwn(one) && !(one === FENCE && this.isFenceClosed) && source.startsWith(one, i));
    if (literal !== undefined) {
      // A second fence would open another block.
      if (literal === FENCE) this.isFenceClosed = true;
      return i + literal.length;
    }
    if (this.isFenced && source.startsWith(FENCE, i)) {
      this.isFenced = false;
      return i + FENCE.length;
    }
    return c === "}" || c === "]" ? this.extraBracketsEnd(i) : undefined;
  }

  /** A row that has such closers is only closed by them, others by all but a fence. */
  private isOwn(literal: string): boolean {
    const { literalClosers } = this.source.formats;
    const own = (this.row.closers ?? []).filter((one) => literalClosers.get(one[0] as string)?.includes(one));
    return own.length === 0 ? literal !== FENCE : own.includes(literal);
  }

  private tagEnd(token: Token): number | undefined {
    const { source } = this;
    if (this.closes(token) || (token.close && token.key === this.key)) return token.end;
    if (token.close || openingOf(source.formats, token) === undefined) return undefined;
    if (!source.isEnd(source.skipBlanks(token.end))) return undefined;
    // Nothing follows this opener, so it was meant as the closer.
    this.repairs.add("opener-as-closer");
    return source.length;
  }

  private closes({ key, close }: Token): boolean {
    const { closers, plainClosers } = this.source.formats;
    return closers.has(key) && (close || plainClosers.has(key));
  }

  /** Whether the text ends in an incomplete closer such as `</tool_cal`. */
  private isCutCloser(at: number): boolean {
    const { source } = this;
    // Only where a stream would still be waiting for more text, so that both decide the same.
    if (source.length - at > 48 || !isCutToken(source, at)) return false;
    const rest = source.text.slice(at).trimEnd();
    const word = rest.replace(/^<\/?[|｜]?/, "").toLowerCase();
    if (rest.length < 2 || word.includes("<") || word.includes(">")) return false;
    const keys = [...source.formats.closers];
    if (rest.startsWith("</") && keys.some((key) => key.replaceAll("|", "").startsWith(word))) return true;
    return rest.startsWith("<|") && keys.some((key) => key.startsWith(`|${word}`));
  }

  /** Skips surplus brackets, but only if a closer or the end of the text follows. */
  private extraBracketsEnd(at: number): number | undefined {
    const { source } = this;
    let i = at;
    while (i - at < 8 && (source.at(i) === "}" || source.at(i) === "]")) i = source.skipBlanks(i + 1);
    const token = source.at(i) === "<" ? tokenAt(source, i) : null;
    if (!source.isEnd(i) && (token === null || !this.closes(token))) return undefined;
    this.repairs.add("extra-bracket");
    return i;
  }
}
