import type { Json } from "../../model/tool-call.ts";
import { MAX_DEPTH } from "./find-end.ts";
import { objectOf } from "./object-of.ts";
import { MAX_WORD, readNumber } from "./read-number.ts";
import { closesString, decodeString, skipBlanks } from "./read-string.ts";
import type { Repair } from "./repairs.ts";

/** What differs between the dialects that share this reader. */
export interface TolerantOptions {
  /** Tokens that quote a string and cannot occur in it (Gemma's `<|"|>`). */
  readonly quoteTokens?: readonly string[];
  /** Python: `f(a=1)` places, where `)` ends a value. */
  readonly python?: boolean;
}

/** `open`: the text ended inside the value, which is closed as well as can be. */
export interface TolerantRead {
  readonly kind: "read";
  readonly value: Json;
  readonly end: number;
  readonly open: boolean;
  /** More text might change what was read. */
  readonly touched: boolean;
  readonly repairs: ReadonlySet<Repair>;
}

/** No value can be read: it went wrong at `at`. */
export interface Unread {
  readonly kind: "unread";
  readonly at: number;
  readonly touched: boolean;
}

const LITERALS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
  ["undefined", null],
  ["NaN", null],
  ["Infinity", null],
  ["TRUE", true],
  ["FALSE", false],
  ["NULL", null],
]);

class Unreadable extends Error {}

/**
 * Reads one value as JSON, JSON5 or Python would write it, or nearly so, from left to right in linear time.
 * Only text that strict JSON refuses should come here: each guess is listed in `repairs`.
 */
export function readTolerant(
  text: string,
  start: number,
  limit: number,
  options: TolerantOptions = {},
): TolerantRead | Unread {
  const reader = new Reader(text, limit, options);
  try {
    reader.i = start;
    const value = reader.value(0, "array");
    return { kind: "read", value, end: reader.i, open: reader.open, touched: reader.touched, repairs: reader.repairs };
  } catch (error) {
    // What ran into the end of the text might still end elsewhere.
    if (error instanceof Unreadable)
      return { kind: "unread", at: reader.i, touched: reader.touched || reader.i >= limit };
    throw error;
  }
}

class Reader {
  i = 0;
  open = false;
  touched = false;
  readonly repairs = new Set<Repair>();
  readonly text: string;
  readonly limit: number;
  readonly options: TolerantOptions;

  constructor(text: string, limit: number, options: TolerantOptions) {
    this.text = text;
    this.limit = limit;
    this.options = options;
  }

  /** Skips blanks and comments. */
  gap(): void {
    for (;;) {
      this.i = skipBlanks(this.text, this.i, this.limit);
      const two = this.text.slice(this.i, this.i + 2);
      if (two === "//" || two[0] === "#") {
        while (this.i < this.limit && this.text[this.i] !== "\n" && this.text[this.i] !== "\r") this.i += 1;
      } else if (two === "/*") {
        const end = this.text.indexOf("*/", this.i + 2);
        this.i = end === -1 || end > this.limit ? this.limit : end + 2;
      } else return;
      this.repairs.add("comment");
    }
  }

  value(depth: number, place: "object" | "array"): Json {
    this.gap();
    if (this.i >= this.limit) {
      this.open = true;
      return null;
    }
    if (depth > MAX_DEPTH) throw new Unreadable();
    const c = this.text[this.i] as string;
    if (c === "{") return this.object(depth);
    if (c === "[" || (c === "(" && this.options.python)) return this.array(depth, c === "[" ? "]" : ")");
    const token = this.quoteToken();
    if (token !== undefined) return this.tokenString(token);
    if (c === '"' || c === "'") return this.strings(place);
    return this.word(place);
  }

  object(depth: number): Json {
    this.i += 1;
    const entries: Array<[string, Json]> = [];
    for (;;) {
      this.gap();
      if (this.i >= this.limit) {
        this.open = true;
        break;
      }
      const c = this.text[this.i] as string;
      if (c === "}") {
        this.i += 1;
        break;
      }
      if (c === ",") {
        this.repairs.add("dropped-comma");
        this.i += 1;
        continue;
      }
      // `}, {` with the first brace lost, or the bracket of the list around us: our own brace is missing.
      if (c === "{" || c === "]" || c === ")") {
        if (depth === 0) throw new Unreadable();
        this.repairs.add("closed-brackets");
        if (c === "{") this.i = this.commaBefore();
        break;
      }
      const from = this.i;
      const key = this.key();
      this.gap();
      const c2 = this.text[this.i];
      if (this.options.python && entries.length === 0 && this.i < this.limit && (c2 === "," || c2 === "}"))
        return this.set(depth, from);
      if (this.i >= this.limit) {
        this.open = true;
        break;
      }
      entries.push([this.assigned(key), this.value(depth + 1, "object")]);
      if (this.open) break;
      this.separator("}");
    }
    return objectOf(entries);
  }

  /** Steps over what stands between key and value: `:`, `=`, `=>`, or a blank behind `--key`, as on a command line. */
  assigned(key: string): string {
    const c = this.text[this.i];
    if (c !== ":" && c !== "=") {
      if (!key.startsWith("--") || key.length < 3) throw new Unreadable();
      return key.slice(2);
    }
    if (this.i + 1 >= this.limit) this.touched = true;
    this.i += c === "=" && this.text[this.i + 1] === ">" ? 2 : 1;
    return key;
  }

  /** Python's `{'a', 'b'}`: JSON has only lists. */
  set(depth: number, from: number): Json {
    this.i = from - 1;
    this.repairs.add("python-literal");
    return this.array(depth, "}");
  }

  array(depth: number, close: string): Json {
    this.i += 1;
    const items: Json[] = [];
    for (;;) {
      this.gap();
      if (this.i >= this.limit) {
        this.open = true;
        break;
      }
      const c = this.text[this.i] as string;
      if (c === close) {
        this.i += 1;
        break;
      }
      if (c === ",") {
        this.repairs.add("dropped-comma");
        this.i += 1;
        continue;
      }
      if (c === "}" || c === "]" || c === ")" || c === ":") {
        if (depth === 0) throw new Unreadable();
        this.repairs.add("closed-brackets");
        break;
      }
      items.push(this.value(depth + 1, "array"));
      if (this.open) break;
      this.separator(close);
    }
    return items;
  }

  /** Eats the comma after a member; a lost one is noted when the next member follows anyway. */
  separator(close: string): void {
    this.gap();
    const c = this.text[this.i];
    if (this.i >= this.limit || c === close || c === "}" || c === "]" || c === ")") return;
    if (c === "," || c === ";") {
      this.i += 1;
      this.gap();
      if (this.text[this.i] === close) this.repairs.add("dropped-comma");
      return;
    }
    if (c === "<") throw new Unreadable();
    this.repairs.add("inserted-comma");
  }

  /** Steps back to the comma directly in front, so that the list around us finds it. Never further: that would go in circles. */
  commaBefore(): number {
    let i = this.i - 1;
    while (i > 0 && this.text.charCodeAt(i) <= 32) i -= 1;
    if (this.text[i] !== ",") throw new Unreadable();
    return i;
  }

  key(): string {
    const token = this.quoteToken();
    if (token !== undefined) return this.tokenString(token);
    const c = this.text[this.i];
    if (c === '"' || c === "'") return this.string(c, "key");
    const from = this.i;
    while (this.i < this.limit && this.i - from < MAX_WORD && /[^\s:=,{}[\]()"'<>]/.test(this.text[this.i] as string))
      this.i += 1;
    if (this.i === from) throw new Unreadable();
    if (this.options.quoteTokens === undefined) this.repairs.add("bare-key");
    return this.text.slice(from, this.i);
  }

  /** One string, or Python's several in a row, or a triple-quoted one. */
  strings(place: "object" | "array"): string {
    let value = "";
    for (;;) {
      const quote = this.text[this.i] as string;
      const triple = quote.repeat(3);
      if (this.limit - this.i < 3) this.touched = true;
      if (this.text.startsWith(triple, this.i)) value += this.tokenString(triple);
      else value += this.string(quote, place);
      if (!this.options.python || this.open) return value;
      const next = skipBlanks(this.text, this.i, this.limit);
      if (next >= this.limit) this.touched = true;
      if (this.text[next] !== '"' && this.text[next] !== "'") return value;
      this.i = next;
    }
  }

  string(quote: string, place: "key" | "object" | "array"): string {
    const from = this.i + 1;
    let i = from;
    let inner = false;
    while (i < this.limit) {
      const c = this.text[i];
      if (c === "\\") i += 2;
      else if (c !== quote) i += 1;
      else {
        const closes = closesString(this.text, i, this.limit, place, this.options.python === true);
        if (closes === "end") this.touched = true;
        if (closes !== "no") break;
        inner = true;
        i += 1;
      }
    }
    if (i >= this.limit) this.open = true;
    if (inner) this.repairs.add("unescaped-quote");
    const end = Math.min(i, this.limit);
    this.i = Math.min(end + 1, this.limit);
    return decodeString(this.text.slice(from, end), quote, this.repairs);
  }

  quoteToken(): string | undefined {
    if (this.options.quoteTokens === undefined) return undefined;
    if (this.limit - this.i < 10) this.touched = true;
    return this.options.quoteTokens.find((token) => this.text.startsWith(token, this.i));
  }

  /** A string between two equal tokens, taken as it stands. */
  tokenString(token: string): string {
    const from = this.i + token.length;
    const end = this.text.indexOf(token, from);
    if (end === -1 || end > this.limit) {
      this.open = true;
      this.i = this.limit;
      return this.text.slice(from, this.limit);
    }
    this.i = end + token.length;
    if (token.length === 3) this.repairs.add("single-quotes");
    return this.text.slice(from, end);
  }

  /** Is what stands since `from` a number or literal? Then a slash behind it begins a comment. */
  isWhole(from: number): boolean {
    const word = this.text.slice(from, Math.min(this.i, from + MAX_WORD)).trim();
    return LITERALS.has(word) || readNumber(word, new Set()) !== undefined;
  }

  word(place: "object" | "array"): Json {
    const from = this.i;
    const quoted = /^[rRfFbBuU]["']/.test(this.text.slice(from, from + 2));
    if (quoted && this.options.python) {
      this.i += 1;
      return this.strings(place);
    }
    let depth = 0;
    while (this.i < this.limit) {
      const c = this.text[this.i] as string;
      if (c === "(" && this.options.python) depth += 1;
      else if (c === ")" && depth > 0) depth -= 1;
      else if (depth === 0 && (c === "," || c === "}" || c === "]" || c === ")" || c === "\n" || c === ";")) break;
      else if (c === "/" && (this.text[this.i + 1] === "/" || this.text[this.i + 1] === "*") && this.isWhole(from))
        break;
      else if (c === "{" || c === "<" || c === '"') {
        if (depth === 0) break;
      }
      this.i += 1;
    }
    if (this.i >= this.limit) this.open = true;
    const word = this.text.slice(from, this.i).trim();
    if (word === "" || word === "...") throw new Unreadable();
    const literal = LITERALS.get(word);
    if (literal !== undefined) {
      if (word !== "true" && word !== "false" && word !== "null") this.repairs.add("python-literal");
      return literal;
    }
    const number = readNumber(word, this.repairs);
    if (number !== undefined) return number;
    if (/^["'}\]:]/.test(word)) throw new Unreadable();
    if (this.options.quoteTokens === undefined) this.repairs.add("bare-value");
    return word;
  }
}
