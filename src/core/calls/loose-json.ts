/**
 * Rewrites text that is nearly JSON to JSON: comments, trailing commas, single quotes, bare keys, Python's literals and
 * tuples, raw control characters in strings. Every rewrite has only one reading. Returns undefined for anything else,
 * such as a text that ends early, missing brackets, calls, arithmetic, NaN.
 */
export function rewriteLooseJson(text: string): string | undefined {
  return new LooseReader(text).read();
}

const MAX_DEPTH = 64;
const SPACE = /[\s\uFEFF]+|\/\/[^\n]*|#[^\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /[A-Za-z_$][\w$-]*/y;
const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };
const LITERALS: Readonly<Record<string, string>> = {
  true: "true",
  false: "false",
  null: "null",
  True: "true",
  False: "false",
  None: "null",
};
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', "'": "'", "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" },
};

/** What a container expects next. */
type Expected = "key or close" | "key" | "value or close" | "value" | "comma or close";

class LooseReader {
  readonly #text: string;
  #at = 0;
  readonly #out: string[] = [];
  readonly #open: { readonly opener: string; items: number }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): string | undefined {
    let expected: Expected | "end" = "value";
    while (expected !== "end") {
      this.#skipSpace();
      const next = this.#step(expected);
      if (next === undefined) return undefined;
      expected = next;
    }
    this.#skipSpace();
    return this.#at === this.#text.length ? this.#out.join("") : undefined;
  }

  #step(expected: Expected): Expected | "end" | undefined {
    const sign = this.#text.charAt(this.#at);
    const top = this.#open.at(-1);
    if (expected !== "value" && top !== undefined && sign === CLOSERS[top.opener]) return this.#close(top);
    if (expected === "comma or close") {
      if (sign !== "," || top === undefined) return undefined;
      this.#at += 1;
      // The comma is written before the next item, so that a trailing one disappears.
      return top.opener === "{" ? "key or close" : "value or close";
    }
    if (top !== undefined && expected !== "value" && top.items > 0) this.#out.push(",");
    return expected === "key or close" || expected === "key" ? this.#key() : this.#value(sign);
  }

  #close(top: { readonly opener: string; items: number }): Expected | "end" | undefined {
    // (x) is a parenthesis in Python, not a tuple.
    if (top.opener === "(" && top.items === 1 && !this.#endsWithComma()) return undefined;
    this.#out.push(top.opener === "{" ? "}" : "]");
    this.#at += 1;
    this.#open.pop();
    return this.#afterValue();
  }

  #endsWithComma(): boolean {
    return /,\s*$/.test(this.#text.slice(Math.max(0, this.#at - 64), this.#at));
  }

  #afterValue(): Expected | "end" {
    const top = this.#open.at(-1);
    if (top === undefined) return "end";
    top.items += 1;
    return "comma or close";
  }

  #key(): Expected | undefined {
    const sign = this.#text.charAt(this.#at);
    const key = sign === '"' || sign === "'" ? this.#string(sign) : this.#match(WORD);
    if (key === undefined) return undefined;
    this.#skipSpace();
    if (this.#text.charAt(this.#at) !== ":") return undefined;
    this.#at += 1;
    this.#out.push(JSON.stringify(key), ":");
    return "value";
  }

  #value(sign: string): Expected | "end" | undefined {
    if (CLOSERS[sign] !== undefined) {
      if (this.#open.length >= MAX_DEPTH) return undefined;
      this.#open.push({ opener: sign, items: 0 });
      this.#out.push(sign === "{" ? "{" : "[");
      this.#at += 1;
      return sign === "{" ? "key or close" : "value or close";
    }
    if (sign === '"' || sign === "'") {
      const value = this.#string(sign);
      if (value === undefined) return undefined;
      this.#out.push(JSON.stringify(value));
      return this.#afterValue();
    }
    const number = this.#match(NUMBER);
    const word = number ?? LITERALS[this.#match(WORD) ?? ""];
    if (word === undefined) return undefined;
    this.#out.push(word);
    return this.#afterValue();
  }

  /** Reads a string to its quote. Raw control characters stand for themselves. */
  #string(quote: string): string | undefined {
    const text = this.#text;
    const parts: string[] = [];
    let from = this.#at + 1;
    for (let at = from; at < text.length; at += 1) {
      const sign = text.charAt(at);
      if (sign === quote) {
        parts.push(text.slice(from, at));
        this.#at = at + 1;
        return parts.join("");
      }
      if (sign !== "\\") continue;
      const escaped = readEscape(text, at + 1);
      if (escaped === undefined) return undefined;
      parts.push(text.slice(from, at), escaped.value);
      at = escaped.end - 1;
      from = escaped.end;
    }
    return undefined;
  }

  /** Skips white space and comments. */
  #skipSpace(): void {
    for (;;) {
      if (this.#match(SPACE) !== undefined) continue;
      const end = this.#text.startsWith("/*", this.#at) ? this.#text.indexOf("*/", this.#at + 2) : -1;
      if (end === -1) return;
      this.#at = end + 2;
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0];
    if (match !== undefined) this.#at += match.length;
    return match;
  }
}

function readEscape(text: string, at: number): { readonly value: string; readonly end: number } | undefined {
  const sign = text.charAt(at);
  const plain = ESCAPES[sign];
  if (plain !== undefined) return { value: plain, end: at + 1 };
  const digits = sign === "u" ? 4 : sign === "x" ? 2 : 0;
  const hex = text.slice(at + 1, at + 1 + digits);
  if (digits === 0 || hex.length < digits || !/^[\da-fA-F]+$/.test(hex)) return undefined;
  return { value: String.fromCharCode(Number.parseInt(hex, 16)), end: at + 1 + digits };
}
