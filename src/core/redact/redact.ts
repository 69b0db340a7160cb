import { isQuote } from "../text/char-codes.ts";
import { findCommandSecrets } from "./command-secrets.ts";
import { findFileSecrets } from "./file-secrets.ts";
import { findCredentials } from "./header-values.ts";
import type { RedactLevel } from "./levels.ts";
import { findDeclaredVariables } from "./name-value-lists.ts";
import { findNamedValues } from "./named-values.ts";
import { findOpaqueTokens } from "./opaque-tokens.ts";
import { findPersonal } from "./personal.ts";
import { findProseSecrets } from "./prose-secrets.ts";
import { classifiedText, readQuoted } from "./read-value.ts";
import { isPlaceholder, looksRandom } from "./secret-values.ts";
import { isMark, PRIVATE_KEY, type Report, replaceSpans, SECRET, type Source, type Span, sourceOf } from "./span.ts";
import { findTokens } from "./tokens.ts";
import { findBarePairs, findUrlCredentials, findWebHooks } from "./urls.ts";

export type { RedactLevel } from "./levels.ts";

type Finder = (source: Source, report: Report) => void;

const SECRETS: readonly Finder[] = [
  findKeyBlocks,
  findTokens,
  findOpaqueTokens,
  findUrlCredentials,
  findBarePairs,
  findWebHooks,
  findNamedValues,
  findDeclaredVariables,
  findCredentials,
  findCommandSecrets,
  findCallSecrets,
  findFileSecrets,
  findProseSecrets,
];
const FINDERS: Readonly<Record<RedactLevel, readonly Finder[]>> = {
  secrets: SECRETS,
  personal: [...SECRETS, findPersonal],
};

/**
 * Replaces every credential in a text by a mark: vendor keys by their format, values by their names, arguments of
 * commands, and passwords in URLs, headers, files and sentences. Linear in the length of the text, and idempotent.
 *
 * @example
 * redact("mysql -uroot -phunter2 shop"); // "mysql -uroot -p[secret] shop"
 */
export function redact(text: string, level: RedactLevel = "secrets"): string {
  return replaceFound(text, FINDERS[level]);
}

/**
 * Replaces only tokens and personal data with a recognizable format. For ids, in which a name or a command would be a
 * coincidence.
 */
export function redactTokens(text: string, level: RedactLevel): string {
  return replaceFound(text, level === "personal" ? [findTokens, findPersonal] : [findTokens]);
}

/** Characters around a part that may decide what it is: the name above an indented value, the other half of a pair. */
const CONTEXT_CHARS = 256;
/** A private key is longer: its header is searched this far before the part. */
const MAX_KEY_CHARS = 16_384;

/**
 * Redacts a part of a text in its context. A line of a private key, for example, is a secret only because of the lines
 * before it. Reads little more than the part itself: redaction costs much more than the search for a header.
 */
export function redactPart(text: string, start: number, end: number, level: RedactLevel = "secrets"): string {
  const header = text.lastIndexOf(BEGIN, start);
  const isInBlock = header !== -1 && start - header <= MAX_KEY_CHARS && !text.slice(header, start).includes(END);
  const from = isInBlock ? Math.min(header, Math.max(0, start - CONTEXT_CHARS)) : Math.max(0, start - CONTEXT_CHARS);
  const spans = findSpans(text.slice(from, end + CONTEXT_CHARS), FINDERS[level]).flatMap((span) => {
    const inside = {
      ...span,
      start: Math.max(span.start + from - start, 0),
      end: Math.min(span.end + from, end) - start,
    };
    return inside.start < inside.end ? [inside] : [];
  });
  return replaceSpans(text.slice(start, end), spans);
}

function replaceFound(text: string, finders: readonly Finder[]): string {
  return replaceSpans(text, findSpans(text, finders));
}

function findSpans(text: string, finders: readonly Finder[]): Span[] {
  const spans: Span[] = [];
  const report: Report = (start, end, replacement = SECRET) => {
    spans.push({ start, end, replacement });
  };
  const source = sourceOf(text);
  for (const find of finders) find(source, report);
  return spans;
}

const BEGIN = "-----BEGIN ";
const END = "-----END ";

/** Finds private keys: PEM and PGP blocks, complete or truncated, and the keys of PuTTY and OpenVPN. */
export function findKeyBlocks({ view }: Source, report: Report): void {
  for (let at = view.indexOf(BEGIN); at !== -1; ) {
    const title = /^[A-Z0-9 ]{1,60}/.exec(view.slice(at + BEGIN.length, at + BEGIN.length + 60))?.[0] ?? "";
    if (!/PRIVATE|SECRET/.test(title)) {
      at = view.indexOf(BEGIN, at + BEGIN.length);
      continue;
    }
    const close = view.indexOf(END, at);
    const closeEnd = close === -1 ? -1 : view.indexOf("-----", close + END.length);
    const end = closeEnd === -1 ? view.length : closeEnd + 5;
    report(at, end, PRIVATE_KEY);
    at = view.indexOf(BEGIN, end);
  }
  if (view.includes("Private-Lines:"))
    findLines(view, /Private-Lines:[ \t]{0,4}\d{1,3}\s{1,20}((?:[A-Za-z0-9+/=]{1,200}\s{1,20}){1,60})/g, report);
  if (view.includes("Private-MAC:")) findLines(view, /Private-MAC:[ \t]{0,4}([0-9a-f]{32,128})/g, report);
  if (view.includes("<auth-user-pass>"))
    findLines(view, /<auth-user-pass>\s{1,20}\S{1,200}\s{1,20}([^\s<]{1,200})/g, report);
}

function findLines(view: string, pattern: RegExp, report: Report): void {
  for (const match of view.matchAll(pattern)) {
    const end = match.index + match[0].length;
    const value = match[1] ?? "";
    report(end - value.length, end - (value.length - value.trimEnd().length));
  }
}

/** Substrings of the names of functions that take a user and a password, or a payload and a secret. */
const STEMS = ["credential", "auth", "connection", "sign(", "login(", "hmac("];
const CALL =
  /(?:credentials?|basic_?auth(?:entication)?|httpauth|auth|(?:get|create|open)?connection|sign|login|hmac)\(/iy;
const MAX_ARGUMENTS = 6;
/** Matches what separates two string arguments: an expression without strings, and a wrapper such as `Some(`. */
const BETWEEN = /["'`]{0,12}[^"'`()\n;]{0,60},\s{0,8}(?:[A-Za-z]{1,10}\()?(?=["'`])/y;

/** Finds secrets among the arguments of calls: `new NetworkCredential("ann", "…")`, `jwt.sign(payload, "…")`. */
export function findCallSecrets({ text, view, lower }: Source, report: Report): void {
  for (const stem of STEMS)
    for (let at = lower.indexOf(stem); at !== -1; at = lower.indexOf(stem, at + stem.length)) {
      CALL.lastIndex = at;
      if (CALL.test(view)) readArguments(text, view, CALL.lastIndex, report);
    }
}

/** Reports random strings from the second argument on; the first one is a user, a URL or a payload. */
function readArguments(text: string, view: string, start: number, report: Report): void {
  let at = start;
  if (isQuote(view.charCodeAt(at))) at = readQuoted(text, at).end;
  for (let count = 1; count < MAX_ARGUMENTS; count += 1) {
    BETWEEN.lastIndex = at;
    if (!BETWEEN.test(view)) return;
    const value = readQuoted(text, BETWEEN.lastIndex);
    const written = classifiedText(view, value);
    if (
      /^[^\s./:]{6,200}$/.test(written) &&
      looksRandom(written) &&
      !isPlaceholder(written) &&
      !isMark(text, value.start)
    )
      report(value.start, value.end);
    at = value.end;
  }
}
