import { CATEGORY_PHRASES } from "./category-phrases.ts";
import { ERRNO_NAMES, ERRNO_SENTENCES } from "./errno-sentences.ts";
import { FAILURE_STEMS } from "./failure-words.ts";
import { LABELS } from "./severity-words.ts";

/**
 * A prefilter: whether a text contains the start of any word that could make it a failure. The table is derived from
 * the phrases, sentences, labels and stems themselves: of each, the longest word has to be there.
 */
const TABLE_BITS = 15;
const TABLE = new Uint8Array(1 << TABLE_BITS);

/** A word from a phrase, which ordinary texts contain too. */
const WEAK_HINT = 1;
/** A word that means failure, a label, the name of a system error. */
export const STRONG_HINT = 2;
export const ANY_HINT: number = WEAK_HINT | STRONG_HINT;

/** Letters of a word that are compared. */
const PREFIX = 6;

function slotOf(text: string, at: number): number {
  let packed = 0;
  for (let index = 0; index < PREFIX; index += 1) {
    const code = text.charCodeAt(at + index) | 32;
    packed = (packed << 5) | (code >= 97 && code <= 122 ? code - 96 : 0);
    if (!(code >= 97 && code <= 122)) {
      packed <<= 5 * (PREFIX - 1 - index);
      break;
    }
  }
  return (packed ^ (packed >> 15)) & ((1 << TABLE_BITS) - 1);
}

/** Words of ordinary texts; another word of the same phrase is better. */
const COMMON = new Set(
  "string text name table number state token result results import file files status code line value return page list user option command available module version test tests data key keys property object function package directory path server connection message result".split(
    " ",
  ),
);

function register(phrase: string, strength: number): void {
  const words = phrase.split(/[^a-z]+/).filter((word) => word !== "");
  const telling = words.filter((word) => !COMMON.has(word));
  const longest = (telling.length === 0 ? words : telling).reduce(
    (best, word) => (word.length > best.length ? word : best),
    "",
  );
  if (longest !== "") {
    const slot = slotOf(longest, 0);
    TABLE[slot] = (TABLE[slot] ?? 0) | strength;
  }
}

for (const [, list] of [...CATEGORY_PHRASES, ...ERRNO_SENTENCES]) {
  for (const phrase of list.split(/[,\n]/)) {
    register(phrase.trim(), WEAK_HINT);
  }
}
for (const [, names] of ERRNO_NAMES) {
  for (const name of names.toLowerCase().split(" ")) {
    register(name, STRONG_HINT);
  }
}
for (const word of [
  ...LABELS,
  ...FAILURE_STEMS,
  ..."http traceback usage killed terminated not such would exit expected got want conflict timed timeout".split(" "),
]) {
  register(word, STRONG_HINT);
}

/** Characters from here on are letters of other languages: their words are always examined. */
const FOREIGN = 0xc0;

/** Whether a word that starts between these positions is in the table. */
export function hasHint(text: string, from: number, to: number, strength: number): boolean {
  let letter = false;
  let small = false;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    const lower = code >= 97 && code <= 122;
    const upper = code >= 65 && code <= 90;
    if (lower || upper) {
      // A word also starts at a capital within a name: `ValueError`.
      if ((!letter || (upper && small)) && ((TABLE[slotOf(text, at)] ?? 0) & strength) !== 0) {
        return true;
      }
      letter = true;
      small = lower;
    } else {
      if (code >= FOREIGN) {
        return true;
      }
      letter = false;
      small = false;
    }
  }
  return false;
}
