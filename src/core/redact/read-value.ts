import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PARENTHESIS,
  COLON,
  COMMA,
  DOT,
  LF,
  SEMICOLON,
  SPACE,
  TAB,
} from "../text/char-codes.ts";
import type { Report } from "./span.ts";

/** The position of a value in a text, without its quotes. */
export interface ReadValue {
  readonly start: number;
  readonly end: number;
  /** Position after the closing quote. */
  readonly after?: number;
  /** The value continues after `end`: only the part needed to classify it was read. */
  readonly isTruncated?: true;
}

/** Longer values are truncated: no password is longer, and multi-line keys have their own finders. */
const MAX_VALUE_CHARS = 8192;
/** The number of characters needed to classify a value. */
const MAX_CLASSIFIED_CHARS = 160;

export function isSpace(code: number): boolean {
  return code === SPACE || code === TAB;
}

export function skipSpaces(view: string, from: number, max: number): number {
  let at = from;
  while (at < view.length && at - from < max && isSpace(view.charCodeAt(at))) at += 1;
  return at;
}

/** Length of the whitespace at `from`, including line breaks. */
export function gapLength(view: string, from: number): number {
  return /^\s{0,300}/.exec(view.slice(from, from + 300))?.[0].length ?? 0;
}

/**
 * Reads the quoted value whose opening quote is at `at` in the view. The closing quote has as many backslashes before
 * it as the opening one: more belong to a quote inside the value, fewer to the text around it.
 */
export function readQuoted(text: string, at: number): ReadValue {
  const encoded = /^(?:%22|%27|&quot;|&#34;|&#39;|&apos;|\\+u00[0-9a-fA-F]{2})/.exec(text.slice(at, at + 16))?.[0];
  if (encoded !== undefined) {
    const start = at + encoded.length;
    const close = text.slice(start, start + MAX_VALUE_CHARS).indexOf(encoded);
    return close === -1
      ? { start, end: lineEnd(text, start) }
      : { start, end: start + close, after: start + close + encoded.length };
  }
  let open = at;
  while (text.charCodeAt(open) === BACKSLASH) open += 1;
  const depth = open - at + backslashesBefore(text, at);
  const start = open + 1;
  const limit = Math.min(text.length, start + MAX_VALUE_CHARS);
  const quote = text.charCodeAt(open);
  for (let at = start; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LF) return { start, end: at };
    if (code !== quote) continue;
    const before = backslashesBefore(text, at);
    if (before < depth || (before - depth) % (2 * (depth + 1)) === 0)
      return { start, end: Math.max(start, at - Math.min(before, depth)), after: at + 1 };
  }
  return { start, end: limit };
}

function backslashesBefore(text: string, at: number): number {
  let count = 0;
  while (count < 64 && text.charCodeAt(at - 1 - count) === BACKSLASH) count += 1;
  return count;
}

function lineEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_VALUE_CHARS);
  for (let at = from; at < limit; at += 1) if (text.charCodeAt(at) === LF) return at;
  return limit;
}

const PLAIN = new RegExp(`[^\\s"'\`<>，。；、）」]{1,${MAX_CLASSIFIED_CHARS}}`, "y");
const REMAINDER = new RegExp(`[^\\s"'\`<>，。；、）」]{0,${MAX_VALUE_CHARS}}`, "y");
/** A separator followed by the next name. */
const NEXT_NAME = /[;,&](?=[ \t]{0,4}[A-Za-z_][\w.$ -]{0,40}[=:])/;

/** Reads an unquoted value up to the next whitespace or the next name. Returns undefined for an empty value. */
export function readPlain(view: string, start: number): ReadValue | undefined {
  PLAIN.lastIndex = start;
  const run = PLAIN.exec(view)?.[0];
  if (run === undefined) return undefined;
  const next = run.search(NEXT_NAME);
  if (next === -1 && run.length === MAX_CLASSIFIED_CHARS) return { start, end: start + run.length, isTruncated: true };
  const end = withoutTrailing(view, start, start + (next === -1 ? run.length : next));
  return end > start ? { start, end } : undefined;
}

/** Reports a value up to its actual end, and returns that end. */
export function reportValue(view: string, { start, end, isTruncated }: ReadValue, report: Report): number {
  let last = end;
  if (isTruncated) {
    REMAINDER.lastIndex = end;
    last = withoutTrailing(view, start, end + (REMAINDER.exec(view)?.[0].length ?? 0));
  }
  if (last > start) report(start, last);
  return last;
}

function withoutTrailing(view: string, start: number, end: number): number {
  let last = end;
  while (last > start && isTrailing(view.charCodeAt(last - 1))) last -= 1;
  return last;
}

/** True for characters that after a value belong to the surrounding text. */
function isTrailing(code: number): boolean {
  return (
    code === COMMA ||
    code === SEMICOLON ||
    code === DOT ||
    code === COLON ||
    code === CLOSE_PARENTHESIS ||
    code === CLOSE_BRACKET ||
    code === CLOSE_BRACE
  );
}

/** The part of a value that is needed to classify it. */
export function classifiedText(view: string, { start, end }: ReadValue): string {
  return view.slice(start, Math.min(end, start + MAX_CLASSIFIED_CHARS));
}

/**
 * Reads a YAML block scalar: `key: |` and the lines below that are indented deeper than the key; undefined if there is
 * none.
 */
export function readBlockScalar(view: string, lineStart: number, at: number): ReadValue | undefined {
  const head = /^[|>][-+0-9]{0,2}[ \t]{0,4}\n/.exec(view.slice(at, at + 10));
  if (head === null) return undefined;
  const indent = skipSpaces(view, lineStart, 200) - lineStart;
  const start = at + head[0].length;
  let end = start;
  for (let next = start; next < view.length && next - start < MAX_VALUE_CHARS; ) {
    const firstChar = skipSpaces(view, next, 200);
    const isDeeper = firstChar - next > indent;
    const stop = view.indexOf("\n", firstChar);
    const lineStop = stop === -1 ? view.length : stop;
    next = lineStop + 1;
    if (firstChar === lineStop) continue;
    if (!isDeeper) break;
    end = lineStop;
  }
  const first = start + gapLength(view, start);
  return end > first ? { start: first, end } : undefined;
}
