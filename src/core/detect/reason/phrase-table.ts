import { byteOf, LETTER, SIGN, writeBytes } from "../text/char-bytes.ts";

/**
 * Finds fixed phrases in a text. The index is derived from the phrases themselves, so that no phrase can be disabled
 * by a missing entry elsewhere.
 *
 * A phrase is lower case. A trailing `*` also matches longer words (from 6 letters on), and ` … ` matches up to 48
 * characters between its two parts. Phrases start and end at word boundaries, except in scripts without spaces between
 * words.
 */
export interface PhraseTable {
  readonly kind: "phrase-table";
  /** Phrases, sorted by the hash of their first word. */
  readonly phrases: readonly Phrase[];
  /** Index of the first phrase of each slot, and of the first one behind the last slot. */
  readonly firsts: Uint16Array;
  /** Whether a slot has phrases; smaller than the list, so that it stays in the processor's cache. */
  readonly used: Uint8Array;
  /** The byte of the last character of each phrase and its distance from the first letter: compared first, because it rarely fits. */
  readonly lastBytes: Uint8Array;
  readonly lastAts: Uint16Array;
  /** The same of the first character behind the first word and what separates it. */
  readonly nextBytes: Uint8Array;
  readonly nextAts: Uint16Array;
}

interface Phrase {
  readonly words: string;
  readonly open: boolean;
  /** The second part, if the phrase has a gap. */
  readonly rest: string | undefined;
  /** Characters before the first letter or digit of the phrase. */
  readonly lead: number;
  /** The last character and its distance from the first letter. */
  readonly last: number;
  readonly lastAt: number;
  readonly value: number;
}

const SLOT_BITS = 13;
const MAX_GAP = 48;

/** Characters of the first word that are compared. */
const PREFIX = 6;

/** Characters from here on belong to scripts that are written without spaces. */
const UNSPACED = 0x2e80;

function slotOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> (32 - SLOT_BITS);
}

function keyAt(text: string, at: number): number {
  if (text.charCodeAt(at) >= UNSPACED) {
    return unspacedKey(text, at);
  }
  let key = 0;
  for (let index = at; index < at + PREFIX && isWordCode(text.charCodeAt(index)); index += 1) {
    key = Math.imul(key, 31) + text.charCodeAt(index);
  }
  return key;
}

/** Without spaces, every character may start a word: two of them are enough. */
function unspacedKey(text: string, at: number): number {
  return Math.imul(text.charCodeAt(at), 31) + text.charCodeAt(at + 1);
}

/** Builds a table from lists of phrases that are separated by commas or newlines. */
export function phraseTable(lists: readonly (readonly [number, string])[]): PhraseTable {
  const bySlot = new Map<number, Phrase[]>();
  for (const [value, list] of lists) {
    for (const entry of list.split(/[,\n]/)) {
      const text = entry.trim();
      if (text !== "") {
        const phrase = parsePhrase(text, value);
        const slot = slotOf(keyAt(phrase.words, phrase.lead));
        bySlot.set(slot, [...(bySlot.get(slot) ?? []), phrase]);
      }
    }
  }
  const used = new Uint8Array(1 << SLOT_BITS);
  const firsts = new Uint16Array((1 << SLOT_BITS) + 1);
  const phrases: Phrase[] = [];
  for (let slot = 0; slot < used.length; slot += 1) {
    const own = bySlot.get(slot) ?? [];
    used[slot] = own.length === 0 ? 0 : 1;
    phrases.push(...own);
    firsts[slot + 1] = phrases.length;
  }
  const lastBytes = Uint8Array.from(phrases, ({ last }) => byteOf(last));
  const lastAts = Uint16Array.from(phrases, ({ lastAt }) => lastAt);
  const nextAts = Uint16Array.from(phrases, secondWordAt);
  const nextBytes = Uint8Array.from(phrases, (phrase) =>
    byteOf(phrase.words.charCodeAt(phrase.lead + secondWordAt(phrase))),
  );
  return { kind: "phrase-table", phrases, firsts, used, lastBytes, lastAts, nextBytes, nextAts };
}

/** Where the second word of a phrase starts, counted from its first letter; the last character if there is none. */
function secondWordAt({ words, lead, lastAt }: Phrase): number {
  const blank = words.indexOf(" ", lead);
  return blank === -1 || blank + 1 >= words.length ? lastAt : blank + 1 - lead;
}

function parsePhrase(text: string, value: number): Phrase {
  const [head = "", rest] = text.split(" \u2026 ");
  const words = head.endsWith("*") ? head.slice(0, -1) : head;
  const lead = words.search(/[\p{L}\d]/u);
  return {
    words,
    open: text.endsWith("*"),
    rest: rest?.replace("*", ""),
    lead,
    last: words.charCodeAt(words.length - 1),
    lastAt: words.length - 1 - lead,
    value,
  };
}

/** The bytes of a text, which is a line as a rule. */
const short = new Uint8Array(1024);

/** What a byte is: no part of a word, a letter or digit of ASCII, or a character that has to be read itself. */
const OTHER = 2;
const WORD = new Uint8Array(256).map((_, byte) => (byte >= SIGN ? OTHER : isWordCode(byte) ? 1 : 0));

/** Calls `found` with the value and the start of every phrase in the text, which must be lower case. */
export function eachPhrase(table: PhraseTable, text: string, found: (value: number, start: number) => void): void {
  const { used } = table;
  const bytes = text.length < short.length ? short : new Uint8Array(text.length + 1);
  const end = writeBytes(bytes, text);
  bytes[end] = 0;
  for (let at = 0; at < end; at += 1) {
    const start = at;
    let key = 0;
    let code = codeAt(bytes, text, at);
    while (code !== 0) {
      if (at - start < PREFIX) {
        key = Math.imul(key, 31) + code;
      }
      at += 1;
      code = codeAt(bytes, text, at);
    }
    if (at > start) {
      const slot = slotOf(key);
      if (used[slot] === 1) {
        tryAll(table, slot, text, bytes, start, found);
      }
    }
    if (bytes[at] === LETTER && text.charCodeAt(at) >= UNSPACED) {
      tryAll(table, slotOf(unspacedKey(text, at)), text, bytes, at, found);
    }
  }
}

/** The character of a word; 0 for any other one. */
function codeAt(bytes: Uint8Array, text: string, at: number): number {
  const byte = bytes[at] as number;
  const kind = WORD[byte];
  if (kind === OTHER) {
    const code = text.charCodeAt(at);
    return isWordCode(code) ? code : 0;
  }
  return kind === 0 ? 0 : byte;
}

/**
 * Whether a part of a text in any case may contain a phrase, or a name whose words may be one (`not_found`,
 * `AccessDenied`, `404`). Copies nothing: most lines contain neither.
 */
export function mayContainPhrase(table: PhraseTable, text: string, from: number, to: number): boolean {
  const { used } = table;
  // The word that is read, and the part of it that is read if it is a name.
  let word = from;
  let part = from;
  let key = 0;
  let before = 0;
  for (let at = from; at <= to; at += 1) {
    const code = at < to ? text.charCodeAt(at) : 32;
    const lower = code | 32;
    if (lower >= 97 && lower <= 122) {
      if (code !== lower && isSmall(before)) {
        if (used[slotOf(key)] === 1 && mayMatch(table, key, text, part, at - part)) {
          return true;
        }
        key = 0;
        part = at;
      }
      key = at - part < PREFIX ? Math.imul(key, 31) + lower : key;
    } else if (code >= 48 && code <= 57) {
      key = at - part < PREFIX ? Math.imul(key, 31) + code : key;
    } else {
      if (code >= FOLDED) {
        return true;
      }
      if (at > word) {
        const isPhrase = used[slotOf(key)] === 1 && mayMatch(table, key, text, part, NO_NAME);
        if (
          isPhrase ||
          (part > word && startsAsWhole(table, text, word)) ||
          (at - word === 3 && isStatus(text, word))
        ) {
          return true;
        }
      }
      word = at + 1;
      part = at + 1;
      key = 0;
    }
    before = code;
  }
  return false;
}

/** Whether a name starts a phrase if it is read as one word: `maxContentLength`. */
function startsAsWhole(table: PhraseTable, text: string, from: number): boolean {
  let key = 0;
  for (let at = from; at < from + PREFIX && isWordCode(text.charCodeAt(at)); at += 1) {
    const code = text.charCodeAt(at);
    key = Math.imul(key, 31) + (isDigit(code) ? code : code | 32);
  }
  return mayMatch(table, key, text, from, NO_NAME);
}

/** Whether a word of three characters may be the status of a failed request. */
function isStatus(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  return (first === 52 || first === 53) && isDigit(text.charCodeAt(at + 2));
}

/** Letters from here on are compared in lower case, which needs a copy. */
const FOLDED = 0xc0;
const UNDERSCORE = 95;

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

const NO_NAME = -2;

/** Whether a phrase starts here. In a name such as `notFound`, its second word starts at the end of the first one. */
function mayMatch(table: PhraseTable, key: number, text: string, at: number, nameEnd: number): boolean {
  const { phrases, firsts, nextAts, nextBytes } = table;
  const slot = slotOf(key);
  const end = firsts[slot + 1] as number;
  for (let index = firsts[slot] as number; index < end; index += 1) {
    const next = nextAts[index] as number;
    const wanted = nextBytes[index];
    const code = text.charCodeAt(at + (next === nameEnd + 1 ? nameEnd : next));
    if ((code === wanted || (code | 32) === wanted) && startsFolded(text, at, phrases[index] as Phrase)) {
      return true;
    }
  }
  return false;
}

/** Whether a phrase starts here, in any case, or as the name that consists of its words. */
function startsFolded(text: string, from: number, { words, lead, rest }: Phrase): boolean {
  let at = from;
  for (let index = lead; index < words.length; index += 1) {
    const code = text.charCodeAt(at);
    const wanted = words.charCodeAt(index);
    if (code === wanted || (code | 32) === wanted || (wanted === 32 && code === UNDERSCORE)) {
      at += 1;
    } else if (wanted !== 32 || !isSmall(text.charCodeAt(at - 1)) || code < 65 || code > 90) {
      return false;
    }
  }
  return rest === undefined || isFollowedBy(text, at, rest);
}

/** Whether the second part of a phrase follows within the gap. */
function isFollowedBy(text: string, from: number, rest: string): boolean {
  const next = text.slice(from, from + MAX_GAP + rest.length).toLowerCase();
  return next.includes(rest) || (next.includes("_") && next.replaceAll("_", " ").includes(rest));
}

function tryAll(
  { phrases, firsts, lastBytes, lastAts, nextBytes, nextAts }: PhraseTable,
  slot: number,
  text: string,
  bytes: Uint8Array,
  at: number,
  found: (value: number, start: number) => void,
): void {
  const end = firsts[slot + 1] as number;
  for (let index = firsts[slot] as number; index < end; index += 1) {
    const last = at + (lastAts[index] as number);
    if (
      bytes[last] === lastBytes[index] &&
      bytes[at + (nextAts[index] as number)] === nextBytes[index] &&
      last < text.length
    ) {
      const phrase = phrases[index] as Phrase;
      if (matches(phrase, text, at)) {
        found(phrase.value, at - phrase.lead);
      }
    }
  }
}

function matches({ words, open, rest, lead }: Phrase, text: string, at: number): boolean {
  if (!text.startsWith(words, at - lead) || lead > at) {
    return false;
  }
  const end = at - lead + words.length;
  if (rest !== undefined) {
    const next = text.indexOf(rest, end);
    return next !== -1 && next - end <= MAX_GAP;
  }
  return open || !isWordCode(text.charCodeAt(end)) || words.charCodeAt(words.length - 1) >= UNSPACED;
}

/** Letters and digits of all scripts that separate words. */
function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 0xc0 && code < UNSPACED && code !== 0xd7 && code !== 0xf7 && (code < 0x2000 || code > 0x206f))
  );
}
