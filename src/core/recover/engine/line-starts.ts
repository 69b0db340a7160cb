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
