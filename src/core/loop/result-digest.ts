import { ESCAPE, isDigit, isLetter, OPEN_BRACKET, SPACE } from "../text/char-codes.ts";

/**
 * What differs between two results that say the same: times, dates, durations, UUIDs, addresses, hashes and ids. Plain
 * numbers stay, because "2 failed" after "3 failed" is news. Every part is bounded.
 */
const VARIABLE = new RegExp(
  [
    // A UUID.
    "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    // A date, with or without a time.
    "\\d{4}[-/_]\\d\\d[-/_]\\d\\d(?:[T_-]\\d\\d[:_-]?\\d\\d(?:[:_-]?\\d\\d)?(?:[.,_-]\\d{1,9})?(?:Z|[+-]\\d\\d:?\\d\\d)?)?",
    "\\d{1,2}/\\d{1,2}/\\d{2,4}",
    // A time of day.
    "\\d{1,2}:\\d\\d(?::\\d\\d)?(?:[.,]\\d{1,9})?Z?",
    // A duration, also after its name.
    "\\d{1,6}m\\d{1,2}(?:[.,]\\d{1,9})?s(?![0-9a-z])",
    "(?:duration|elapsed|took|pid)[a-z_]{0,12}[\"']?[:=] ?\\d{1,12}(?:\\.\\d{1,12})?",
    "\\d{1,9}(?:[.,]\\d{1,9})?(?:ns|us|[µμ]s|ms|s|secs?|mins?|m|h)(?![0-9a-z])",
    // An address, a hash or an id: letters and digits mixed, or many digits.
    "0x[0-9a-f]{1,32}",
    "tmp[._-]?[0-9a-z_]{6,16}(?![0-9a-z])",
    "(?<=@)[0-9a-f]{5,32}(?![0-9a-z])",
    "(?=[a-f]{0,64}\\d)(?=\\d{0,64}[a-f])[0-9a-f]{7,64}(?![0-9a-z])",
    "(?:[a-z]{2,12}[_-])?(?=[a-z]{0,64}\\d)(?=\\d{0,64}[a-z])[0-9a-z]{16,64}(?![0-9a-z])",
    "\\d{10,20}(?!\\d)",
  ]
    .map((part) => `(?<![0-9a-z])${part}`)
    .join("|"),
  "gi",
);
/** Units that may follow a number after a space. */
const UNITS = /^(?:ns|[uµμ]s|ms|s|secs?|seconds?|milliseconds?|m|mins?|minutes?|h|hours?)[.,;:)\]]?$/i;
/** Words before a number that names a process, or says how long something took. `[1]` is a job of a shell. */
const BEFORE_VARIABLE =
  /^(?:[[(]?(?:pid|process|pgid)[:=]?|\[\d{1,3}\][+-]?|["']?(?:duration|elapsed|took)[a-z_]{0,12}["']?[:=]?)$/i;
const NUMBER = /^[[(]?\d{1,9}(?:[.,]\d{1,9})?[.,;:)\]]?$/;
const FIRST_NUMBER = /\d{1,12}(?:[.,]\d{1,9})?/;
/** Lines that a client puts around the output of a command. */
const CLIENT_LINE = /^(?:Chunk ID|Wall time):.{0,200}$/gm;

/** Replaces what differs between results that say the same, and collapses white space. Takes linear time. */
export function normalizeResult(text: string): string {
  const source = text.includes("Wall time:") || text.includes("Chunk ID:") ? text.replace(CLIENT_LINE, "") : text;
  const words: string[] = [];
  for (let at = 0; at < source.length; ) {
    const { start, end, hasDigit } = nextWord(source, at);
    if (start === end) break;
    const word = source.slice(start, end);
    const previous = words.at(-1) ?? "";
    if (previous !== "" && UNITS.test(word) && NUMBER.test(previous)) words[words.length - 1] = "#";
    else if (!hasDigit) words.push(word);
    else if (BEFORE_VARIABLE.test(previous)) words.push(word.replace(FIRST_NUMBER, "#"));
    else words.push(word.replace(VARIABLE, "#"));
    at = end;
  }
  return words.join(" ");
}

interface Word {
  readonly start: number;
  readonly end: number;
  readonly hasDigit: boolean;
}

/** A longer word is cut, so that a megabyte without spaces is not searched as one. */
const MAX_WORD = 4096;

/** The next run of characters without spaces and colour codes. */
function nextWord(text: string, from: number): Word {
  let start = from;
  for (;;) {
    while (start < text.length && text.charCodeAt(start) <= SPACE && text.charCodeAt(start) !== ESCAPE) start += 1;
    if (text.charCodeAt(start) !== ESCAPE) break;
    start = afterEscape(text, start);
  }
  let hasDigit = false;
  let end = start;
  for (const limit = Math.min(text.length, start + MAX_WORD); end < limit; end += 1) {
    const code = text.charCodeAt(end);
    if (code <= SPACE) break;
    hasDigit ||= isDigit(code);
  }
  return { start, end, hasDigit };
}

/** Longer sequences are not terminal codes. */
const MAX_ESCAPE = 32;

/** The end of a terminal code such as `ESC [ 31 m`. */
function afterEscape(text: string, start: number): number {
  if (text.charCodeAt(start + 1) !== OPEN_BRACKET) return start + 1;
  for (let at = start + 2; at < start + MAX_ESCAPE; at += 1) {
    if (isLetter(text.charCodeAt(at))) return at + 1;
  }
  return start + 1;
}

/**
 * A digest of 64 bits for comparison within one conversation. Not for storage: it has no salt, and equal digests can be
 * constructed.
 */
export function digest(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return `${text.length.toString(36)}.${(low >>> 0).toString(36)}.${(high >>> 0).toString(36)}`;
}
