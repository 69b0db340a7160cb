/** Characters that are read from each end. The reason of a long output is near one of them. */
const HEAD_LENGTH = 6000;
const TAIL_LENGTH = 12_000;
const MAX_LINES = 400;
const MAX_LINE_LENGTH = 600;

let latest: { readonly text: string; readonly lines: readonly string[] } | undefined;

/**
 * Splits both ends of a text into lines without blank ones. Remembers the latest text: the reason, its test and its
 * first line are searched in the same one.
 */
export function linesOf(text: string): readonly string[] {
  if (latest?.text !== text) {
    latest = { text, lines: splitLines(text) };
  }
  return latest.lines;
}

function splitLines(text: string): readonly string[] {
  const part =
    text.length > HEAD_LENGTH + TAIL_LENGTH ? `${text.slice(0, HEAD_LENGTH)}\n${text.slice(-TAIL_LENGTH)}` : text;
  const raw = (part.includes("\u001b") ? part.replace(ANSI, "") : part).split("\n");
  const hasReturns = part.includes("\r");
  const lines: string[] = [];
  for (let index = 0; index < raw.length; index += 1) {
    if (raw.length > MAX_LINES && index === MAX_LINES / 4) {
      index = raw.length - (MAX_LINES * 3) / 4;
    }
    let line = raw[index] ?? "";
    if (hasReturns) {
      // A progress bar rewrites its line; only the last part is visible.
      const end = line.endsWith("\r") ? line.length - 1 : line.length;
      line = line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
    }
    if (line.length > MAX_LINE_LENGTH) {
      line = line.slice(0, MAX_LINE_LENGTH);
    }
    const kept = line.charCodeAt(line.length - 1) <= 32 ? line.trimEnd() : line;
    if (kept !== "") {
      lines.push(kept);
    }
  }
  return lines;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colors start with the escape character.
const ANSI = /\u001b\[[0-9;?]{0,16}[A-Za-z]/g;

/**
 * Marks before a message: bullets, crosses, box drawings, quotation marks of diffs and of pytest's `E   `, pointers
 * to the line above.
 */
const DECORATION =
  /^(?:[\s>|#*\u2022\u25cf\u2500-\u257f\u2716\u2717\u2718\u00d7\u274c\u2a2f\u2192\u21b3\u26a0\u203c]|\ufe0f|E {2,}|\^-+\^? )+/;

/** Removes marks around a line, and repeated blanks in it. */
export function clean(line: string): string {
  const undecorated = isDecorated(line) ? line.replace(DECORATION, "") : line;
  const ended = undecorated.endsWith("*") ? undecorated.replace(/\*+$/, "") : undecorated;
  // Most lines have single blanks only; replacing each of them costs more than the rest.
  const isSpaced = ended.includes("  ") || ended.includes("\t");
  return (isSpaced ? ended.replace(/[ \t]+/g, " ") : ended).trim();
}

/** Most lines start with a letter or a digit; only `E   ` of pytest is a mark. */
function isDecorated(line: string): boolean {
  const code = line.charCodeAt(0);
  const isWord = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return !isWord || (code === 69 && line.charCodeAt(1) === 32);
}
