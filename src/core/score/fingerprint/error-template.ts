import type { Hasher } from "../../model/call-key.ts";
import type { Category } from "../../model/outcome.ts";
import { token } from "./token.ts";

/** Only the start of a message is used: the rest contains details that differ between occurrences. */
const MAX_MESSAGE_CHARS = 4096;
const MAX_TEMPLATE_CHARS = 160;

/** URLs, and other runs of characters without spaces or brackets. Quotations are replaced before. */
const TOKEN = /[a-z][a-z\d+.-]{1,15}:\/\/[^\s"'`<>]*|[^\s()[\]{}<>,;|="'`]+/gi;

/**
 * Replaces the parts of a message that differ between occurrences by placeholders: `<path>`, `<url>`, `<host>`,
 * `<quoted>`, and `#` for numbers, ids, times and addresses. Takes linear time.
 *
 * @example
 * errorTemplate("cat: /tmp/x1: No such file"); // "cat: <path>: No such file"
 */
export function errorTemplate(message: string): string {
  return collapsePlaceholders(withoutQuotes(message.slice(0, MAX_MESSAGE_CHARS)).replace(TOKEN, token)).slice(
    0,
    MAX_TEMPLATE_CHARS,
  );
}

/** Collapses whitespace, units after numbers, and sequences of placeholders. */
function collapsePlaceholders(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(UNITS, "#")
    .replace(/(^| ):{1,3}#/g, "$1#")
    .replace(/#(?:[ ,:/x-]{1,2}#){1,4096}/g, "#")
    .replace(/(<\w{3,6}>)(?:,? \1){1,1024}/g, "$1")
    .trim();
}

/** "30 seconds" and "500 ms" become the same. */
const UNITS =
  /# ?(?:ns|[uµμ]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?|milliseconds?|[kmgt]i?b|b|bytes?|%)(?![\w-])/gi;

/** Closing by opening quotation mark. */
const CLOSING = new Map([
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["\u201c", "\u201d"],
  ["\u2018", "\u2019"],
  ["\u00ab", "\u00bb"],
  ["\u201e", "\u201c"],
]);
const MAX_QUOTE_CHARS = 400;
const WORD_CHAR = /[\p{L}\p{N}]/u;

/** Replaces each quotation by `<quoted>`. An apostrophe within a word is not a quotation mark. */
export function withoutQuotes(text: string): string {
  let written = "";
  let from = 0;
  for (let at = text.search(OPENING); at !== -1 && at < text.length; ) {
    const end = isWordChar(text, at - 1) ? -1 : findClosing(text, at + 1, CLOSING.get(text.charAt(at)) ?? "");
    if (end !== -1) {
      written += `${text.slice(from, at)}<quoted>`;
      from = end + 1;
    }
    OPENING_FROM.lastIndex = end === -1 ? at + 1 : from;
    at = OPENING_FROM.exec(text)?.index ?? -1;
  }
  return written + text.slice(from);
}

const OPENING = /["'`\u201c\u2018\u00ab\u201e]/;
const OPENING_FROM = new RegExp(OPENING, "g");

function findClosing(text: string, start: number, closing: string): number {
  const limit = Math.min(text.length, start + MAX_QUOTE_CHARS);
  for (let at = start; at < limit; at += 1) {
    const char = text.charAt(at);
    if (char === "\n") return -1;
    if (char === closing && !isWordChar(text, at + 1)) return at;
  }
  return -1;
}

function isWordChar(text: string, at: number): boolean {
  return at >= 0 && at < text.length && WORD_CHAR.test(text.charAt(at));
}

/**
 * Equal for the same failure in every session, whatever paths, numbers and ids the message contains. Starts with the
 * category, so that failures of two categories never share a fingerprint.
 *
 * @example
 * fingerprintOf("not_found", "ENOENT: no such file or directory, open '/a/b.ts'", hash); // "not_found-3f8a1c0d92be"
 */
export function fingerprintOf(category: Category, message: string, hash: Hasher): string {
  return `${category}-${hash(`failure\u0000${category}\u0000${errorTemplate(message)}`).slice(0, 12)}`;
}
