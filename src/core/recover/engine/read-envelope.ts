import { literalAt, type Opening, openingOf } from "../formats/index-formats.ts";
import type { FormatRow } from "../formats/row.ts";
import { TOOL_TAG } from "../formats/tool-tag.ts";
import { skipWhitespace } from "../json/read-string.ts";
import { attributesOf } from "../lex/attributes.ts";
import { lexToken } from "../lex/token.ts";
import { originalCase } from "../payload/markup-case.ts";
import { type Envelope, MORE, no, type Read, type Source } from "../payload/payload.ts";
import { PAYLOADS } from "../payload/registry.ts";

/** Deeper nesting of wrappers is a model that repeats itself. */
const MAX_NESTING = 4;

/** Returns the opening at `at`, at any position where envelopes may be nested. */
export function openingAt(source: Source, at: number): Opening | "more" | undefined {
  const { text, final, formats } = source;
  const c = text[at];
  if (c === undefined) return final ? undefined : "more";
  if (c === "<" || c === "]") {
    const token = lexToken(text, at, final);
    if (token === "more") return "more";
    if (token !== null) return openingOf(formats, token);
  }
  const marks = formats.marks.get(c);
  const literal = marks === undefined ? undefined : literalAt(marks, text, at, final);
  if (literal !== undefined) return literal;
  return /[a-z]/i.test(c) ? literalAt(formats.words, text, at, final) : undefined;
}

/** Implements `Source.open`: parses a nested envelope, if one opens here. */
export function openNested(source: Source, at: number, depth: number): Read | undefined {
  if (depth > MAX_NESTING) return undefined;
  const opening = openingAt(source, at);
  if (opening === "more") return MORE;
  if (opening === undefined) {
    const own = toolTagAt(source, at);
    return own === undefined ? undefined : readEnvelope(source, own, depth);
  }
  const nested = opening.rows.filter((row) => row.strength === "strong");
  return nested.length === 0 ? undefined : readEnvelope(source, { ...opening, rows: nested }, depth);
}

/** A tag named after a declared tool, inside a wrapper. */
function toolTagAt({ text, final, tools }: Source, at: number): Opening | undefined {
  const token = text[at] === "<" ? lexToken(text, at, final) : null;
  if (token === null || token === "more" || token.close || token.skin !== "" || token.value !== undefined)
    return undefined;
  const name = originalCase(text, token);
  if (!tools.has(name)) return undefined;
  return { rows: [TOOL_TAG], token, key: token.key, name, start: token.start, bodyAt: token.end };
}

/** Parses the body and the closers of an opening, using the first row whose payload recognizes the body. */
export function readEnvelope(source: Source, opening: Opening, depth: number): Read {
  const { text, final } = source;
  const at = skipWhitespace(text, opening.bodyAt, text.length);
  if (at >= text.length && opening.token?.self !== true) return final ? no(at, "truncated", opening.name) : MORE;
  let refused: Read | undefined;
  for (const row of opening.rows) {
    const envelope = envelopeOf(source, opening, row, depth);
    for (const name of row.payloads) {
      const payload = PAYLOADS[name];
      const from = name === "markup" || name === "elements" ? opening.bodyAt : at;
      const starts = payload.starts(source, from, envelope);
      if (starts === undefined) return { kind: "more", soon: true };
      if (!starts) continue;
      const read = payload.read(source, from, envelope);
      if (read.kind === "more") return MORE;
      if (read.kind === "no") {
        if (refused === undefined || (refused.kind === "no" && read.at > refused.at)) refused = read;
        continue;
      }
      return closed(source, read, row.outer === true ? row.format : (read.format ?? row.format), row, opening.key);
    }
  }
  return refused ?? { kind: "no", at: opening.bodyAt, reason: "malformed", unbegun: true };
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
    ...(opening.name === undefined ? {} : { name: opening.name }),
    ...(id === undefined ? {} : { id }),
  };
}

const FENCE = "```";

/** Consumes the closer of the envelope: its own, another dialect's, a doubled or misspelled one, or none. */
function closed(
  source: Source,
  read: Extract<Read, { kind: "done" }>,
  format: string,
  row: FormatRow,
  key: string,
): Read {
  const { text, final, formats } = source;
  const own = row.closers.filter((closer) => formats.literalClosers.includes(closer));
  const literals = own.length === 0 ? formats.literalClosers.filter((closer) => closer !== FENCE) : own;
  const repairs = new Set(read.repairs);
  // A fence inside the envelope is markup, and so is its end.
  let fenced = read.fenced === true;
  let fenceClosed = false;
  let end = read.end;
  let i = end;
  for (;;) {
    i = skipWhitespace(text, i, text.length);
    if (i >= text.length) {
      if (!final) return MORE;
      break;
    }
    const c = text[i] as string;
    if (c === "<" || c === "]") {
      const token = lexToken(text, i, final);
      if (token === "more") return MORE;
      if (token === null) {
        if (c === "<" && cutCloser(source, i)) {
          end = text.length;
          break;
        }
      } else if (closes(source, token.key, token.close) || (token.close && token.key === key)) {
        i = token.end;
        end = i;
        continue;
      } else if (!token.close && openingOf(formats, token) !== undefined) {
        const rest = skipWhitespace(text, token.end, text.length);
        if (rest < text.length) break;
        if (!final) return MORE;
        // Nothing follows this opener, so it was meant as the closer.
        repairs.add("opener-as-closer");
        end = text.length;
        break;
      } else break;
    }
    const literal = literals.find((one) => text.startsWith(one, i) && !(one === FENCE && fenceClosed));
    if (literal !== undefined) {
      // A second fence would open another block.
      if (literal === FENCE) fenceClosed = true;
      i += literal.length;
      end = i;
      continue;
    }
    if (!final && literals.some((one) => text.length - i < one.length && one.startsWith(text.slice(i)))) return MORE;
    if (fenced && c === "`") {
      if (!final && text.length - i < 3) return MORE;
      if (text.startsWith("```", i)) {
        fenced = false;
        i += 3;
        end = i;
        continue;
      }
    }
    if (c === "}" || c === "]") {
      const extra = extraBrackets(source, i);
      if (extra === undefined) return MORE;
      if (extra > i) {
        repairs.add("extra-bracket");
        i = extra;
        end = i;
        continue;
      }
    }
    break;
  }
  return { ...read, end, format, repairs: [...repairs], fenced, fromFence: read.fenced === true };
}

function closes(source: Source, key: string, close: boolean): boolean {
  if (!source.formats.closers.has(key)) return false;
  return close || source.formats.plainClosers.has(key);
}

/** Whether the text ends in an incomplete closer such as `</tool_cal`. */
function cutCloser(source: Source, at: number): boolean {
  // Only where a stream would still be waiting for more text, so that both decide the same.
  if (!source.final || lexToken(source.text, at, false) !== "more") return false;
  const rest = source.text.slice(at, at + 48).trimEnd();
  if (at + 48 < source.text.length || rest.length < 2) return false;
  const word = rest.replace(/^<\/?[|｜]?/, "").toLowerCase();
  if (word.includes("<") || word.includes(">")) return false;
  if (rest.startsWith("</"))
    for (const key of source.formats.closers) if (key.replaceAll("|", "").startsWith(word)) return true;
  return rest.startsWith("<|") && [...source.formats.closers].some((key) => key.startsWith(`|${word}`));
}

/** Skips surplus brackets, but only if a closer or the end of the text follows. */
function extraBrackets(source: Source, at: number): number | undefined {
  const { text, final } = source;
  let i = at;
  while (i < text.length && i - at < 8 && (text[i] === "}" || text[i] === "]"))
    i = skipWhitespace(text, i + 1, text.length);
  if (i >= text.length) return final ? i : undefined;
  if (text[i] !== "<") return at;
  const token = lexToken(text, i, final);
  if (token === "more") return undefined;
  return token !== null && closes(source, token.key, token.close) ? i : at;
}
