/**
 * The cheap question before any rule about wording: which rules can match at all? Every rule names the beginnings of
 * the words it is told with; one look at each character collects the rules whose words start in a stretch of text, and
 * only those are tried. A beginning that a rule does not name switches the rule off; one too many only costs time.
 */
export interface RulePrefilter {
  /** Which rules a beginning of four letters calls, one bit each. */
  readonly slots: Int32Array;
  /** Rules that are tried in any case. */
  readonly always: number;
  /** Rules that a number between 400 and 599 calls: `#`. */
  readonly status: number;
  /** Rules that letters beyond plain Latin, or signs, call: `~`. */
  readonly foreign: number;
  /** Rules that a JSON-RPC code calls: `-32`. */
  readonly rpc: number;
}

const TABLE_BITS = 12;

/** What may follow a word of three letters: its beginning is known with every one of these. */
const AFTER_SHORT = " _:.,)'\"-!\n";

/**
 * A table for rules given by their beginnings: four letters each, `_` for the end of a shorter word, `?` for any
 * letter.
 */
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

/** Four letters, five bits each, folded; marks and capitals fold onto letters, which only costs a second look. */
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

/** What a character is for finding where words start. */
const LOWER = 1;
const UPPER = 2;
/** From here on a character is worth a second look. */
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
 * By the classes of the last three characters: does the last (1) or the one before it (2) start a word? A table, for
 * branches cost more.
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

/** The rules whose words start between these places, one bit each. */
export function candidateRules(triggers: RulePrefilter, text: string, from: number, to: number): number {
  const { slots } = triggers;
  // The last word's own letters may lie behind the end.
  const stop = Math.min(to + 3, text.length);
  let called = triggers.always;
  // The last four characters, folded; which of them start a word, the newest in the lowest bit; the classes of three.
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
  // A text may end within a word: what is missing counts as nothing.
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

/** A number between 400 and 599 that is not the end of a longer one. */
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
