import { DIGIT_0, DIGIT_9, ESCAPE, isLetter, OPEN_BRACKET, SPACE } from "../text/char-codes.ts";
import { withoutReminders } from "../text/reminders.ts";
import { digestOf, HIGH_PRIME, HIGH_SEED, LOW_PRIME, LOW_SEED } from "./digest.ts";

/**
 * Differences between two equivalent results: times, dates, durations, UUIDs, addresses, hashes and ids. Plain numbers
 * stay, because "2 failed" after "3 failed" is new information. Every part is bounded.
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
const MAX_UNIT_CHARS = 13;
/** Words before a number that names a process, or says how long something took. `[1]` is a job of a shell. */
const BEFORE_VARIABLE =
  /^(?:[[(]?(?:pid|process|pgid)[:=]?|\[\d{1,3}\][+-]?|["']?(?:duration|elapsed|took)[a-z_]{0,12}["']?[:=]?)$/i;
const MAX_BEFORE_CHARS = 24;
const FIRST_NUMBER = /\d{1,12}(?:[.,]\d{1,9})?/;
const NUMBER = /^[[(]?\d{1,9}(?:[.,]\d{1,9})?[.,;:)\]]?$/;
/** Lines that a client puts around the output of a command. */
const CLIENT_LINE = /^(?:Chunk ID|Wall time):.{0,200}$/gm;

/** In a longer text, only the ends are searched for times and ids. */
const MAX_SEARCHED_CHARS = 2048;

/**
 * A digest that is equal for results which differ only in times, ids and white space. Between the ends of a long text
 * all digits are skipped instead of being searched for times, which is faster; an id with letters there makes the
 * result new. For comparison only: it has no salt, and equal digests can be constructed.
 */
export function resultDigest(text: string): string {
  const digest = new WordDigest();
  const compared = withoutClientLines(text);
  if (compared.length <= MAX_SEARCHED_CHARS) {
    digest.add(compared, 0, compared.length);
    return digest.text;
  }
  const [from, to] = [afterLines(compared), beforeLines(compared)];
  digest.add(compared, 0, from);
  digest.add(compared, to, compared.length);
  return `${digest.text}.${digestWithoutDigits(compared, from, to).toString(36)}`;
}

function digestWithoutDigits(text: string, from: number, to: number): number {
  let sum = LOW_SEED;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code > SPACE && (code < DIGIT_0 || code > DIGIT_9)) sum = Math.imul(sum ^ code, LOW_PRIME);
  }
  return sum >>> 0;
}

/** The part of a text that may begin with lines of a client. */
const CLIENT_LINES_CHARS = 256;

function withoutClientLines(whole: string): string {
  const text = withoutReminders(whole);
  if (text.startsWith(SHELL_LINE, text.lastIndexOf("\n") + 1))
    return text.slice(0, text.lastIndexOf("\n") + 1) + exitOf(text);
  const start = text.slice(0, CLIENT_LINES_CHARS);
  return start.includes("Wall time:") || start.includes("Chunk ID:") ? text.replace(CLIENT_LINE, "") : text;
}

/** The last line of a shell result of Copilot: `<shellId: 4 completed with exit code 0>`. Shells are numbered. */
const SHELL_LINE = "<shellId: ";

function exitOf(text: string): string {
  return text.slice(text.lastIndexOf(" completed ") + 1);
}

/** Ends are cut at lines: a cut by characters would depend on the length of every time before it. */
const END_LINES = 12;
const MAX_END_CHARS = MAX_SEARCHED_CHARS / 2;

function afterLines(text: string): number {
  let at = -1;
  for (let line = 0; line < END_LINES; line += 1) {
    const next = text.indexOf("\n", at + 1);
    if (next === -1 || next > MAX_END_CHARS) return at === -1 ? MAX_END_CHARS : at;
    at = next;
  }
  return at;
}

function beforeLines(text: string): number {
  const first = text.length - MAX_END_CHARS;
  let at = text.length;
  for (let line = 0; line < END_LINES; line += 1) {
    const previous = text.lastIndexOf("\n", at - 1);
    if (previous < first) return at === text.length ? first : at;
    at = previous;
  }
  return at;
}

/** A longer word is split, so that a megabyte without spaces is not searched as one word. */
const MAX_WORD_CHARS = 4096;

/** Digests words, with variable parts replaced by `#`. Most words have no digit and are read once. */
class WordDigest {
  #low = LOW_SEED;
  #high = HIGH_SEED;

  get text(): string {
    return `${(this.#low >>> 0).toString(36)}.${(this.#high >>> 0).toString(36)}`;
  }

  add(text: string, from: number, to: number): void {
    let low = this.#low;
    let high = this.#high;
    let previousStart = 0;
    let previousEnd = 0;
    // The state before the last word, if that was a number: a unit after it makes it a duration.
    let isNumber = false;
    let numberLow = 0;
    let numberHigh = 0;
    for (let at = from; at < to; ) {
      let code = text.charCodeAt(at);
      if (code <= SPACE) {
        at = code === ESCAPE ? afterEscape(text, at) : at + 1;
        continue;
      }
      const start = at;
      const lowBefore = low;
      const limit = Math.min(to, start + MAX_WORD_CHARS);
      let hasDigit = false;
      do {
        low = Math.imul(low ^ code, LOW_PRIME);
        if (code <= DIGIT_9 && code >= DIGIT_0) hasDigit = true;
        at += 1;
        code = at < limit ? text.charCodeAt(at) : SPACE;
      } while (code > SPACE);
      if (hasDigit) {
        const word = text.slice(start, at);
        isNumber = NUMBER.test(word);
        const isNamed =
          previousEnd - previousStart <= MAX_BEFORE_CHARS &&
          BEFORE_VARIABLE.test(text.slice(previousStart, previousEnd));
        const isPlain = isNumber && word.length <= 10;
        const replaced = isNamed ? word.replace(FIRST_NUMBER, "#") : isPlain ? word : word.replace(VARIABLE, "#");
        if (replaced !== word) {
          low = digestOf(replaced, lowBefore, LOW_PRIME);
          isNumber = false;
        }
        numberLow = lowBefore;
        numberHigh = high;
      } else if (isNumber) {
        isNumber = false;
        if (at - start <= MAX_UNIT_CHARS && UNITS.test(text.slice(start, at))) {
          low = digestOf("#", numberLow, LOW_PRIME);
          high = numberHigh;
        }
      }
      low = Math.imul(low ^ SPACE, LOW_PRIME);
      // Once per word, from all characters before it: half the time of two sums over all characters.
      high = Math.imul(high ^ (high >>> 15) ^ low, HIGH_PRIME);
      previousStart = start;
      previousEnd = at;
    }
    this.#low = low;
    this.#high = high;
  }
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
