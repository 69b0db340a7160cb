import { NEED_MORE, type Text } from "../../text/cursor.ts";
import { isBar, isNameChar, MINIMAX_PREFIX } from "../lex/token.ts";

/** Longest tag name that is waited for. */
export const MAX_TAG_NAME = 64;
/** Longest namespace that is waited for, including the bracket. */
const MAX_NAMESPACE = 8;
const COLON = 58;

/** Selects the few significant tags without parsing all tags. */
export class TagFilter {
  private readonly keys: ReadonlySet<string>;
  /** Bit sets of key lengths by first letter, which rule out most HTML tags. */
  private readonly lengths = new Uint32Array(128);

  constructor(keys: ReadonlySet<string>) {
    this.keys = keys;
    for (const key of keys) {
      const bit = 1 << Math.min(key.length, 31);
      for (const first of [key, key.toUpperCase()]) {
        const code = first.charCodeAt(0);
        if (code < 128) this.lengths[code] = (this.lengths[code] as number) | bit;
      }
    }
  }

  /** Whether the tag at `at` may be significant. */
  relevant(source: Text, at: number): boolean {
    const { text } = source;
    if (text.charCodeAt(at) === 93) return source.startsWith(MINIMAX_PREFIX, at);
    const i = source.at(at + 1) === "/" ? at + 2 : at + 1;
    if (source.isEnd(i)) return false;
    const c = text.charCodeAt(i);
    if (isBar(c) || (c === 32 && isBar(source.at(i + 1).charCodeAt(0)))) return true;
    return c !== 32 && this.isKey(source, at, i);
  }

  private isKey(source: Text, at: number, nameAt: number): boolean {
    const { text } = source;
    const stop = Math.min(source.length, nameAt + MAX_TAG_NAME);
    let from = nameAt;
    let i = nameEnd(text, from, stop);
    if (i < stop && text.charCodeAt(i) === COLON && i > from) {
      // In a stream, text with a longer namespace was already released.
      if (!isNamespace(text, at, from, i)) return false;
      from = i + 1;
      i = nameEnd(text, from, stop);
    }
    if (i >= stop) {
      if (stop === source.length && !source.final && this.mayGrow(text, at, from, i)) throw NEED_MORE;
      return false;
    }
    if (i === from) return false;
    if (isBar(text.charCodeAt(i))) return true;
    const first = text.charCodeAt(from);
    if (first < 128 && ((this.lengths[first] as number) & (1 << Math.min(i - from, 31))) === 0) return false;
    return this.keys.has(text.slice(from, i).toLowerCase());
  }

  /** Whether the incomplete name at the end of the text may become a key or the namespace of one. */
  private mayGrow(text: string, at: number, from: number, to: number): boolean {
    if (isNamespace(text, at, from, to)) return true;
    const part = text.slice(from, to).toLowerCase();
    for (const key of this.keys) if (key.startsWith(part)) return true;
    return false;
  }
}

function isNamespace(text: string, at: number, from: number, to: number): boolean {
  return to - at <= MAX_NAMESPACE && !text.slice(from, to).includes(".");
}

function nameEnd(text: string, from: number, stop: number): number {
  let i = from;
  // Fast path: nearly all names are lower case.
  for (let c = text.charCodeAt(i); c >= 97 && c <= 122 && i < stop; c = text.charCodeAt(i)) i += 1;
  while (i < stop && isNameChar(text.charCodeAt(i))) i += 1;
  return i;
}

/** A prefilter for the beginnings of texts. Uses tables because it runs once per line. */
export class Beginnings {
  /** By first character: whether it decides alone, or with the third one. */
  private readonly kinds = new Uint8Array(1 << 16);
  /** By first and third character, which together rule out nearly all other words. */
  private readonly pairs = new Uint8Array(1 << 14);

  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const code = text.charCodeAt(0);
      const kind = text.length < 3 || code >= 128 ? ALONE : BY_PAIR;
      this.kinds[code] = Math.max(this.kinds[code] as number, kind);
      this.pairs[pairAt(text, 0)] = 1;
    }
  }

  /** Whether one of the texts may begin at `at`. */
  hasAt(text: string, at: number): boolean {
    const kind = this.kinds[text.charCodeAt(at)];
    return kind === ALONE || (kind === BY_PAIR && (at + 2 >= text.length || this.pairs[pairAt(text, at)] === 1));
  }
}

const BY_PAIR = 1;
const ALONE = 2;

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 2) & 127);
}
