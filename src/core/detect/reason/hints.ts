import { byteOf, LETTER, SIGN, writeBytes } from "../text/char-bytes.ts";
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
  /** A word or sign of one of the phrases that close an output, or that are a system error. */
  trailer: 512,
  system: 1024,
} as const;

/** Hints without which a text contains no phrase of a list: every text with a phrase has them. */
const GATES = HINT.trailer | HINT.system;

/** Letters of a word that are compared. */
const PREFIX = 6;
/** Bytes that are read behind a part, because a word that is cut at its end is read a little further. */
const AHEAD = PREFIX;

/** An open hash table of words: in each slot their first letters as a number, and their hints behind it. */
const SLOT_BITS = 14;
const LAST_SLOT = (1 << SLOT_BITS) - 1;
const TABLE = new Int32Array(2 << SLOT_BITS);
/**
 * A bit for each slot in which a word belongs. Small enough to stay in the fastest cache of a processor, which every word
 * of every result needs.
 */
const FILTER = new Uint8Array(1 << (SLOT_BITS - 3));

function slotOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> (32 - SLOT_BITS);
}
/** Hints of single bytes: signs of phrases without a word that could be searched, letters of other languages. */
const SIGNS = new Uint16Array(256).fill(GATES, SIGN);
SIGNS[LETTER] = GATES | HINT.failure;

const LETTER_BITS = 5;
const CAPITAL = 1 << LETTER_BITS;
const SMALL = CAPITAL - 1;
/** Letters as numbers of five bits; capitals have a bit more. */
const LETTERS = new Uint8Array(256).map((_, byte) => {
  const number = (byte | 32) - 96;
  return byte < SIGN && number >= 1 && number <= 26 ? number | (byte < 96 ? CAPITAL : 0) : 0;
});

/** Returns where the hints of a word are: in its own slot, or in the first empty one behind the place where it belongs. */
function placeOf(key: number): number {
  let slot = slotOf(key);
  while (TABLE[slot * 2] !== key && TABLE[slot * 2] !== 0) {
    slot = (slot + 1) & LAST_SLOT;
  }
  return slot * 2 + 1;
}

function add(word: string, hint: number): void {
  if (word.length === 1) {
    SIGNS[word.charCodeAt(0)] = (SIGNS[word.charCodeAt(0)] as number) | hint;
    return;
  }
  let key = 0;
  for (let at = 0; at < Math.min(PREFIX, word.length); at += 1) {
    key = (key << LETTER_BITS) | (LETTERS[word.charCodeAt(at)] as number);
  }
  const place = placeOf(key);
  TABLE[place - 1] = key;
  const slot = slotOf(key);
  FILTER[slot >> 3] = (FILTER[slot >> 3] as number) | (1 << (slot & 7));
  TABLE[place] = (TABLE[place] as number) | hint;
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

/**
 * Returns the hints of the words of a whole text that start between these positions, without {@link GATES}: a text is
 * read where it is, because copying a part that is searched once costs more.
 */
export function hintsInPlace(text: string, from: number, to: number): number {
  const stop = Math.min(text.length, to + AHEAD);
  let hints = 0;
  let at = from;
  while (at < to) {
    let code = text.charCodeAt(at);
    let lower = code | 32;
    if (lower < 97 || lower > 122) {
      hints |= code >= SIGN && byteOf(code) === LETTER ? HINT.failure : 0;
      at += 1;
      continue;
    }
    const start = at;
    let key = lower - 96;
    let isSmall = code === lower;
    for (at += 1; at < stop; at += 1) {
      code = text.charCodeAt(at);
      lower = code | 32;
      if (lower < 97 || lower > 122 || (isSmall && code !== lower)) {
        break;
      }
      isSmall = code === lower;
      if (at - start < PREFIX) {
        key = (key << LETTER_BITS) | (lower - 96);
      }
    }
    const slot = slotOf(key);
    if ((((FILTER[slot >> 3] as number) >> (slot & 7)) & 1) === 1 && at - start > 1) {
      hints |= hintsOfWord(key, at - start >= RETURN_CODE_LENGTH || at === stop);
    }
  }
  return hints & ~GATES;
}

/** The hints of a word by its first letters. */
function hintsOfWord(key: number, isLong: boolean): number {
  const bits = TABLE[placeOf(key)] as number;
  return isLong ? bits : bits & ~HINT.returned;
}

/** The bytes of a part, which is rarely longer. */
const short = new Uint8Array(1024);

/** Returns the hints of all words that start between these positions. */
export function hintsIn(text: string, from: number, to: number): number {
  const stop = Math.min(text.length, to + AHEAD);
  const bytes = stop - from < short.length ? short : new Uint8Array(stop - from + 1);
  bytes[writeBytes(bytes, text, from, stop)] = 0;
  return hintsInBytes(bytes, 0, to - from, stop - from);
}

/** The same of a text in bytes with a 0 behind them. A word that reaches `stop` may be longer. */
function hintsInBytes(text: Uint8Array, from: number, to: number, stop: number): number {
  let hints = 0;
  let at = from;
  let isName = false;
  while (at < to) {
    let letter = LETTERS[text[at] as number] as number;
    if (letter === 0) {
      hints |= SIGNS[text[at] as number] as number;
      isName = false;
      at += 1;
      continue;
    }
    const start = at;
    let key = letter & SMALL;
    let before = letter;
    at += 1;
    letter = LETTERS[text[at] as number] as number;
    // A word also starts at a capital within a name: `ValueError`.
    while (letter !== 0 && (letter < CAPITAL || before > CAPITAL)) {
      if (at - start < PREFIX) {
        key = (key << LETTER_BITS) | (letter & SMALL);
      }
      before = letter;
      at += 1;
      letter = LETTERS[text[at] as number] as number;
    }
    if (letter !== 0) {
      // Phrases contain the name as a whole.
      hints |= isName ? 0 : gatesOfName(text, start, stop);
      isName = true;
    }
    const slot = slotOf(key);
    if ((((FILTER[slot >> 3] as number) >> (slot & 7)) & 1) === 1 && at - start > 1) {
      hints |= hintsOfWord(key, at - start >= RETURN_CODE_LENGTH || at >= stop);
    }
  }
  return hints;
}

/** The gates of a name such as `stackTrace`, read as one word. */
function gatesOfName(text: Uint8Array, from: number, stop: number): number {
  let key = 0;
  for (let at = from; at < Math.min(stop, from + PREFIX); at += 1) {
    const letter = LETTERS[text[at] as number] as number;
    if (letter === 0) {
      break;
    }
    key = (key << LETTER_BITS) | (letter & SMALL);
  }
  return (TABLE[placeOf(key)] as number) & GATES;
}

/** The same of a part of a text in bytes, which has a 0 behind its length. */
export function hintsOfBytes(text: Uint8Array, from: number, to: number, length: number): number {
  return hintsInBytes(text, from, to, Math.min(length, to + AHEAD));
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
