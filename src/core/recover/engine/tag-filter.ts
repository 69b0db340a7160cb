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

  /** Whether the tag at `at` may be significant. `undefined`: more text is needed. */
  relevant(text: string, at: number, final: boolean): boolean | undefined {
    if (text.charCodeAt(at) === 93) {
      if (text.startsWith(MINIMAX_PREFIX, at)) return true;
      return !final && MINIMAX_PREFIX.startsWith(text.slice(at, at + MINIMAX_PREFIX.length)) ? undefined : false;
    }
    let i = at + 1;
    if (text.charCodeAt(i) === 47) i += 1;
    if (i >= text.length) return final ? false : undefined;
    if (isBar(text.charCodeAt(i))) return true;
    if (text.charCodeAt(i) === 32)
      return i + 1 >= text.length ? (final ? false : undefined) : isBar(text.charCodeAt(i + 1));
    let from = i;
    const stop = Math.min(text.length, i + MAX_TAG_NAME);
    // Fast path: nearly all names are lower case.
    for (let c = text.charCodeAt(i); c >= 97 && c <= 122 && i < stop; c = text.charCodeAt(i)) i += 1;
    while (i < stop && isNameChar(text.charCodeAt(i))) i += 1;
    if (i < stop && text.charCodeAt(i) === COLON && i > from) {
      // In a stream, text with a longer namespace was already released.
      if (!isNamespace(text, at, from, i)) return false;
      from = i + 1;
      i = from;
      while (i < stop && isNameChar(text.charCodeAt(i))) i += 1;
    }
    if (i >= stop) return stop === text.length && !final && this.mayGrow(text, at, from, i) ? undefined : false;
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
