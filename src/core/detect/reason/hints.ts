import { LETTER, LETTERS, SIGN, writeBytes } from "../text/char-bytes.ts";
import { CATEGORY_PHRASES } from "./category-phrases.ts";
import { ERRNO_NAMES, ERRNO_SENTENCES } from "./errno-sentences.ts";
import { DENIAL_WORDS, FAILURE_STEMS, FOREIGN_FAILURES } from "./failure-words.ts";
import { LABELS, USAGE_LABELS } from "./severity-words.ts";

/**
 * What the words of a text allow: most rules need a word that most texts do not contain, so one scan over head and tail
 * saves them all. The table is derived from phrases, sentences, labels and stems where a rule has a list of them; the
 * words of patterns are listed here, and a test compares every pattern with them.
 */
export const HINT = {
  /** A word from a phrase, which ordinary texts contain too. */
  phrase: 1,
  /** A word that means failure, a label, the name of a system error. */
  failure: 2,
  /** A word with which a client reports that it stopped a call. */
  stopped: 4,
  /** A word with which clients and servers start the error of a tool. */
  wrapper: 8,
  /** A word of a client's exit code, or of a process that is still running. */
  exit: 16,
  /** A word that marks an output as truncated. */
  truncated: 32,
  /** A word of a failed assertion. */
  assertion: 64,
  /** A word that a report of a failure contains, in any line. */
  report: 128,
  /** `returncode`, or another word that starts with "return" and is as long. */
  returned: 256,
  /** A word or sign of one of the phrases that close an output, that are a system error, or that name any category. */
  trailer: 512,
  system: 1024,
  category: 2048,
} as const;

/** Hints without which a text contains no phrase of a list: every text with a phrase has them. */
const GATES = HINT.trailer | HINT.system | HINT.category;

/** Letters of a word that are compared. */
const PREFIX = 6;

/**
 * An open hash table of words: their first letters as a number, and their hints. Small enough for the fastest cache of a
 * processor, because every word of every result is looked up.
 */
const SLOT_BITS = 14;
const LAST_SLOT = (1 << SLOT_BITS) - 1;
const KEYS = new Int32Array(1 << SLOT_BITS);
const BITS = new Uint16Array(1 << SLOT_BITS);
/** Hints of single bytes: signs of phrases without a word that could be searched, letters of other languages. */
const SIGNS = new Uint16Array(256).fill(GATES, SIGN);
SIGNS[LETTER] = GATES | HINT.failure;

/** Returns the slot of a word: its own, or the first empty one behind the place where it belongs. */
function slotOf(key: number): number {
  let slot = Math.imul(key, 0x9e3779b1) >>> (32 - SLOT_BITS);
  while (KEYS[slot] !== key && BITS[slot] !== 0) {
    slot = (slot + 1) & LAST_SLOT;
  }
  return slot;
}

function add(word: string, hint: number): void {
  if (word.length === 1) {
    SIGNS[word.charCodeAt(0)] = (SIGNS[word.charCodeAt(0)] as number) | hint;
    return;
  }
  let key = 0;
  for (let at = 0; at < Math.min(PREFIX, word.length); at += 1) {
    key = Math.imul(key, 31) + word.charCodeAt(at);
  }
  const slot = slotOf(key);
  KEYS[slot] = key;
  BITS[slot] = (BITS[slot] as number) | hint;
}

/** Words of ordinary texts; another word of the same phrase is better. */
const COMMON = new Set(
  "string text name table number state token result results import file files status code line value return page list user option command available module version test tests data key keys property object function package directory path server connection message result".split(
    " ",
  ),
);

/** Between the two parts of a phrase. */
const GAP = " \u2026 ";

/** Registers the longest word of a phrase, which a text that contains the phrase has too. */
function register(phrase: string, hint: number): void {
  // Letters of other languages are a hint themselves.
  if (/[^ -~]/.test(phrase.replace(GAP, " "))) {
    return;
  }
  const words = phrase.split(/[^a-z]+/).filter((word) => word.length > 1);
  const telling = words.filter((word) => !COMMON.has(word));
  const longest = (telling.length === 0 ? words : telling).reduce(
    (best, word) => (word.length > best.length ? word : best),
    "",
  );
  if (longest !== "") {
    add(longest, hint);
  }
}

/**
 * Registers what every text contains that contains a phrase, whatever its capitals: the longest word that few other
 * texts contain, or else a sign.
 */
function registerGate(phrase: string, gate: number): void {
  // Of a phrase that may go on, the last word is known only by its first letters.
  const isOpen = /[a-z]\*$/.test(phrase);
  const words = [...phrase.matchAll(/[a-z]{2,}/g)].map(([word]) => word);
  const known = words.filter((word, index) => !isOpen || index < words.length - 1 || word.length >= PREFIX);
  const chosen =
    longestOf(known.filter((word) => !COMMON.has(word) && !FREQUENT.has(word))) ??
    /[^a-z\d *\u2026':/()-]/.exec(phrase)?.[0] ??
    longestOf(known.filter((word) => !word.startsWith("err"))) ??
    longestOf(known) ??
    /[^a-z *\u2026-]/.exec(phrase)?.[0];
  if (chosen === undefined) {
    throw new Error(`no word or sign of the phrase "${phrase}" can be searched`);
  }
  // Other characters are a hint themselves.
  if (!/[^ -~\u2026]/.test(phrase)) {
    add(chosen, gate);
  }
}

function longestOf(words: readonly string[]): string | undefined {
  return words.toSorted((one, other) => other.length - one.length)[0];
}

/** Words of many messages. */
const FREQUENT = new Set([
  ...FAILURE_STEMS,
  ...DENIAL_WORDS,
  "no",
  "is",
  "in",
  "to",
  "the",
  "be",
  "of",
  "with",
  "this",
]);

/** Registers lists of phrases that {@link HINT} has a gate for. */
export function registerGates(lists: readonly string[], gate: number): void {
  for (const list of lists) {
    for (const phrase of list.split(/[,\n]/)) {
      if (phrase.trim() !== "") {
        registerGate(phrase.trim(), gate);
      }
    }
  }
}

for (const [, list] of [...CATEGORY_PHRASES, ...ERRNO_SENTENCES]) {
  for (const phrase of list.split(/[,\n]/)) {
    register(phrase.trim(), HINT.phrase);
  }
}
for (const [, names] of ERRNO_NAMES) {
  for (const name of names.toLowerCase().split(" ")) {
    register(name, HINT.failure);
  }
}
const WORDS: readonly (readonly [number, string])[] = [
  [
    HINT.failure,
    "http traceback can couldn usage killed terminated not such would exit expected got want conflict timed timeout could stopped interrupt failing fails problems konflikt conflit conflicto conflitto puede pueden valido valida riuscita riuscito peut kann invalide",
  ],
  [HINT.stopped, "timed timeout exceeded exceeding exceeds aborted cancelled canceled interrupted"],
  [HINT.wrapper, "error exception failure mcp json jsonrpc rpc grpc unknown unrecognized no input tool"],
  [HINT.exit, "exit exits exited exitcode exitstatus exitvalue code status running output"],
  [HINT.returned, "return"],
  [HINT.truncated, "truncated omitted cut"],
  [HINT.assertion, "assert assertion asserting expect expected want got actual received"],
];
for (const [hint, words] of WORDS) {
  for (const word of words.split(" ")) {
    add(word, hint);
  }
}
for (const word of [...LABELS, ...USAGE_LABELS]) {
  register(word, HINT.failure);
}
for (const word of FAILURE_STEMS) {
  add(word, HINT.failure | HINT.report);
}
for (const word of DENIAL_WORDS) {
  add(word, HINT.failure | HINT.report);
}

/** Length of `returncode`: "return" and "returned" are ordinary words. */
const RETURN_CODE_LENGTH = 10;

/** The bytes of a part, which is rarely longer. */
const short = new Uint8Array(1024);

/** Returns the hints of all words that start between these positions. */
export function hintsIn(text: string, from: number, to: number): number {
  // A word that is cut at the end is read a little further.
  const stop = Math.min(text.length, to + PREFIX);
  const bytes = stop - from > short.length ? new Uint8Array(stop - from) : short;
  writeBytes(bytes, text, from, stop);
  return hintsInBytes(bytes, 0, to - from, stop - from);
}

/** The same of a text in bytes, whose last word is read up to `stop`. */
function hintsInBytes(text: Uint8Array, from: number, to: number, stop: number): number {
  let hints = 0;
  let at = from;
  let isName = false;
  while (at < to) {
    let byte = text[at] as number;
    let lower = LETTERS[byte] as number;
    at += 1;
    if (lower === 0) {
      hints |= SIGNS[byte] as number;
      isName = false;
      continue;
    }
    const start = at - 1;
    let key = lower;
    let small = byte === lower;
    for (; at < stop; at += 1) {
      byte = text[at] as number;
      lower = LETTERS[byte] as number;
      if (lower === 0) {
        break;
      }
      // A word also starts at a capital within a name: `ValueError`. Phrases contain the name as a whole.
      if (small && byte !== lower) {
        hints |= isName ? 0 : gatesOfName(text, start, stop);
        isName = true;
        break;
      }
      small = byte === lower;
      if (at - start < PREFIX) {
        key = Math.imul(key, 31) + lower;
      }
    }
    if (at - start > 1) {
      const bits = BITS[slotOf(key)] as number;
      hints |= at - start < RETURN_CODE_LENGTH && at < stop ? bits & ~HINT.returned : bits;
    }
  }
  return hints;
}

/** The gates of a name such as `stackTrace`, read as one word. */
function gatesOfName(text: Uint8Array, from: number, stop: number): number {
  let key = 0;
  for (let at = from; at < Math.min(stop, from + PREFIX) && LETTERS[text[at] as number] !== 0; at += 1) {
    key = Math.imul(key, 31) + (LETTERS[text[at] as number] as number);
  }
  return (BITS[slotOf(key)] as number) & GATES;
}

/** The same of one of the lines of a text in bytes. */
export function hintsOfBytes(text: Uint8Array, from: number, to: number, length: number): number {
  return hintsInBytes(text, from, to, Math.min(length, to + PREFIX));
}

/** Whether a part of a text contains a word of a report. */
export function reportsFailure(part: string, hints = hintsIn(part, 0, part.length)): boolean {
  return (hints & HINT.report) !== 0 || ((hints & HINT.failure) !== 0 && (hasDenial(part) || hasForeignReport(part)));
}

function hasDenial(part: string): boolean {
  return (
    part.includes("an't ") ||
    part.includes("ouldn't ") ||
    part.includes("o such") ||
    part.includes("would re") ||
    part.includes("would be ")
  );
}

/** One pattern is faster than a search for each word; most texts need only the words without foreign letters. */
const PLAIN_FAILURE = new RegExp(FOREIGN_FAILURES.filter(isAscii).join("|"));
const FOREIGN_FAILURE = new RegExp(FOREIGN_FAILURES.filter((word) => !isAscii(word)).join("|"));

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > 127) {
      return false;
    }
  }
  return true;
}

function hasForeignReport(part: string): boolean {
  const lower = part.toLowerCase();
  return PLAIN_FAILURE.test(lower) || (!isAscii(lower) && FOREIGN_FAILURE.test(lower));
}
