import { withoutQuotes } from "./quotes.ts";
import { token } from "./token.ts";

/** How much of a message is read, and how much of the template is kept: far behind the first words there are only details. */
const READ = 4096;
const KEPT = 160;

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
  return squeezed(withoutQuotes(message.slice(0, READ)).replace(TOKEN, token)).slice(0, KEPT);
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
