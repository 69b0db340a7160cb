import type { Json } from "../model/tool-call.ts";
import type { Text } from "../text/cursor.ts";
import { CURLY_CLOSE, CURLY_OPEN, closesString, decodeString, type Place } from "./strings.ts";
import {
  canonicalJson,
  type Edit,
  type KeyDoubt,
  MAX_DEPTH,
  MAX_WORD,
  objectOf,
  type Repair,
  readLiteral,
  readNumber,
} from "./values.ts";

/** Differences between the dialects that share this reader. */
export interface TolerantOptions {
  /** Tokens that quote a string and cannot occur in it (`<|"|>`). */
  readonly quoteTokens?: readonly string[];
  /** Whether the outermost object may have this key. Values without quotes then end at the next such key. */
  readonly isKey?: (key: string) => boolean;
  /** Python: `f(a=1)` places, where `)` ends a value. */
  readonly python?: boolean;
  /** Record the edits that turn the text into JSON, if it has only one reading. */
  readonly isRewritten?: boolean;
}

/** The container of the current value. */
type Holder = "object" | "array" | "pair";

/** The parsed part of an object. */
interface Members {
  readonly entries: Array<[string, Json]>;
  readonly values: Map<string, Json>;
  hasQuotedKeys: boolean;
  /** What the last value leaves ambiguous. */
  loose: KeyDoubt | undefined;
}

/** The text at this position cannot be parsed. */
export class Unreadable extends Error {}

/**
 * Reads values in the notation of JSON, JSON5 or Python, or nearly so, from left to right in linear time. Used only for
 * text that strict JSON rejects: each guess is listed in `repairs`.
 */
export class TolerantReader {
  i: number;
  /** The text ended inside a value. */
  isOpen = false;
  /** The text ended inside a string. */
  inString = false;
  /** A value may continue after a comma, or an undeclared key may begin there. */
  isAmbiguous = false;
  /** A key occurs twice in one object, with different values. */
  isContradictory = false;
  /** Keys that may belong to the value before them. */
  readonly keyDoubts = new Map<string, KeyDoubt>();
  readonly repairs = new Set<Repair>();
  /** The edits that turn the text into JSON. Without them, the text is not JSON. */
  readonly edits: Edit[] = [];
  /** What the previous value leaves ambiguous: the next key may belong to it. */
  private loose: KeyDoubt | undefined;
  private readonly source: Text;
  private readonly options: TolerantOptions;

  constructor(source: Text, start: number, options: TolerantOptions = {}) {
    this.source = source;
    this.i = start;
    this.options = options;
  }

  /** Skips blanks and comments and returns the next character; empty at the end of the text. */
  next(): string {
    const { source } = this;
    for (;;) {
      this.i = source.skipBlanks(this.i);
      const c = source.at(this.i);
      if (c === "") this.isOpen = true;
      const from = this.i;
      const second = c === "/" ? source.at(from + 1) : "";
      if (c === "#" || second === "/") this.i = this.lineEnd();
      else if (second === "*") {
        const end = source.text.indexOf("*/", from + 2);
        this.i = end === -1 || end > source.length ? source.length : end + 2;
      } else return c;
      this.repairs.add("comment");
      this.edit(from, this.i, "");
    }
  }

  private edit(start: number, end: number, text: string): void {
    if (this.options.isRewritten === true) this.edits.push({ start, end, text });
  }

  private lineEnd(): number {
    let i = this.i;
    while (i < this.source.length && this.source.text[i] !== "\n" && this.source.text[i] !== "\r") i += 1;
    return i;
  }

  value(depth = 0, holder: Holder = "array"): Json {
    const c = this.next();
    if (c === "") return null;
    if (depth > MAX_DEPTH) throw new Unreadable();
    if (c === "{") return this.object(depth);
    if (c === "[" || (c === "(" && this.options.python)) return this.array(depth, c === "[" ? "]" : ")");
    const token = this.quoteToken();
    if (token !== undefined) return this.tokenString(token);
    if (c === '"' || c === "'") return this.strings(holder);
    if (c === CURLY_OPEN) return this.string(CURLY_CLOSE, holder);
    return this.options.isKey !== undefined && depth === 1 ? this.loneText() : this.word(holder);
  }

  /**
   * A value without quotes that ends at the next declared key or at the brace that closes the object. It may contain
   * commas, colons, quotes and paired brackets.
   */
  private loneText(): Json {
    const { source, repairs } = this;
    const from = this.i;
    let depth = 0;
    for (let c = source.at(this.i); ; this.i += 1, c = source.at(this.i)) {
      if (c === "" || this.quoteToken() !== undefined) throw new Unreadable();
      if ("{[(".includes(c)) depth += 1;
      else if (depth > 0 && "}])".includes(c)) depth -= 1;
      else if (c === "}") break;
      else if (c === "," && depth === 0 && this.startsKey(this.i + 1)) break;
    }
    const text = source.text.slice(from, this.i).trim();
    if (text === "" || text === "...") throw new Unreadable();
    const literal = readLiteral(text, repairs);
    return literal !== undefined ? literal : (readNumber(text, repairs) ?? text);
  }

  /** Whether a declared key begins at `at`. An undeclared one is ambiguous. */
  private startsKey(at: number): boolean {
    const { source } = this;
    const from = source.skipBlanks(at);
    const end = source.skipWhile(from, MAX_WORD, (code) => !KEY_ENDS.has(code));
    const isAssigned = end > from && source.at(source.skipBlanks(end)) === ":";
    if (isAssigned && this.options.isKey?.(source.text.slice(from, end)) === true) return true;
    this.isAmbiguous ||= isAssigned;
    return false;
  }

  private object(depth: number): Json {
    this.i += 1;
    const members: Members = { entries: [], values: new Map(), hasQuotedKeys: false, loose: undefined };
    for (;;) {
      const c = this.next();
      if (c === "" || this.closes(c, "}", depth)) break;
      if (c === ",") {
        this.dropComma();
        continue;
      }
      if (c === "{") {
        this.closeBeforeBrace(depth);
        break;
      }
      const from = this.i;
      const key = this.key();
      const behind = this.next();
      if (behind === "") break;
      if (this.options.python && members.values.size === 0 && (behind === "," || behind === "}"))
        return this.pythonSet(depth, from);
      this.member(members, c, key, depth);
      if (this.isOpen) break;
      this.separator("}");
    }
    this.loose = undefined;
    return objectOf(members.entries);
  }

  /** Reads the value of a key that begins with `c`. */
  private member(members: Members, c: string, key: string, depth: number): void {
    const name = this.assignment(key, c !== '"');
    const isBare = !"\"'“<".includes(c);
    const doubt = doubtOf(members.loose, isBare, members.values.has(name), members.hasQuotedKeys);
    if (doubt !== undefined) this.keyDoubts.set(name, doubt);
    members.hasQuotedKeys ||= !isBare;
    this.loose = undefined;
    const value = this.value(depth + 1, "object");
    const earlier = members.values.get(name);
    this.isContradictory ||= earlier !== undefined && canonicalJson(earlier) !== canonicalJson(value);
    members.values.set(name, value);
    members.entries.push([name, value]);
    members.loose = this.loose;
  }

  private array(depth: number, close: string): Json {
    const start = this.i;
    this.i += 1;
    const items: Json[] = [];
    let isList = true;
    for (;;) {
      const c = this.next();
      if (c === "" || this.closes(c, close, depth)) break;
      if (c === ",") {
        this.dropComma();
        continue;
      }
      items.push(this.value(depth + 1, "array"));
      if (this.isOpen) break;
      isList = this.separator(close) || items.length > 1;
    }
    // (x) is a parenthesis in Python, not a tuple.
    if (close === ")" && isList) {
      this.edit(start, start + 1, "[");
      this.edit(this.i - 1, this.i, "]");
    }
    this.loose = undefined;
    return items;
  }

  /**
   * Whether the character ends the object or list. A bracket of another kind belongs to the surrounding text, unless it
   * is the only fault of an outermost list.
   */
  private closes(c: string, close: string, depth: number): boolean {
    const isWrong = depth === 0 && close === "]" && c === "}" && this.repairs.size === 0;
    if (c === close || isWrong) {
      if (isWrong) this.repairs.add("closed-brackets");
      if (isWrong) this.edit(this.i, this.i + 1, "]");
      this.i += 1;
      return true;
    }
    if (c !== "]" && c !== ")" && !(close !== "}" && (c === "}" || c === ":"))) return false;
    if (depth === 0) throw new Unreadable();
    this.repairs.add("closed-brackets");
    return true;
  }

  private dropComma(): void {
    this.repairs.add("dropped-comma");
    this.i += 1;
  }

  /**
   * `}, {` without the first brace: the object ends before the comma, so that the surrounding list finds the comma.
   * Never goes back further, because that would not terminate.
   */
  private closeBeforeBrace(depth: number): void {
    let i = this.i - 1;
    while (i > 0 && this.source.text.charCodeAt(i) <= 32) i -= 1;
    if (depth === 0 || this.source.text[i] !== ",") throw new Unreadable();
    this.repairs.add("closed-brackets");
    this.i = i;
  }

  private key(): string {
    const { source } = this;
    const token = this.quoteToken();
    if (token !== undefined) return this.tokenString(token);
    const c = source.at(this.i);
    if (c === '"' || c === "'") return this.string(c, "key");
    if (c === CURLY_OPEN) return this.string(CURLY_CLOSE, "key");
    const from = this.i;
    this.i = source.skipWhile(from, MAX_WORD, (code) => !KEY_ENDS.has(code));
    if (this.i === from) throw new Unreadable();
    if (this.options.quoteTokens === undefined) this.repairs.add("bare-key");
    const key = source.text.slice(from, this.i);
    if (/^[A-Za-z_$][\w$-]*$/.test(key)) this.edit(from, this.i, JSON.stringify(key));
    return key;
  }

  /**
   * Skips `:`, `=`, `=>`, a space after `--key`, as on a command line, or nothing between a quoted key and a bracket.
   * Returns the key.
   */
  private assignment(key: string, isBare: boolean): string {
    const c = this.source.at(this.i);
    if (!isBare && (c === "{" || c === "[")) {
      this.repairs.add("inserted-colon");
      return key;
    }
    if (c !== ":" && c !== "=") {
      if (!key.startsWith("--") || key.length < 3) throw new Unreadable();
      return key.slice(2);
    }
    this.i += this.source.at(this.i + 1) === ">" && c === "=" ? 2 : 1;
    return key;
  }

  /** Python's `{'a', 'b'}`: JSON has only lists. */
  private pythonSet(depth: number, from: number): Json {
    this.i = from - 1;
    this.repairs.add("python-literal");
    return this.array(depth, "}");
  }

  /**
   * Skips the comma after a member and returns whether there is one. Records a missing comma if another member follows.
   */
  private separator(close: string): boolean {
    const c = this.next();
    this.isOpen = false;
    if (c === "" || c === close || c === "}" || c === "]" || c === ")") return false;
    if (c === "," || c === ";") {
      const at = this.i;
      this.i += 1;
      if (this.next() === close) {
        this.repairs.add("dropped-comma");
        if (c === ",") this.edit(at, at + 1, "");
      }
      this.isOpen = false;
      return true;
    }
    if (c === "<") throw new Unreadable();
    this.repairs.add("inserted-comma");
    return true;
  }

  /** One string, several adjacent ones as in Python, or a triple-quoted one. */
  private strings(holder: Holder): string {
    const { source } = this;
    let value = "";
    for (;;) {
      const quote = source.at(this.i);
      const triple = quote.repeat(3);
      value += source.startsWith(triple, this.i) ? this.tokenString(triple) : this.string(quote, holder);
      if (!this.options.python || this.isOpen) return value;
      const next = source.skipBlanks(this.i);
      if (source.at(next) !== '"' && source.at(next) !== "'") return value;
      // With unescaped quotes, several strings cannot be distinguished from one.
      if (this.repairs.has("unescaped-quote")) throw new Unreadable();
      this.i = next;
    }
  }

  /** A quoted string that may contain unescaped quotes. */
  private string(quote: string, place: Place): string {
    const { source } = this;
    const from = this.i + 1;
    let i = from;
    let hasInner = false;
    for (let c = source.at(i); c !== ""; c = source.at(i)) {
      if (c === quote) {
        if (closesString(source, i, place, this.options.python === true)) break;
        hasInner = true;
      }
      i += c === "\\" ? 2 : 1;
    }
    const end = Math.min(i, source.length);
    if (end >= source.length) this.endInString();
    if (hasInner) {
      this.repairs.add("unescaped-quote");
      if (place !== "key") this.loose = "unescaped";
    }
    this.i = Math.min(end + 1, source.length);
    const raw = source.text.slice(from, end);
    // An expression: the text does not contain its value.
    if (hasInner && /["']\s{0,4}\+\s{0,4}["']/.test(raw)) throw new Unreadable();
    const own = new Set<Repair>();
    const value = decodeString(raw, quote, own);
    for (const repair of own) this.repairs.add(repair);
    if (own.size > 0 && !hasInner && !own.has("invalid-escape")) this.edit(from - 1, this.i, JSON.stringify(value));
    return value;
  }

  private endInString(): void {
    this.isOpen = true;
    this.inString = true;
  }

  private quoteToken(): string | undefined {
    return this.options.quoteTokens?.find((token) => this.source.startsWith(token, this.i));
  }

  /** A string between two equal tokens, taken literally. */
  private tokenString(token: string): string {
    const { source } = this;
    const from = this.i + token.length;
    const end = source.find(token, from, Number.POSITIVE_INFINITY);
    if (end === -1) this.endInString();
    this.i = end === -1 ? source.length : end + token.length;
    if (token.length === 3) this.repairs.add("single-quotes");
    return source.text.slice(from, end === -1 ? source.length : end);
  }

  /** A value without quotes: a literal, a number, or a text whose quotes are missing. */
  private word(holder: Holder): Json {
    const { source, options, repairs } = this;
    const from = this.i;
    if (options.python && /^[rRfFbBuU]$/.test(source.at(from)) && /^["']$/.test(source.at(from + 1))) {
      this.i += 1;
      const value = this.strings(holder);
      // Python fills in a value that the text does not contain.
      if (/[fF]/.test(source.at(from)) && value.includes("{")) throw new Unreadable();
      return value;
    }
    this.skipWord(from);
    const word = source.text.slice(from, this.i).trim();
    if (word === "" || word === "...") throw new Unreadable();
    const literal = readLiteral(word, repairs);
    if (/^(?:True|False|None)$/.test(word)) this.edit(from, from + word.length, String(literal));
    if (literal !== undefined) return literal;
    const number = readNumber(word, repairs);
    if (number !== undefined) return number;
    if (/^["'}\]:]/.test(word)) throw new Unreadable();
    if (options.quoteTokens === undefined) repairs.add("bare-value");
    this.loose = "bare";
    return word;
  }

  private skipWord(from: number): void {
    const { source } = this;
    let depth = 0;
    for (;;) {
      const c = source.at(this.i);
      if (c === "") break;
      if (c === "(" && this.options.python) depth += 1;
      else if (c === ")" && depth > 0) depth -= 1;
      else if (depth === 0 && WORD_ENDS.includes(c)) return;
      else if (c === "/" && "/*".includes(source.at(this.i + 1)) && this.isWholeWord(from)) return;
      this.i += 1;
    }
    this.isOpen = true;
  }

  /** Whether the text since `from` is a number or literal. Then a slash after it begins a comment. */
  private isWholeWord(from: number): boolean {
    const word = this.source.text.slice(from, Math.min(this.i, from + MAX_WORD)).trim();
    return readLiteral(word, new Set()) !== undefined || readNumber(word, new Set()) !== undefined;
  }
}

/** Whether a key may belong to the value before it, whose end `loose` left ambiguous. */
function doubtOf(
  loose: KeyDoubt | undefined,
  isBare: boolean,
  isKnown: boolean,
  hasQuotedKeys: boolean,
): KeyDoubt | undefined {
  if (isKnown || (loose === "unescaped" && isBare && hasQuotedKeys)) return "inside";
  if (loose === "unescaped" || (loose === "bare" && isBare)) return isBare ? "bare" : loose;
  return undefined;
}

const WORD_ENDS = ',}])\n;{<"';
const KEY_ENDS: ReadonlySet<number> = new Set([..." \t\r\n\f\v\u00a0\ufeff:=,{}[]()\"'<>"].map((c) => c.charCodeAt(0)));

/**
 * A single value, if the text is one. `isOpen`: the text ended inside the value, which was closed as far as possible.
 */
export function readTolerant(
  source: Text,
  start: number,
  options?: TolerantOptions,
): { readonly value: Json | undefined; readonly reader: TolerantReader } {
  const reader = new TolerantReader(source, start, options);
  try {
    return { value: reader.value(), reader };
  } catch (error) {
    if (error instanceof Unreadable) return { value: undefined, reader };
    throw error;
  }
}
