import { NEED_MORE, type Text } from "../lex/text.ts";
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

/** Length of the prefix that is compared; 3 characters rule out nearly all other words. */
const HEAD = 3;

/** A prefilter for the first characters of a line. Uses a table because it runs once per line. */
export class LineStarts {
  private readonly initials = new Uint8Array(128);
  private readonly others = new Set<number>();
  /** Word prefixes, each packed into a number. */
  private readonly heads = new Set<number>();

  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const code = text.charCodeAt(0);
      const packed = text.length < HEAD ? -1 : pack(text, 0);
      if (code >= 128) this.others.add(code);
      else if (packed === -1) this.initials[code] = ANY;
      else {
        this.initials[code] = Math.max(this.initials[code] as number, BY_HEAD);
        this.heads.add(packed);
      }
    }
  }

  /** Whether a line that begins with this character may be significant. */
  has(code: number): boolean {
    return code < 128 ? this.initials[code] !== 0 : this.others.has(code);
  }

  /** Like `has`, but compares a longer prefix and so rules out more lines. */
  hasAt(text: string, at: number): boolean {
    const code = text.charCodeAt(at);
    if (code >= 128) return this.others.has(code);
    const kind = this.initials[code];
    return kind === ANY || (kind === BY_HEAD && this.heads.has(pack(text, at)));
  }
}

const ANY = 2;
const BY_HEAD = 1;

/** Packs 3 characters into a number; -1 if one is not ASCII or the text ends. */
function pack(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  const third = text.charCodeAt(at + 2);
  return first < 128 && second < 128 && third < 128 ? (first << 14) | (second << 7) | third : -1;
}
