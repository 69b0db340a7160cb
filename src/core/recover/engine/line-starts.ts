/** So many characters tell a word that means something from one that does not, nearly always. */
const HEAD = 3;

/** Tells lines that begin like something from all others, by a table: it is asked once per line. */
export class LineStarts {
  private readonly initials = new Uint8Array(128);
  private readonly others = new Set<number>();
  /** Beginnings of words, packed into a number. */
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

  /** May a line that begins with this character mean something? */
  has(code: number): boolean {
    return code < 128 ? this.initials[code] !== 0 : this.others.has(code);
  }

  /** The same for a line of which more is there: fewer are left. */
  hasAt(text: string, at: number): boolean {
    const code = text.charCodeAt(at);
    if (code >= 128) return this.others.has(code);
    const kind = this.initials[code];
    return kind === ANY || (kind === BY_HEAD && this.heads.has(pack(text, at)));
  }
}

const ANY = 2;
const BY_HEAD = 1;

/** Three characters as one number; -1 when one is beyond ASCII, or the text ends. */
function pack(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  const third = text.charCodeAt(at + 2);
  return first < 128 && second < 128 && third < 128 ? (first << 14) | (second << 7) | third : -1;
}
