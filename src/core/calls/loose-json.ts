import { MAX_JSON_DEPTH } from "./json-tree.ts";

/**
 * Rewrites text that is nearly JSON to JSON: comments, trailing commas, single quotes, bare keys, Python's literals and
 * tuples, raw control characters in strings. Every rewrite has only one reading, and everything else keeps its bytes:
 * in a stream, what came before a fault has been sent already. Returns undefined for anything else, such as a text that
 * ends early, missing brackets, calls, arithmetic, NaN.
 */
export function rewriteLooseJson(text: string): string | undefined {
  return new LooseReader(text).read();
}

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
/** What a container expects next. */
type Expected = "key or close" | "value or close" | "value" | "comma or close";

interface Container {
  readonly opener: string;
  items: number;
  /** Place of the last comma in the output, and of what follows the last item. */
  comma: number | undefined;
  lastItem: number;
}

class LooseReader {
  readonly #text: string;
  #at = 0;
  readonly #out: string[] = [];
  readonly #open: Container[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): string | undefined {
    let expected: Expected | "end" = "value";
    while (expected !== "end") {
      this.#copySpace();
      const next = this.#step(expected);
      if (next === undefined) return undefined;
      expected = next;
    }
    this.#copySpace();
    return this.#at === this.#text.length ? this.#out.join("") : undefined;
  }

  #step(expected: Expected): Expected | "end" | undefined {
    const sign = this.#text.charAt(this.#at);
    const top = this.#open.at(-1);
    if (expected !== "value" && top !== undefined && sign === CLOSERS[top.opener]) return this.#close(top);
    if (expected === "comma or close") {
      if (sign !== "," || top === undefined) return undefined;
      this.#at += 1;
      top.comma = this.#out.push(",") - 1;
      return top.opener === "{" ? "key or close" : "value or close";
    }
    return expected === "key or close" ? this.#key() : this.#value(sign);
  }

  #close(top: Container): Expected | "end" | undefined {
    const hasTrailingComma = top.comma !== undefined && top.comma >= top.lastItem;
    // (x) is a parenthesis in Python, not a tuple.
    if (top.opener === "(" && top.items === 1 && !hasTrailingComma) return undefined;
    if (hasTrailingComma && top.comma !== undefined) this.#out[top.comma] = "";
    this.#out.push(top.opener === "{" ? "}" : "]");
    this.#at += 1;
    this.#open.pop();
    return this.#afterValue();
  }

  #afterValue(): Expected | "end" {
    const top = this.#open.at(-1);
    if (top === undefined) return "end";
    top.items += 1;
    top.lastItem = this.#out.length;
    return "comma or close";
  }

  #key(): Expected | undefined {
    const sign = this.#text.charAt(this.#at);
    if (sign === '"' || sign === "'") {
      if (!this.#copyString(sign)) return undefined;
    } else {
      const word = this.#match(WORD);
      if (word === undefined) return undefined;
      this.#out.push(JSON.stringify(word));
    }
    this.#copySpace();
    if (this.#text.charAt(this.#at) !== ":") return undefined;
    this.#at += 1;
    this.#out.push(":");
    return "value";
  }

  #value(sign: string): Expected | "end" | undefined {
    if (CLOSERS[sign] !== undefined) {
      if (this.#open.length >= MAX_JSON_DEPTH) return undefined;
      this.#out.push(sign === "{" ? "{" : "[");
      this.#open.push({ opener: sign, items: 0, comma: undefined, lastItem: this.#out.length });
      this.#at += 1;
      return sign === "{" ? "key or close" : "value or close";
    }
    if (sign === '"' || sign === "'") return this.#copyString(sign) ? this.#afterValue() : undefined;
    const word = this.#match(NUMBER) ?? LITERALS[this.#match(WORD) ?? ""];
    if (word === undefined) return undefined;
    this.#out.push(word);
    return this.#afterValue();
  }

  /** Copies a string to its quote, as a JSON string. Raw control characters are escaped. */
  #copyString(quote: string): boolean {
    const text = this.#text;
    this.#out.push('"');
    let from = this.#at + 1;
    for (let at = from; at < text.length; at += 1) {
      const sign = text.charAt(at);
      if (sign === quote) {
        this.#out.push(text.slice(from, at), '"');
        this.#at = at + 1;
        return true;
      }
      if (sign !== "\\" && sign !== '"' && sign >= " ") continue;
      const rewritten =
        sign === "\\" ? rewriteEscape(text, at) : { text: JSON.stringify(sign).slice(1, -1), end: at + 1 };
      if (rewritten === undefined) return false;
      this.#out.push(text.slice(from, at), rewritten.text);
      at = rewritten.end - 1;
      from = rewritten.end;
    }
    return false;
  }

  /** Copies white space and drops comments. */
  #copySpace(): void {
    for (;;) {
      const space = this.#match(SPACE);
      if (space !== undefined) {
        if (/^[\s\uFEFF]/.test(space)) this.#out.push(space.replace(/[^ \t\n\r]/g, " "));
        continue;
      }
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

/** Returns the escape sequence at `at` as JSON writes it, and its end. */
function rewriteEscape(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  const sign = text.charAt(at + 1);
  if (sign === "'") return { text: "'", end: at + 2 };
  if (sign !== "" && '"\\/bfnrt'.includes(sign)) return { text: text.slice(at, at + 2), end: at + 2 };
  const digits = sign === "u" ? 4 : sign === "x" ? 2 : 0;
  const hex = text.slice(at + 2, at + 2 + digits);
  if (digits === 0 || hex.length < digits || !/^[\da-fA-F]+$/.test(hex)) return undefined;
  return { text: `\\u${hex.padStart(4, "0")}`, end: at + 2 + digits };
}
