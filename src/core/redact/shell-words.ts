import { isQuote, isSpace, readQuoted } from "./read-value.ts";

/** One shell word without its quotes, or an operator. */
export interface ShellWord {
  readonly kind: "word" | "pipe" | "here" | "end";
  readonly start: number;
  readonly end: number;
  /** Position from which the next word is read. */
  readonly next: number;
  /** A quote follows that the command did not open, so the surrounding text ends the command here. */
  readonly isLast?: true;
}

const MAX_WORD_CHARS = 4096;
/** After these, a quote inside a word opens a value: `--user="…"`, `-p'…'`, `NAME="…"`. */
const OPENS_VALUE = /(?:[=:,]|^-{1,2}[A-Za-z]{1,3})$/;

/** Reads the next word at or after `from`. */
export function readShellWord(text: string, view: string, from: number): ShellWord {
  let at = from;
  while (at < view.length) {
    if (isSpace(view.charCodeAt(at))) at += 1;
    else if (view.charCodeAt(at) === 92 && view.charCodeAt(at + 1) === 10) at += 2;
    else break;
  }
  const code = view.charCodeAt(at);
  if (at >= view.length || code === 10 || code === 59 || code === 38) return operator("end", at, 1);
  if (code === 124) return view.charCodeAt(at + 1) === 124 ? operator("end", at, 2) : operator("pipe", at, 1);
  if (view.startsWith("<<<", at)) return operator("here", at, 3);
  return isQuote(code) ? readQuotedWord(text, view, at, at) : readPlainWord(text, view, at);
}

function operator(kind: "pipe" | "here" | "end", start: number, length: number): ShellWord {
  return { kind, start, end: start + length, next: start + length };
}

/** Reads up to the closing quote; the word may start before the opening one. */
function readQuotedWord(text: string, view: string, start: number, quote: number): ShellWord {
  const { start: inner, end, after } = readQuoted(text, quote);
  const word = { kind: "word", start: start === quote ? inner : start, end, next: after ?? end } as const;
  return after === undefined || !isOutside(view.charCodeAt(after)) ? word : { ...word, isLast: true };
}

/** True for characters that follow a closing quote in JSON or code around the command. */
function isOutside(code: number): boolean {
  return isQuote(code) || code === 44 || code === 93 || code === 125 || code === 58;
}

function readPlainWord(text: string, view: string, start: number): ShellWord {
  let end = start;
  while (end < view.length && end - start < MAX_WORD_CHARS) {
    const code = view.charCodeAt(end);
    if (isSpace(code) || code === 10 || code === 59 || code === 124) break;
    if (isQuote(code)) {
      if (OPENS_VALUE.test(view.slice(Math.max(start, end - 12), end))) return readQuotedWord(text, view, start, end);
      return { kind: "word", start, end, next: end + 1, isLast: true };
    }
    end += 1;
  }
  return end > start ? { kind: "word", start, end, next: end } : operator("end", start, 1);
}
