/**
 * The cheap question before any rule about wording: which rules can match at all? Every rule names the beginnings of
 * the words it is told with; one look at each character collects the rules whose words start in a stretch of text, and
 * only those are tried. A beginning that a rule does not name switches the rule off; one too many only costs time.
 */
export interface WordTriggers {
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

const TABLE_BITS = 14;

/** What may follow a word of three letters: its beginning is known with every one of these. */
const AFTER_SHORT = " _:.,)'\"-!\n";

/** A table for rules given by their beginnings: four letters each, `_` for the end of a shorter word. */
export function wordTriggers(rules: readonly string[]): WordTriggers {
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

function spellings(word: string): readonly string[] {
  const gap = word.indexOf("_");
  return gap === -1
    ? [word]
    : [...AFTER_SHORT].map((sign) => word.slice(0, gap) + sign + word.slice(gap + 1)).concat(word);
}

/** Four letters, five bits each, folded; marks and capitals fold onto letters, which only costs a second look. */
function slot(text: string, at: number): number {
  const four =
    ((text.charCodeAt(at) & 31) << 15) |
    ((text.charCodeAt(at + 1) & 31) << 10) |
    ((text.charCodeAt(at + 2) & 31) << 5) |
    (text.charCodeAt(at + 3) & 31);
  return (four ^ (four >> 7)) & ((1 << TABLE_BITS) - 1);
}

/** The rules whose words start between these places, one bit each. */
export function rulesCalled(triggers: WordTriggers, text: string, from: number, to: number): number {
  const { slots } = triggers;
  let called = triggers.always;
  let before = 32;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 97 && code <= 122) {
      if (before < 65) {
        called |= slots[slot(text, at)] ?? 0;
      }
    } else if (code >= 65 && code <= 90) {
      // A capital behind or before a small letter starts a word too: `ValueError`, `OSError`.
      if (before < 65 || before >= 97 || text.charCodeAt(at + 1) >= 97) {
        called |= slots[slot(text, at)] ?? 0;
      }
    } else if (code > 0xbf) {
      called |= triggers.foreign;
    } else if (code === 52 || code === 53) {
      called |= isStatus(text, at, before) ? triggers.status : 0;
    } else if (code === 45 && text.charCodeAt(at + 1) === 51 && text.charCodeAt(at + 2) === 50) {
      called |= triggers.rpc;
    }
    before = code === 95 ? 32 : code;
  }
  return called;
}

function isStatus(text: string, at: number, before: number): boolean {
  return (
    (before < 48 || (before > 57 && before < 65)) &&
    isDigit(text.charCodeAt(at + 1)) &&
    isDigit(text.charCodeAt(at + 2))
  );
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
