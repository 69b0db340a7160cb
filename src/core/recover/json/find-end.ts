/** Deeper than this no arguments are; beyond it recursion over a value would be a way to overflow the stack. */
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

/**
 * Finds where the object or array that starts at `start` ends, without building it. It checks just enough of the
 * grammar (brackets pair up, a string is followed by punctuation) to give up early on what `JSON.parse` would refuse,
 * so that damaged text is not read to its very end on the strength of one lost quote.
 */
export function findJsonEnd(text: string, start: number, limit: number): JsonEnd {
  const stack: number[] = [];
  let bigNumbers = false;
  let digits = 0;
  let afterString = false;
  let since = start;
  for (let i = start; i < limit; i++) {
    const c = text.charCodeAt(i);
    if (c === 32 || c === 10 || c === 13 || c === 9) {
      digits = 0;
      continue;
    }
    if (c === 44 || c === 58) {
      afterString = false;
      digits = 0;
      continue;
    }
    if (c === 125 || c === 93) {
      if (stack.pop() !== (c === 125 ? 123 : 91)) return { kind: "odd", at: i, since };
      if (stack.length === 0) return { kind: "end", end: i + 1, bigNumbers };
      afterString = false;
      digits = 0;
      continue;
    }
    if (afterString) return { kind: "odd", at: i, since };
    if (c === QUOTE) {
      const close = closingQuote(text, i + 1, limit);
      since = i;
      if (close < 0) return close === -2 ? { kind: "odd", at: i, since } : { kind: "open" };
      afterString = true;
      i = close;
      continue;
    }
    if (c === 123 || c === 91) {
      if (stack.length >= MAX_DEPTH) return { kind: "deep", at: i };
      stack.push(c);
      digits = 0;
      continue;
    }
    if (c >= 48 && c <= 57) {
      digits += 1;
      if (digits > 15) bigNumbers = true;
      continue;
    }
    digits = 0;
    // What is left of JSON's alphabet outside strings: + - . E e and the letters of true, false, null.
    if (c !== 43 && c !== 45 && c !== 46 && c !== 69 && !(c >= 97 && c <= 117)) return { kind: "odd", at: i, since };
  }
  return { kind: "open" };
}

/** Whether brackets may nest deeper than {@link MAX_DEPTH}. Counts brackets in strings too: in malformed text, string boundaries are a guess. */
export function isDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 123 || c === 91) depth += 1;
    else if (c === 125 || c === 93) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
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
