/** Above this a text is judged by its ends: failures announce themselves at the top or at the bottom. */
export const WHOLE_LIMIT = 65_536;
const END_LENGTH = 8192;
/** Both ends and the mark between them. */
const WINDOW_LENGTH = 2 * END_LENGTH + 3;

/** The part of a text that rules read. */
export interface TextWindow {
  readonly kind: "text-window";
  readonly text: string;
  /** First character that is not white space, a byte order mark or decoration. */
  readonly start: number;
  /** Behind the last character that is not white space. */
  readonly end: number;
}

/** The window over a text, without the blanks around it. */
export function textWindow(whole: string): TextWindow {
  const text =
    whole.length > WHOLE_LIMIT ? `${whole.slice(0, END_LENGTH)}\n\u2026\n${whole.slice(-END_LENGTH)}` : whole;
  return windowBetween(text, 0, text.length);
}

/** The window over a part of a text: places stay those of the text. */
export function windowBetween(text: string, from: number, to: number): TextWindow {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) {
    start += 1;
  }
  while (end > start && isBlank(text.charCodeAt(end - 1))) {
    end -= 1;
  }
  return { kind: "text-window", text, start, end };
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xfeff || code === 0xa0;
}

/**
 * Where an excerpt that a rule saw at a place of its window stands in the whole text; nothing where it was unescaped on
 * the way.
 */
export function placeInWhole(whole: string, excerpt: string, at: number): number | undefined {
  const place = whole.length > WHOLE_LIMIT && at > END_LENGTH ? at + whole.length - WINDOW_LENGTH : at;
  if (whole.startsWith(excerpt, place)) {
    return place;
  }
  const found = whole.length > WHOLE_LIMIT ? -1 : whole.indexOf(excerpt);
  return found === -1 ? undefined : found;
}
