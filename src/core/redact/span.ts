/** A part of a text that must not be kept, and what is written in its place. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Collects spans; in any order, and they may overlap. */
export type Report = (start: number, end: number, by?: string) => void;

export const SECRET = "[secret]";
export const KEY = "[key]";
export const JWT = "[jwt]";
export const PRIVATE_KEY = "[private key]";

/** What redaction writes. A text that was redacted before must not change again. */
const MARK = /^\[(?:secret|key|jwt|private key|email|phone|card|iban)\]/;

export function isMark(text: string, at: number): boolean {
  return text.charCodeAt(at) === 91 && MARK.test(text.slice(at, at + 16));
}

/**
 * Writes a text without its spans. Of spans that overlap, the one that starts first gives the mark for all of them; of two equal ones the later, which
 * knows the name of the value.
 */
export function replaceSpans(text: string, spans: Span[]): string {
  if (spans.length === 0) return text;
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  let written = "";
  let at = 0;
  let index = 0;
  while (index < spans.length) {
    const { start, end: firstEnd, by: firstBy } = spans[index] as Span;
    let end = firstEnd;
    let by = firstBy;
    index += 1;
    for (let next = spans[index]; next !== undefined && next.start < end; next = spans[index]) {
      if (next.start === start && next.end === end) by = next.by;
      end = Math.max(end, next.end);
      index += 1;
    }
    written += text.slice(at, start) + by;
    at = end;
  }
  return written + text.slice(at);
}
