/**
 * Finds the first line of a TOML text that is not valid, or undefined. Also reads inline tables over several lines, as
 * TOML 1.1 allows. Values of numbers and dates are only checked for their characters. Linear.
 */
export function invalidTomlLine(text: string): number | undefined {
  const checker = new TomlChecker(text);
  return checker.isValid() ? undefined : text.slice(0, checker.position).split("\n").length;
}

const SPACE = /[ \t]*/y;
const LINE_END = /(?:#[^\n\p{Cc}]*(?:\t[^\n\p{Cc}]*)*)?(?:\r?\n|\r?$)/uy;
const BARE_KEY = /[A-Za-z0-9_-]+/y;
/** Numbers, dates, times, `true`, `inf` and `nan`. */
const SCALAR =
  /(?:true|false|[+-]?(?:inf|nan)|[+-]?\d[0-9A-Fa-fxob_.:TtZzeE+-]*(?: \d\d:[0-9:.Zz+-]+)?)(?![A-Za-z0-9_-])/y;
const BASIC = /"(?:[^"\\\n\p{Cc}]|\t|\\(?:[btnfre"\\]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}))*"/uy;
const LITERAL = /'(?:[^'\n\p{Cc}]|\t)*'/uy;
const MAX_DEPTH = 64;

class TomlChecker {
  readonly #text: string;
  position: number;
  /** Every table may be defined once. */
  readonly #tables = new Set<string>();
  /** The names of `[[name]]`. */
  readonly #lists = new Set<string>();
  #keys = new Set<string>();

  constructor(text: string) {
    this.#text = text;
    this.position = text.startsWith("\uFEFF") ? 1 : 0;
  }

  isValid(): boolean {
    while (this.position < this.#text.length) {
      this.#skip(SPACE);
      if (this.#skip(LINE_END)) continue;
      const isStatement = this.#text[this.position] === "[" ? this.#header() : this.#pair(this.#keys);
      if (!isStatement) return false;
      this.#skip(SPACE);
      if (!this.#skip(LINE_END)) return false;
    }
    return true;
  }

  #header(): boolean {
    const isList = this.#text.startsWith("[[", this.position);
    const start = this.position;
    this.position += isList ? 2 : 1;
    const parts = this.#dottedKey();
    if (parts === undefined || !this.#sign(isList ? "]]" : "]")) return false;
    this.#keys = new Set();
    const name = joined(parts);
    if (isList) {
      this.#lists.add(name);
      return true;
    }
    // Each item of a list may have the same tables.
    if (parts.some((_part, at) => this.#lists.has(joined(parts.slice(0, at + 1))))) return true;
    if (this.#tables.has(name)) {
      this.position = start;
      return false;
    }
    this.#tables.add(name);
    return true;
  }

  #pair(keys: Set<string>, depth = 0): boolean {
    const start = this.position;
    const parts = this.#dottedKey();
    if (parts === undefined) return false;
    const key = joined(parts);
    if (keys.has(key)) {
      this.position = start;
      return false;
    }
    keys.add(key);
    if (!this.#sign("=")) return false;
    this.#skip(SPACE);
    return this.#value(depth);
  }

  /** The parts of a key; undefined if it is not valid. */
  #dottedKey(): readonly string[] | undefined {
    const parts: string[] = [];
    do {
      this.#skip(SPACE);
      const start = this.position;
      if (!this.#skip(BARE_KEY) && !this.#skip(BASIC) && !this.#skip(LITERAL)) return undefined;
      const key = this.#text.slice(start, this.position);
      parts.push(key.startsWith("'") || key.startsWith('"') ? key.slice(1, -1) : key);
      this.#skip(SPACE);
    } while (this.#sign("."));
    return parts;
  }

  #value(depth: number): boolean {
    const sign = this.#text[this.position];
    if (sign === '"' || sign === "'") {
      if (this.#text.startsWith(sign.repeat(3), this.position)) return this.#longString(sign);
      return this.#skip(sign === '"' ? BASIC : LITERAL);
    }
    if (sign !== "[" && sign !== "{") return this.#skip(SCALAR);
    if (depth >= MAX_DEPTH) return false;
    this.position += 1;
    const keys = new Set<string>();
    return this.#items(sign === "[" ? "]" : "}", () =>
      sign === "[" ? this.#value(depth + 1) : this.#pair(keys, depth + 1),
    );
  }

  /** Items with commas between them, over several lines. */
  #items(end: string, item: () => boolean): boolean {
    for (;;) {
      this.#skipLines();
      if (this.#sign(end)) return true;
      if (!item()) return false;
      this.#skipLines();
      if (this.#sign(end)) return true;
      if (!this.#sign(",")) return false;
    }
  }

  #longString(quote: string): boolean {
    const end = quote.repeat(3);
    for (let at = this.position + 3; at < this.#text.length; at += 1) {
      if (quote === '"' && this.#text[at] === "\\") at += 1;
      else if (this.#text.startsWith(end, at)) {
        // Up to two quotes may precede the end.
        while (this.#text[at + 3] === quote && at < this.#text.length) at += 1;
        this.position = at + 3;
        return true;
      }
    }
    return false;
  }

  #skipLines(): void {
    for (;;) {
      this.#skip(SPACE);
      const at = this.position;
      if (!this.#skip(LINE_END) || this.position === at) return;
    }
  }

  #sign(text: string): boolean {
    if (!this.#text.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  /** Moves behind a match at the current position. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.#text);
    if (match === null) return false;
    this.position += match[0].length;
    return true;
  }
}

function joined(parts: readonly string[]): string {
  return parts.join("\u0000");
}
