import { isQuote, isSpace, readQuoted } from "./read-value.ts";

/** A word of a command, without its quotes; or an operator. */
export interface ShellWord {
  readonly kind: "word" | "pipe" | "here" | "end";
  readonly start: number;
  readonly end: number;
}

const MAX_WORD_CHARS = 4096;
/** A quote inside a word opens a value behind these: `--user="…"`, `-p'…'`, `NAME="…"`. */
const OPENS_VALUE = /(?:[=:,]|^-{1,2}[A-Za-z]{1,3})$/;

/** Reads one word from `at`. A quote that closes the text around the command ends it. */
export function readShellWord(text: string, view: string, from: number): ShellWord {
  let at = from;
  while (at < view.length) {
    if (isSpace(view.charCodeAt(at))) at += 1;
    else if (view.charCodeAt(at) === 92 && view.charCodeAt(at + 1) === 10) at += 2;
    else break;
  }
  const code = view.charCodeAt(at);
  if (at >= view.length || code === 10 || code === 59) return { kind: "end", start: at, end: at + 1 };
  if (code === 124)
    return view.charCodeAt(at + 1) === 124
      ? { kind: "end", start: at, end: at + 2 }
      : { kind: "pipe", start: at, end: at + 1 };
  if (code === 38) return { kind: "end", start: at, end: at + 1 };
  if (view.startsWith("<<<", at)) return { kind: "here", start: at, end: at + 3 };
  if (isQuote(code)) {
    const { start, end } = readQuoted(text, at);
    return { kind: "word", start, end };
  }
  return readPlainWord(text, view, at);
}

function readPlainWord(text: string, view: string, start: number): ShellWord {
  let end = start;
  while (end < view.length && end - start < MAX_WORD_CHARS) {
    const code = view.charCodeAt(end);
    if (isSpace(code) || code === 10 || code === 59 || code === 124) break;
    if (isQuote(code)) {
      if (!OPENS_VALUE.test(view.slice(Math.max(start, end - 12), end))) break;
      return { kind: "word", start, end: readQuoted(text, end).end };
    }
    end += 1;
  }
  return end > start ? { kind: "word", start, end } : { kind: "end", start, end: end + 1 };
}

/** Where the next word may begin: behind the quotes that close this one. */
export function wordEnd(view: string, { end }: ShellWord): number {
  let at = end;
  while (isQuote(view.charCodeAt(at)) && at - end < 8) at += 1;
  return at;
}
