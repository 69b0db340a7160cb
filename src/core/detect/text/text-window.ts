/** Longer text is classified by its ends: failures are reported at the start or at the end. */
export const WHOLE_LIMIT = 65_536;
const END_LENGTH = 8192;
/** Both ends, with a mark between them. */
const WINDOW_LENGTH = 2 * END_LENGTH + 3;

/** The part of a text that rules read. */
export interface TextWindow {
  readonly kind: "text-window";
  readonly text: string;
  /** First character that is not whitespace, a byte order mark or decoration. */
  readonly start: number;
  /** Position after the last character that is not whitespace. */
  readonly end: number;
}

/** Creates a window over a text without surrounding whitespace. */
export function textWindow(whole: string): TextWindow {
  const text =
    whole.length > WHOLE_LIMIT ? `${whole.slice(0, END_LENGTH)}\n\u2026\n${whole.slice(-END_LENGTH)}` : whole;
  return windowBetween(text, 0, text.length);
}

/** Creates a window over a part of a text. Positions stay relative to the text. */
export function windowBetween(text: string, from: number, to: number): TextWindow {
  let start = from;
  let end = to;
  while (start < end && isWhitespace(text.charCodeAt(start))) {
    start += 1;
  }
  while (end > start && isWhitespace(text.charCodeAt(end - 1))) {
    end -= 1;
  }
  return { kind: "text-window", text, start, end };
}

function isWhitespace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xfeff || code === 0xa0;
}

/** Converts a position in the window to one in the whole text; undefined if the excerpt was unescaped. */
export function positionInWhole(whole: string, excerpt: string, at: number): number | undefined {
  const place = whole.length > WHOLE_LIMIT && at > END_LENGTH ? at + whole.length - WINDOW_LENGTH : at;
  if (whole.startsWith(excerpt, place)) {
    return place;
  }
  const found = whole.length > WHOLE_LIMIT ? -1 : whole.indexOf(excerpt);
  return found === -1 ? undefined : found;
}

/** Returns the line that starts here, truncated to a readable length. */
export function lineAt(text: string, start: number, end: number): string {
  const stop = Math.min(end, start + 500);
  const newline = text.indexOf("\n", start);
  return text.slice(start, newline === -1 || newline > stop ? stop : newline).trimEnd();
}
