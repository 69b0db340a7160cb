import { CATEGORY_PHRASES } from "./category-phrases.ts";
import { ERRNO_NAMES, ERRNO_SENTENCES } from "./errno-sentences.ts";
import { FAILURE_STEMS } from "./failure-words.ts";
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
} as const;

/** Letters of a word that are compared. */
const PREFIX = 6;

const TABLE_BITS = 13;
const MASK = (1 << TABLE_BITS) - 1;
/** Packed words, open addressing; 0 is free. */
const KEYS = new Int32Array(1 << TABLE_BITS);
const BITS = new Uint8Array(1 << TABLE_BITS);

/** 1 to 26 for letters, 32 for letters of other languages, 0 for everything else. Capitals have bit 64. */
const LETTERS = new Uint8Array(128).map((_, code) => {
  const lower = code | 32;
  return lower >= 97 && lower <= 122 ? lower - 96 + (code < 97 ? 64 : 0) : 0;
});

function packed(word: string): number {
  let key = 0;
  for (let at = 0; at < PREFIX; at += 1) {
    key = (key << 5) | (at < word.length ? (LETTERS[word.charCodeAt(at)] as number) & 31 : 0);
  }
  return key;
}

function slotOf(key: number): number {
  return (Math.imul(key, 0x9e3779b1) >>> (32 - TABLE_BITS)) & MASK;
}

function bitsOf(key: number): number {
  let slot = slotOf(key);
  while (KEYS[slot] !== 0) {
    if (KEYS[slot] === key) {
      return BITS[slot] as number;
    }
    slot = (slot + 1) & MASK;
  }
  return 0;
}

function add(word: string, hint: number): void {
  const key = packed(word);
  let slot = slotOf(key);
  while (KEYS[slot] !== 0 && KEYS[slot] !== key) {
    slot = (slot + 1) & MASK;
  }
  KEYS[slot] = key;
  BITS[slot] = (BITS[slot] as number) | hint;
}

/** Words of ordinary texts; another word of the same phrase is better. */
const COMMON = new Set(
  "string text name table number state token result results import file files status code line value return page list user option command available module version test tests data key keys property object function package directory path server connection message result".split(
    " ",
  ),
);

/** Registers the longest word of a phrase, which a text that contains the phrase has too. */
function register(phrase: string, hint: number): void {
  const words = phrase.split(/[^a-z]+/).filter((word) => word !== "");
  const telling = words.filter((word) => !COMMON.has(word));
  const longest = (telling.length === 0 ? words : telling).reduce(
    (best, word) => (word.length > best.length ? word : best),
    "",
  );
  if (longest !== "") {
    add(longest, hint);
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
    "http traceback usage killed terminated not such would exit expected got want conflict timed timeout could stopped failing fails problems",
  ],
  [HINT.stopped, "timed timeout exceeded exceeding exceeds aborted cancelled canceled interrupted"],
  [HINT.wrapper, "error exception failure mcp json jsonrpc rpc grpc unknown unrecognized no input tool"],
  [HINT.exit, "exit exits exited exitcode exitstatus exitvalue code status returncode returnvalue running output"],
  [HINT.truncated, "truncated omitted"],
];
for (const [hint, words] of WORDS) {
  for (const word of words.split(" ")) {
    add(word, hint);
  }
}
for (const word of [...LABELS, ...USAGE_LABELS, ...FAILURE_STEMS]) {
  register(word, HINT.failure);
}

/** Characters from here on are letters of other languages: their words are always examined. */
const FOREIGN = 0xc0;

/** Returns the hints of all words that start between these positions. */
export function hintsIn(text: string, from: number, to: number): number {
  let hints = 0;
  let key = 0;
  let length = 0;
  let small = false;
  // A word that is cut at the end is read a little further.
  const stop = Math.min(text.length, to + PREFIX);
  for (let at = from; at < to || (at < stop && length > 0); at += 1) {
    const code = text.charCodeAt(at);
    const letter = code < 128 ? (LETTERS[code] as number) : 0;
    if (letter === 0) {
      if (code >= FOREIGN) {
        hints |= HINT.failure;
      }
      if (length > 0) {
        if (length < PREFIX) {
          hints |= bitsOf(key << (5 * (PREFIX - length)));
        }
        length = 0;
        key = 0;
      }
      small = false;
    } else {
      // A word also starts at a capital within a name: `ValueError`.
      if (small && letter > 32) {
        if (length < PREFIX) {
          hints |= bitsOf(key << (5 * (PREFIX - length)));
        }
        length = 0;
        key = 0;
      }
      small = letter < 32;
      if (length < PREFIX) {
        key = (key << 5) | (letter & 31);
        length += 1;
        if (length === PREFIX) {
          hints |= bitsOf(key);
        }
      }
    }
  }
  return length > 0 && length < PREFIX ? hints | bitsOf(key << (5 * (PREFIX - length))) : hints;
}
