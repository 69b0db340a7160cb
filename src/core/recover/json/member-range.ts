import { findJsonEnd } from "./find-end.ts";
import { skipWhitespace } from "./read-string.ts";

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
      const close = stringEnd(text, i);
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
  if (c === '"') return stringEnd(text, start);
  let i = start;
  while (i < text.length && !",}] \n\r\t".includes(text[i] as string)) i += 1;
  return i;
}

function stringEnd(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === "\\" ? 2 : 1;
  return i + 1;
}
