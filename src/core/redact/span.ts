/** A part of a text that must be removed, and its replacement. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Collects spans, which may overlap and come in any order. */
export type Report = (start: number, end: number, replacement?: string) => void;

export const SECRET = "[secret]";
export const KEY = "[key]";
export const JWT = "[jwt]";
export const PRIVATE_KEY = "[private key]";

/** The marks that redaction writes. Redacted text must not change when it is redacted again. */
const MARK = /^\[(?:secret|key|jwt|private key|email|phone|card|iban)\]/;

export function isMark(text: string, at: number): boolean {
  return text.charCodeAt(at) === 91 && MARK.test(text.slice(at, at + 16));
}

/**
 * Replaces the spans of a text. The mark of overlapping spans is that of the first one. Of two equal spans the later
 * one wins, because its finder knows the name of the value.
 */
export function replaceSpans(text: string, spans: Span[]): string {
  if (spans.length === 0) return text;
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  let result = "";
  let at = 0;
  let index = 0;
  while (index < spans.length) {
    const { start, end: firstEnd, replacement: firstReplacement } = spans[index] as Span;
    let end = firstEnd;
    let replacement = firstReplacement;
    index += 1;
    for (let next = spans[index]; next !== undefined && next.start < end; next = spans[index]) {
      if (next.start === start && next.end === end) replacement = next.replacement;
      end = Math.max(end, next.end);
      index += 1;
    }
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}
