import type { ToolKind } from "../call/tool-kind.ts";
import { SIGN, writeBytes } from "../text/char-bytes.ts";
import { ideaOf, outcomeOf, PARTICIPLE, registerIdeas } from "./ideas.ts";

/** Bits of a feature, which is a hash. With fewer of them many features would share a weight. */
export const FEATURE_BITS = 18;
const MASK = (1 << FEATURE_BITS) - 1;

/** The features of one text, with the place of each. Reused between calls, because allocation would cost more. */
export interface Features {
  count: number;
  readonly ids: Int32Array;
  /** Start and end of a feature in the text; start is -1 for features that are not text. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

const MAX_FEATURES = 4096;
/** Most features that a word has. */
const WORD_FEATURES = 7;

export function createFeatures(): Features {
  return {
    count: 0,
    ids: new Int32Array(MAX_FEATURES),
    starts: new Int32Array(MAX_FEATURES),
    ends: new Int32Array(MAX_FEATURES),
  };
}

/** What is known about the result in addition to its text. */
export interface WordingContext {
  readonly kind: ToolKind;
  readonly toolName: string | undefined;
  /** Whether the tool's name implies that it changes something. */
  readonly acts: boolean;
  /** The parts of the command that matter: its programs, and how it hides its exit code. */
  readonly command: readonly string[];
}

/** Kinds with a common language: programs print, reading tools show, the others answer. */
const GROUPS: Readonly<Record<ToolKind, number>> = {
  shell: 1,
  read: 2,
  search: 2,
  prose: 2,
  http: 3,
  agent: 3,
  api: 4,
  edit: 4,
  sql: 4,
};

/** Group of tools that change something: of them "no" is a refusal, of others an answer. */
const ACTING = 5;

export function groupOf({ kind, acts }: WordingContext): number {
  return kind === "api" && acts ? ACTING : GROUPS[kind];
}

/** Characters of a result that are read: its head and its tail. */
const HEAD: Readonly<Record<number, number>> = { 1: 240, 2: 160, 3: 240, 4: 320, 5: 320 };
const TAIL: Readonly<Record<number, number>> = { 1: 420, 2: 0, 3: 80, 4: 120, 5: 120 };
const FIRST_LINE = 160;

const FIRST = 1;
const UPPER = 2;
const LOWER = 3;
const LAST = 4;

/** Collects the features of a text between two positions. */
export function collectFeatures(
  into: Features,
  text: string,
  start: number,
  end: number,
  context: WordingContext,
): void {
  into.count = 0;
  ideasSeen = 0;
  const group = groupOf(context);
  const length = end - start;
  emit(into, 7, group, 0);
  emit(into, 8, hashOf(context.kind), 0);
  emit(into, 9, group, 31 - Math.clz32(length + 1));
  const head = Math.min(end, start + (HEAD[group] ?? 240));
  const tail = Math.max(head, end - (TAIL[group] ?? 120));
  const newline = text.indexOf("\n", start);
  const firstEnd = Math.min(head, newline === -1 ? end : newline, start + FIRST_LINE);
  emit(into, 10, group, firstEnd === end ? 1 : 0);
  zone(into, text, start, firstEnd, FIRST, group);
  zone(into, text, firstEnd, head, UPPER, group);
  if (firstEnd < end) {
    const last = Math.max(firstEnd, text.lastIndexOf("\n", end - 1) + 1, end - FIRST_LINE);
    zone(into, text, Math.min(tail, last), last, LOWER, group);
    zone(into, text, last, end, LAST, group);
  }
  emit(into, 16, group, outcomeOf(ideasSeen));
  if (context.toolName !== undefined) {
    nameWords(into, context.toolName);
  }
  for (const word of context.command) {
    emit(into, 12, hashOf(word), 0);
  }
}

/** Cache of names split into words. Cleared when full. */
const known = new Map<string, readonly number[]>();
const KNOWN_LIMIT = 1000;

function nameWords(into: Features, name: string): void {
  let hashes = known.get(name);
  if (hashes === undefined) {
    hashes = name
      .slice(-60)
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== "")
      .map(hashOf);
    if (known.size >= KNOWN_LIMIT) {
      known.clear();
    }
    known.set(name, hashes);
  }
  for (const hash of hashes) {
    emit(into, 11, hash, 0);
  }
}

/** Classes of characters: 0 blank, 1 letter, 2 digit, 3 sign, 4 newline. */
const CLASS = new Uint8Array(128).map((_, code) => {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) {
    return 1;
  }
  if (code >= 48 && code <= 57) {
    return 2;
  }
  return code === 10 ? 4 : code <= 32 ? 0 : 3;
});

const UNSPACED = 0x2e80;

/** The ideas of the text whose features are being collected, one bit each. */
let ideasSeen = 0;

/** The bytes of a zone, which is never longer, and a blank behind them. */
const bytes = new Uint8Array(512);

function zone(into: Features, text: string, from: number, to: number, place: number, group: number): void {
  const { ids, starts, ends } = into;
  bytes[writeBytes(bytes, text, from, to)] = 32;
  const where = place * 8 + group;
  let { count } = into;
  let before = 1;
  let beforeStart = from;
  let at = from;
  let word = 0;
  let lastIdea = 0;
  let lastIdeaAt = 0;
  let lastIdeaStart = from;
  while (at < to && count <= MAX_FEATURES - WORD_FEATURES) {
    const byte = bytes[at - from] as number;
    const code = byte < SIGN ? byte : text.charCodeAt(at);
    const kind = code < 128 ? (CLASS[code] as number) : code === 0xa0 ? 0 : isPunctuation(code) ? 3 : 1;
    if (kind === 0) {
      at += 1;
      continue;
    }
    const start = at;
    let hash = kind + 2;
    if (kind === 1) {
      if (code >= UNSPACED) {
        hash = Math.imul(hash, 31) + code;
        at += 1;
      } else {
        // A word ends before a capital that follows a small letter: `ValueError` is two.
        let small = false;
        for (; at < to; at += 1) {
          const next = bytes[at - from] as number;
          if (next < SIGN) {
            if (CLASS[next] !== 1 || (small && next < 97)) {
              break;
            }
            small = next >= 97;
            hash = Math.imul(hash, 31) + (next | 32);
          } else {
            const letter = text.charCodeAt(at);
            if (letter >= UNSPACED || letter === 0xa0 || isPunctuation(letter)) {
              break;
            }
            hash = Math.imul(hash, 31) + letter;
          }
          if (at === start + 4) {
            starts[count] = start;
            ends[count] = at + 1;
            ids[count] = idOf(6, hash, 0);
            count += 1;
          }
        }
      }
    } else if (kind === 2) {
      while (at < to && isDigit(bytes[at - from] as number)) {
        at += 1;
      }
      // Three digits may be a status: only its class counts.
      hash = at - start === 3 ? code + 100 : 99;
    } else {
      at += 1;
      while (at < to && bytes[at - from] === code) {
        at += 1;
      }
      hash = Math.imul(hash, 31) + code;
    }
    ids[count] = idOf(1, hash, 0);
    starts[count] = start;
    ends[count] = at;
    ids[count + 1] = idOf(3, hash, before);
    starts[count + 1] = beforeStart;
    ends[count + 1] = at;
    count += 2;
    if (kind === 1) {
      word += 1;
      const pair = code >= UNSPACED ? ideaOf(Math.imul(before, 31) + hash) : 0;
      const own = pair !== 0 ? pair : ideaOf(hash);
      const idea = own === 0 && code < UNSPACED && at - start > 4 && isParticiple(at - from) ? PARTICIPLE : own;
      if (idea !== 0) {
        ideasSeen |= 1 << idea;
        count = addIdea(into, count, 14, idea, where, start, at);
        if (lastIdea !== 0 && word - lastIdeaAt <= IDEA_REACH) {
          count = addIdea(into, count, 15, lastIdea * 16 + idea, where, lastIdeaStart, at);
        }
        lastIdea = idea;
        lastIdeaAt = word;
        lastIdeaStart = start;
      }
    } else if (code === 46 || code === 59 || code === 10) {
      lastIdea = 0;
    }
    before = hash;
    beforeStart = start;
  }
  into.count = count;
}

/** Adds an idea, alone and with the place where it stands. Returns the new number of features. */
function addIdea(
  { ids, starts, ends }: Features,
  count: number,
  kind: number,
  idea: number,
  where: number,
  start: number,
  end: number,
): number {
  ids[count] = idOf(kind, idea, where);
  ids[count + 1] = idOf(kind, idea, 0);
  starts[count] = start;
  starts[count + 1] = start;
  ends[count] = end;
  ends[count + 1] = end;
  return count + 2;
}

/** Whether the word that ends here in the bytes of the zone has the form of an English participle. */
function isParticiple(end: number): boolean {
  return bytes[end - 1] === 100 && bytes[end - 2] === 101;
}

/** Typographic quotes, dashes and ellipses. */
function isPunctuation(code: number): boolean {
  return (code >= 0x2010 && code <= 0x206f) || code === 0xab || code === 0xbb;
}

/** Words between two ideas that belong together: "was not yet fully saved". */
const IDEA_REACH = 5;

/** The hash of a word as {@link zone} computes it. */
function hashOfWord(word: string): number {
  if (word.charCodeAt(0) >= UNSPACED) {
    let before = 0;
    for (let at = 0; at < word.length; at += 1) {
      const hash = Math.imul(3, 31) + word.charCodeAt(at);
      before = at === 0 ? hash : Math.imul(before, 31) + hash;
    }
    return before;
  }
  let hash = 3;
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    hash = Math.imul(hash, 31) + (code < 128 ? code | 32 : code);
  }
  return hash;
}
registerIdeas(hashOfWord);

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Adds a feature that is not a word, by the hash of its name. */
export function addFact(into: Features, fact: number, group: number): void {
  emit(into, 13, fact, group);
}

/** Adds a feature that is not in the text. */
function emit(into: Features, kind: number, one: number, two: number): void {
  if (into.count < MAX_FEATURES) {
    into.ids[into.count] = idOf(kind, one, two);
    into.starts[into.count] = -1;
    into.count += 1;
  }
}

/** The weight of a feature: a hash of its kind and its two parts. */
function idOf(kind: number, one: number, two: number): number {
  let hash = Math.imul(one ^ Math.imul(kind, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(two + kind, 0xc2b2ae35);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash & MASK;
}

export function hashOf(word: string): number {
  return extendHash(17, word);
}

/** The hash of a text that starts with a hashed one. */
export function extendHash(start: number, word: string): number {
  let hash = start;
  for (let at = 0; at < word.length; at += 1) {
    hash = Math.imul(hash, 31) + word.charCodeAt(at);
  }
  return hash;
}
