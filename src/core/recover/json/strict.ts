import { skipWhitespace } from "../lex/text.ts";

/** Maximum nesting of arguments. Recursion over deeper values could overflow the stack. */
export const MAX_DEPTH = 200;

/** `end`: the value ends before this index. `open`: the text ended first. `odd`: not well formed from `at` on. */
export type JsonEnd =
  | { readonly kind: "end"; readonly end: number; readonly bigNumbers: boolean }
  | { readonly kind: "open" }
  /** `since`: where the last string before it began; that string may be what went wrong. */
  | { readonly kind: "odd"; readonly at: number; readonly since: number }
  | { readonly kind: "deep"; readonly at: number };

const QUOTE = 34;
const BACKSLASH = 92;

/** Classes of characters outside strings. */
const [BLANK, SEPARATOR, OPEN, CLOSE, DIGIT, LETTER, STRING] = [1, 2, 3, 4, 5, 6, 7] as const;
const CLASSES = new Uint8Array(128);
const classify = (characters: string, kind: number): void => {
  for (const c of characters) CLASSES[c.charCodeAt(0)] = kind;
};
classify(" \n\r\t", BLANK);
classify(",:", SEPARATOR);
classify("{[", OPEN);
classify("}]", CLOSE);
classify("0123456789", DIGIT);
// What is left of JSON's alphabet outside strings: + - . E e and the letters of true, false, null.
classify("+-.Eabcdefghijklmnopqrstu", LETTER);
classify('"', STRING);

/**
 * Finds where the object or array that starts at `start` ends, without building it. Checks just enough of the grammar
 * (brackets pair up, a string is followed by punctuation) to give up early on what `JSON.parse` would refuse, so that
 * damaged text is not read to its very end because of one lost quote.
 */
export function findJsonEnd(text: string, start: number, limit: number): JsonEnd {
  const stack: number[] = [];
  let bigNumbers = false;
  let digits = 0;
  let afterString = false;
  let since = start;
  for (let i = start; i < limit; i++) {
    const c = text.charCodeAt(i);
    const kind = c < 128 ? (CLASSES[c] as number) : 0;
    if (kind === BLANK) digits = 0;
    else if (kind === CLOSE) {
      if (stack.pop() !== (c === 125 ? 123 : 91)) return { kind: "odd", at: i, since };
      if (stack.length === 0) return { kind: "end", end: i + 1, bigNumbers };
      afterString = false;
      digits = 0;
    } else if (kind === SEPARATOR) {
      afterString = false;
      digits = 0;
    } else if (afterString || kind === 0) return { kind: "odd", at: i, since };
    else if (kind === STRING) {
      const close = closingQuote(text, i + 1, limit);
      since = i;
      if (close < 0) return close === -2 ? { kind: "odd", at: i, since } : { kind: "open" };
      afterString = true;
      i = close;
    } else if (kind === OPEN) {
      if (stack.length >= MAX_DEPTH) return { kind: "deep", at: i };
      stack.push(c);
      digits = 0;
    } else if (kind === DIGIT) {
      digits += 1;
      if (digits > 15) bigNumbers = true;
    } else digits = 0;
  }
  return { kind: "open" };
}

/** Index of the quote that closes the string, -1 when the text ends first, -2 at a raw control character. */
function closingQuote(text: string, from: number, limit: number): number {
  for (let i = from; i < limit; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) return i;
    if (c === BACKSLASH) i += 1;
    else if (c < 32) return -2;
  }
  return -1;
}

/** Where a value starts and ends. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The ranges of the top-level members of strict JSON: by key for an object, by index for a list. */
export function memberRanges(text: string, start: number): ReadonlyMap<string, Range> {
  const ranges = new Map<string, Range>();
  const object = text[start] === "{";
  let i = skipWhitespace(text, start + 1, text.length);
  while (i < text.length && text[i] !== "}" && text[i] !== "]") {
    let key = String(ranges.size);
    if (object) {
      const close = closingQuote(text, i + 1, text.length) + 1;
      key = text.slice(i + 1, close - 1);
      i = skipWhitespace(text, skipWhitespace(text, close, text.length) + 1, text.length);
    }
    const end = valueEnd(text, i);
    if (end <= i) break;
    ranges.set(key, { start: i, end });
    i = skipWhitespace(text, end, text.length);
    if (text[i] === ",") i = skipWhitespace(text, i + 1, text.length);
  }
  return ranges;
}

function valueEnd(text: string, start: number): number {
  const c = text[start];
  if (c === "{" || c === "[") {
    const found = findJsonEnd(text, start, text.length);
    return found.kind === "end" ? found.end : start;
  }
  if (c === '"') return closingQuote(text, start + 1, text.length) + 1;
  let i = start;
  while (i < text.length && !",}] \n\r\t".includes(text[i] as string)) i += 1;
  return i;
}
