/**
 * Finds fixed phrases in a text. The index is derived from the phrases themselves, so that no phrase can be disabled
 * by a missing entry elsewhere.
 *
 * A phrase is lower case. A trailing `*` also matches longer words, and ` … ` matches up to 48 characters between its
 * two parts. Phrases start and end at word boundaries, except in scripts without spaces between words.
 */
export interface PhraseTable<Value> {
  readonly kind: "phrase-table";
  /** Phrases by their first five characters. */
  readonly slots: readonly (readonly Phrase<Value>[] | undefined)[];
  /** Shorter phrases, by their first two. */
  readonly short: readonly (readonly Phrase<Value>[] | undefined)[];
}

interface Phrase<Value> {
  readonly words: string;
  readonly open: boolean;
  /** The second part, if the phrase has a gap. */
  readonly rest: string | undefined;
  readonly value: Value;
}

const SLOTS = 8192;
const KEY_LENGTH = 5;
const MAX_GAP = 48;

/** Characters from here on belong to scripts that are written without spaces. */
const UNSPACED = 0x2e80;

function shortSlot(text: string, at: number): number {
  return (text.charCodeAt(at) * 61 + text.charCodeAt(at + 1) * 7) & (SLOTS - 1);
}

function slotOf(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + KEY_LENGTH; index += 1) {
    hash = Math.imul(hash, 31) + text.charCodeAt(index);
  }
  return (hash ^ (hash >> 13)) & (SLOTS - 1);
}

/** Builds a table from lists of phrases that are separated by commas or newlines. */
export function phraseTable<Value>(lists: readonly (readonly [Value, string])[]): PhraseTable<Value> {
  // Filled: V8 stores a list with large gaps as a dictionary, which is many times slower to read.
  const slots = new Array<Phrase<Value>[] | undefined>(SLOTS).fill(undefined);
  const short = new Array<Phrase<Value>[] | undefined>(SLOTS).fill(undefined);
  for (const [value, list] of lists) {
    for (const entry of list.split(/[,\n]/)) {
      const text = entry.trim();
      if (text !== "") {
        const [head = "", rest] = text.split(" \u2026 ");
        const open = text.endsWith("*");
        const words = head.endsWith("*") ? head.slice(0, -1) : head;
        const phrase = { words, open, rest: rest?.replace("*", ""), value };
        const table = words.length < KEY_LENGTH ? short : slots;
        const slot = words.length < KEY_LENGTH ? shortSlot(words, 0) : slotOf(words, 0);
        table[slot] = [...(table[slot] ?? []), phrase];
      }
    }
  }
  return { kind: "phrase-table", slots, short };
}

/** Calls `found` for every phrase in the text, which must be lower case. */
export function eachPhrase<Value>(
  { slots, short }: PhraseTable<Value>,
  text: string,
  found: (value: Value, at: number) => void,
): void {
  let before = 32;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= UNSPACED || !isWordCode(before)) {
      const long = slots[slotOf(text, at)];
      if (long !== undefined) {
        tryAll(long, text, at, found);
      }
      const brief = short[shortSlot(text, at)];
      if (brief !== undefined) {
        tryAll(brief, text, at, found);
      }
    }
    before = code;
  }
}

function tryAll<Value>(
  candidates: readonly Phrase<Value>[],
  text: string,
  at: number,
  found: (value: Value, at: number) => void,
): void {
  for (const phrase of candidates) {
    if (matches(phrase, text, at)) {
      found(phrase.value, at);
    }
  }
}

function matches({ words, open, rest }: Phrase<unknown>, text: string, at: number): boolean {
  if (!text.startsWith(words, at)) {
    return false;
  }
  const end = at + words.length;
  if (rest !== undefined) {
    const next = text.indexOf(rest, end);
    return next !== -1 && next - end <= MAX_GAP;
  }
  return open || !isWordCode(text.charCodeAt(end)) || words.charCodeAt(words.length - 1) >= UNSPACED;
}

/** Letters and digits of all scripts; an apostrophe continues a word ("isn't"). */
function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 0xc0 && code < UNSPACED && code !== 0xd7 && code !== 0xf7 && (code < 0x2000 || code > 0x206f))
  );
}
