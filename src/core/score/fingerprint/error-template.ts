import { token } from "./token.ts";

/** How much of a message is read, and how much of the template is kept: far behind the first words there are only details. */
const READ = 4096;
const MAX_TEMPLATE_CHARS = 160;

/** Addresses, and other runs of characters that belong together; quotes are gone already. */
const TOKEN = /[a-z][a-z\d+.-]{1,15}:\/\/[^\s"'`<>]*|[^\s()[\]{}<>,;|="'`]+/gi;

/**
 * A message with a placeholder for everything that differs from one time to the next: `<path>`, `<url>`, `<host>`, `<quoted>`, and `#` for
 * numbers, ids, times and addresses. In time proportional to the message.
 *
 * @example
 * errorTemplate("cat: /tmp/x1: No such file"); // "cat: <path>: No such file"
 */
export function errorTemplate(message: string): string {
  return squeezed(withoutQuotes(message.slice(0, READ)).replace(TOKEN, token)).slice(0, MAX_TEMPLATE_CHARS);
}

/** One placeholder for a row of them, units with their number, one space for white space. */
function squeezed(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(UNITS, "#")
    .replace(/(^| ):{1,3}#/g, "$1#")
    .replace(/#(?:[ ,:/x-]{1,2}#){1,4096}/g, "#")
    .replace(/(<\w{3,6}>)(?:,? \1){1,1024}/g, "$1")
    .trim();
}

/** "30 seconds" and "500 ms" are both a while. */
const UNITS =
  /# ?(?:ns|[uµμ]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?|milliseconds?|[kmgt]i?b|b|bytes?|%)(?![\w-])/gi;

/** What closes what opens. */
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
const WORDLY = /[\p{L}\p{N}]/u;

/** Puts `<quoted>` in the place of each quotation. An apostrophe inside a word opens and closes nothing. */
export function withoutQuotes(text: string): string {
  let written = "";
  let from = 0;
  for (let at = text.search(OPENING); at !== -1 && at < text.length; ) {
    const end = isWordly(text, at - 1) ? -1 : endOf(text, at + 1, CLOSING.get(text.charAt(at)) as string);
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

function endOf(text: string, start: number, closing: string): number {
  const limit = Math.min(text.length, start + MAX_QUOTE_CHARS);
  for (let at = start; at < limit; at += 1) {
    const char = text.charAt(at);
    if (char === "\n") return -1;
    if (char === closing && !isWordly(text, at + 1)) return at;
  }
  return -1;
}

function isWordly(text: string, at: number): boolean {
  return at >= 0 && at < text.length && WORDLY.test(text.charAt(at));
}
