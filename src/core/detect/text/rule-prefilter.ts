/**
 * Prefilter of the wording rules. Every rule lists word prefixes. One pass over the characters collects the
 * rules with a prefix in the text, and only those are tried. A missing prefix disables its rule; a superfluous one only
 * costs time.
 */
export interface RulePrefilter {
  /** Candidate rules of each four-letter prefix, one bit per rule. */
  readonly slots: Int32Array;
  /** Rules that are always tried. */
  readonly always: number;
  /** Candidates for a number between 400 and 599: `#`. */
  readonly status: number;
  /** Candidates for letters beyond basic Latin, or symbols: `~`. */
  readonly foreign: number;
  /** Candidates for a JSON-RPC code: `-32`. */
  readonly rpc: number;
}

const TABLE_BITS = 12;

/** Characters that may follow a three-letter word: its prefix is registered with each of them. */
const AFTER_SHORT = " _:.,)'\"-!\n";

/** Builds the table from prefixes of four letters, with `_` for the end of a shorter word and `?` for any letter. */
export function wordTriggers(rules: readonly string[]): RulePrefilter {
  const slots = new Int32Array(1 << TABLE_BITS);
  const special = { always: 0, status: 0, foreign: 0, rpc: 0 };
  rules.forEach((words, index) => {
    const bit = 1 << index;
    for (const word of words.split(" ")) {
      const kind = SPECIAL[word];
      if (kind !== undefined) {
        special[kind] |= bit;
        continue;
      }
      for (const one of spellings(word)) {
        slots[slot(one, 0)] = (slots[slot(one, 0)] ?? 0) | bit;
      }
    }
  });
  return { slots, ...special };
}

const SPECIAL: Readonly<Record<string, "always" | "status" | "foreign" | "rpc">> = {
  "*": "always",
  "#": "status",
  "~": "foreign",
  "-32": "rpc",
};

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

function spellings(word: string): readonly string[] {
  if (word.endsWith("?")) {
    return [...LETTERS].flatMap((letter) => spellings(word.slice(0, -1) + letter));
  }
  const gap = word.indexOf("_");
  return gap === -1
    ? [word]
    : [...AFTER_SHORT].map((sign) => word.slice(0, gap) + sign + word.slice(gap + 1)).concat(word);
}

/**
 * Packs four letters with five bits each. Symbols and capitals collide with letters, which only costs a second check.
 */
function slot(text: string, at: number): number {
  return fold(
    ((text.charCodeAt(at) & 31) << 15) |
      ((text.charCodeAt(at + 1) & 31) << 10) |
      ((text.charCodeAt(at + 2) & 31) << 5) |
      (text.charCodeAt(at + 3) & 31),
  );
}

function fold(four: number): number {
  return (four ^ (four >> 8)) & ((1 << TABLE_BITS) - 1);
}

/** Character classes used to find the start of a word. */
const LOWER = 1;
const UPPER = 2;
/** Characters from here on need a second check. */
const MAYBE_STATUS = 3;
const DASH = 4;
const FOREIGN = 5;

const CLASS = new Uint8Array(256).map((_, code) => {
  if (code >= 97 && code <= 122) {
    return LOWER;
  }
  if (code >= 65 && code <= 90) {
    return UPPER;
  }
  return code === 52 || code === 53 ? MAYBE_STATUS : code === 45 ? DASH : code > 0xbf ? FOREIGN : 0;
});

/**
 * Whether the last (1) or the second to last (2) of three character classes starts a word. A table is faster than
 * branches.
 */
const START = new Uint8Array(512).map((_, three) => {
  const kind = three & 7;
  const before = (three >> 3) & 7;
  if (kind === LOWER) {
    // The second word of `OSError` starts at its last capital.
    return before === UPPER ? (three >> 6 === UPPER ? 2 : 0) : before === LOWER ? 0 : 1;
  }
  return kind === UPPER && before !== UPPER ? 1 : 0;
});

/** Returns the rules with a word that starts between these positions, one bit per rule. */
export function candidateRules(triggers: RulePrefilter, text: string, from: number, to: number): number {
  const { slots } = triggers;
  // A word that starts before the end may continue after it.
  const stop = Math.min(to + 3, text.length);
  let called = triggers.always;
  // The last four characters, packed; which of them start a word, newest in the lowest bit; the classes of three.
  let four = 0;
  let starts = 0;
  let three = 0;
  for (let at = from; at < stop; at += 1) {
    const code = text.charCodeAt(at);
    const kind = code < 256 ? (CLASS[code] as number) : FOREIGN;
    four = ((four << 5) | (code & 31)) & 0xfffff;
    three = ((three << 3) | kind) & 511;
    starts = (starts << 1) | (START[three] as number);
    if ((starts & 8) !== 0) {
      called |= slots[fold(four)] as number;
    }
    if (kind >= MAYBE_STATUS) {
      called |= calledBySign(triggers, text, at, kind);
    }
  }
  // The text may end within a word: missing characters count as blank.
  if (stop === text.length && (starts & 7) !== 0) {
    for (let missing = 0; missing < 3; missing += 1) {
      four = (four << 5) & 0xfffff;
      starts <<= 1;
      if ((starts & 8) !== 0) {
        called |= slots[fold(four)] ?? 0;
      }
    }
  }
  return called;
}

function calledBySign({ foreign, status, rpc }: RulePrefilter, text: string, at: number, kind: number): number {
  if (kind === FOREIGN) {
    return foreign;
  }
  if (kind === MAYBE_STATUS) {
    return isStatus(text, at) ? status : 0;
  }
  return text.charCodeAt(at + 1) === 51 && text.charCodeAt(at + 2) === 50 ? rpc : 0;
}

/** Whether a number between 400 and 599 starts here that is not part of a longer one. */
function isStatus(text: string, at: number): boolean {
  const before = at === 0 ? 32 : text.charCodeAt(at - 1);
  return (
    (before < 48 || (before > 57 && before < 65)) &&
    isDigit(text.charCodeAt(at + 1)) &&
    isDigit(text.charCodeAt(at + 2))
  );
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
