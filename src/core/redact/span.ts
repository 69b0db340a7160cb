import { AMPERSAND, ESCAPE, OPEN_BRACKET, PERCENT, SPACE, TAB } from "../text/char-codes.ts";
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
  return text.charCodeAt(at) === OPEN_BRACKET && MARK.test(text.slice(at, at + 16));
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
  for (let first = spans[0]; first !== undefined; first = spans[index]) {
    let { start, end, replacement } = first;
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

/** A text as the finders read it: 3 strings of the same length. */
export interface Source {
  readonly text: string;
  /** The text without escapes. */
  readonly view: string;
  /** The view in lower case, for searching. */
  readonly lower: string;
}

export function sourceOf(text: string): Source {
  const view = plainView(text);
  const lower = view.toLowerCase();
  // Some letters become two in lower case, which would shift all later positions.
  return {
    text,
    view,
    lower: lower.length === view.length ? lower : view.replace(/[A-Z]+/g, (run) => run.toLowerCase()),
  };
}

/**
 * Escapes of JSON (at any depth), URLs and HTML, and color codes of terminals. The lookbehind keeps long runs of
 * backslashes linear.
 */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals write it
  /(?<!\\)\\+(?:["'`nrt/]|u00[0-9a-fA-F]{2})|%(?:2[0267fF]|3[aAdDfF]|[57][bBdD])|&(?:quot|#34|#39|apos|amp|lt|gt);|\u001b\[[0-9;?]{0,20}[A-Za-z]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&#34;": '"',
  "&#39;": "'",
  "&apos;": "'",
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
};

/**
 * Replaces every escape by its character, repeated to the same length: `\n` becomes two line breaks and `%3D` three
 * equals signs. Positions are therefore the same in both texts, and the finders read escaped text like plain text.
 */
function plainView(text: string): string {
  if (!["\\", "%", "&", "\u001b"].some((sign) => text.includes(sign))) return text;
  return text.replace(ESCAPES, (written) => decodeEscape(written).repeat(written.length));
}

function decodeEscape(written: string): string {
  const first = written.charCodeAt(0);
  if (first === PERCENT) return String.fromCharCode(Number.parseInt(written.slice(1), 16));
  if (first === AMPERSAND) return ENTITIES[written] ?? " ";
  if (first === ESCAPE) return " ";
  const last = written.charAt(written.length - 1);
  if (written.length >= 6 && written.charAt(written.length - 5) === "u") {
    const code = Number.parseInt(written.slice(-4), 16);
    return code < SPACE && code !== TAB ? "\n" : String.fromCharCode(code);
  }
  if (last === "n" || last === "r") return "\n";
  return last === "t" ? "\t" : last;
}
