import { writeBytes } from "../text/char-bytes.ts";
import { hintsIn, hintsOfBytes } from "./hints.ts";

/** Characters that are read from each end. The reason of a long output is near one of them. */
const HEAD_LENGTH = 6000;
const TAIL_LENGTH = 12_000;
const MAX_LINES = 400;
const MAX_LINE_LENGTH = 600;

/** The lines of a text, with what was computed about them. */
interface SplitText {
  readonly text: string;
  readonly lines: readonly string[];
  /** Length of the text that the lines were cut from, which {@link bytes} holds. */
  readonly length: number;
  readonly starts: readonly number[];
  readonly cleaned: (string | undefined)[];
}

let latest: SplitText | undefined;
/** The text that the latest lines were cut from. */
const bytes = new Uint8Array(HEAD_LENGTH + TAIL_LENGTH + 2);

/**
 * Splits both ends of a text into lines without blank ones. Remembers the latest text: the reason, its test and its
 * first line are searched in the same one.
 */
export function linesOf(text: string): readonly string[] {
  if (latest?.text !== text) {
    latest = splitLines(text);
  }
  return latest.lines;
}

/** Returns the hints of one of the latest lines. */
export function hintsOfLine(lines: readonly string[], index: number): number {
  const line = lines[index] ?? "";
  const start = latest?.lines === lines ? latest.starts[index] : undefined;
  return latest === undefined || start === undefined
    ? hintsIn(line, 0, line.length)
    : hintsOfBytes(bytes, start, start + line.length, latest.length);
}

/** Returns the hints of one of the latest lines without marks. */
export function hintsOfClean(lines: readonly string[], index: number, text: string): number {
  const { length } = lines[index] ?? "";
  // Behind a line that was cut, its last word would be read further.
  return text.length === length && length < MAX_LINE_LENGTH ? hintsOfLine(lines, index) : hintsIn(text, 0, text.length);
}

/** Returns one of the latest lines without marks: several rules ask for the same one. */
export function cleanLine(lines: readonly string[], index: number): string {
  if (latest?.lines !== lines) {
    return clean(lines[index] ?? "");
  }
  const known = latest.cleaned[index];
  if (known !== undefined) {
    return known;
  }
  const text = clean(lines[index] ?? "");
  latest.cleaned[index] = text;
  return text;
}

function splitLines(text: string): SplitText {
  const ends =
    text.length > HEAD_LENGTH + TAIL_LENGTH ? `${text.slice(0, HEAD_LENGTH)}\n${text.slice(-TAIL_LENGTH)}` : text;
  const part = ends.includes("\u001b") ? ends.replace(ANSI, "") : ends;
  const raw = part.split("\n");
  const hasReturns = part.includes("\r");
  const hasMarks = part.startsWith("==") || part.startsWith("Buildfile: ");
  const lines: string[] = [];
  const starts: number[] = [];
  const skipped = raw.length > MAX_LINES ? raw.length - (MAX_LINES * 3) / 4 : 0;
  let next = 0;
  for (let index = 0; index < raw.length; index += 1) {
    let line = raw[index] ?? "";
    let start = next;
    next += line.length + 1;
    if (index >= MAX_LINES / 4 && index < skipped) {
      continue;
    }
    if (hasReturns) {
      // A progress bar rewrites its line; only the last part is visible.
      const end = line.endsWith("\r") ? line.length - 1 : line.length;
      const visible = line.lastIndexOf("\r", end - 1) + 1;
      line = line.slice(visible, end);
      start += visible;
    }
    if (line.length > MAX_LINE_LENGTH) {
      line = line.slice(0, MAX_LINE_LENGTH);
    }
    if (hasMarks) {
      const mark = markLength(line);
      line = line.slice(mark);
      start += mark;
    }
    const kept = line.charCodeAt(line.length - 1) <= 32 ? line.trimEnd() : line;
    if (kept !== "") {
      lines.push(kept);
      starts.push(start);
    }
  }
  const length = writeBytes(bytes, part);
  bytes[length] = 0;
  return { text, lines, length, starts, cleaned: new Array<string | undefined>(lines.length) };
}

const ANT_TASKS = ["[javac] ", "[java] ", "[junit] ", "[exec] "];

/** Length of what valgrind's tools and Ant's tasks write before each of their lines: `==4711== `, `    [javac] `. */
function markLength(line: string): number {
  const open = line.indexOf("[");
  const task = open === -1 ? undefined : ANT_TASKS.find((mark) => line.startsWith(mark, open));
  const end = line.startsWith("==") ? line.indexOf("== ", 2) : -1;
  return task === undefined ? (Number(line.slice(2, end)) > 0 ? end + "== ".length : 0) : open + task.length;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colors start with the escape character.
const ANSI = /\u001b\[[0-9;?]{0,16}[A-Za-z]/g;

/**
 * Marks before a message: bullets, crosses, box drawings, quotation marks of diffs and of pytest's `E   `, pointers
 * to the line above.
 */
const DECORATION =
  /^(?:[\s>|#*\u2022\u25cf\u2500-\u257f\u2716\u2717\u2718\u00d7\u274c\u2a2f\u2192\u21b3\u26a0\u203c]|\ufe0f|E {2,}|---> |\^-+\^? )+/;

/** Removes marks around a line, and repeated blanks in it. */
export function clean(line: string): string {
  const undecorated = isDecorated(line) ? withoutStep(line).replace(DECORATION, "") : line;
  const ended = undecorated.endsWith("*") ? undecorated.replace(/\*+$/, "") : undecorated;
  // Most lines have single blanks only; replacing each of them costs more than the rest.
  const isSpaced = ended.includes("  ") || ended.includes("\t");
  return (isSpaced ? ended.replace(/[ \t]+/g, " ") : ended).trim();
}

/** Removes the step and the seconds that `docker build` prints before each line: `#7 4.902 error: …`. */
function withoutStep(line: string): string {
  const [step = "", seconds = ""] = line.charCodeAt(0) === 35 ? line.split(" ", 2) : [];
  const isStep = seconds.includes(".") && Number(step.slice(1)) > 0 && Number(seconds) >= 0;
  return isStep ? line.slice(step.length + seconds.length + 2) : line;
}

/** Most lines start with a letter or a digit; only `E   ` of pytest is a mark. */
function isDecorated(line: string): boolean {
  const code = line.charCodeAt(0);
  const isWord = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return !isWord || (code === 69 && line.charCodeAt(1) === 32);
}
