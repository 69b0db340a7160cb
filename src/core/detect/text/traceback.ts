import { isFrame } from "../reason/line-rank.ts";
import { createSignal, type Signal } from "../signal.ts";
import { lineAt, type TextWindow } from "./text-window.ts";

/** Blocks that mean a crash anywhere in a program's output: stderr is often printed before stdout. */
export const TRACEBACK = "Traceback (most recent call last)";

/** The exception line of a traceback: the first line after the header that starts with a name in the first column. */
const EXCEPTION_LINE = /^(?:[A-Za-z_][\w.]{0,120})(?::[^\n]{0,300})?$/m;

/** Position of the first traceback, or -1. */
function tracebackAt({ text, start, end }: TextWindow): number {
  let at = text.indexOf(TRACEBACK, start);
  // In the middle of a line it is a quotation.
  while (at > start && !startsLine(text, at)) {
    at = text.indexOf(TRACEBACK, at + TRACEBACK.length);
  }
  return at < end ? at : -1;
}

/** Finds a Python traceback with the line that names the exception. */
export function findTraceback(window: TextWindow): Signal | undefined {
  const { text, end } = window;
  const at = tracebackAt(window);
  if (at === -1) {
    return findUncaught(window) ?? findBareSyntaxError(window);
  }
  const body = text.slice(at + TRACEBACK.length + 2, Math.min(end, at + 20_000));
  const exception = EXCEPTION_LINE.exec(body);
  const words = exception === null ? TRACEBACK : exception[0].slice(0, 400);
  return createSignal("failure", "traceback", at, words, 0.9);
}

/** How runtimes start the report of an exception that ended the program. */
const UNCAUGHT = [
  'Exception in thread "main" ',
  "Unhandled exception. ",
  "Uncaught Exception: ",
  "Fatal error: Uncaught ",
];

/** Characters at the end of an output in which such a report starts. */
const REPORT_LENGTH = 8000;

/** Finds an exception of another language by its first line, with a frame below it. */
function findUncaught({ text, start, end }: TextWindow): Signal | undefined {
  for (const words of UNCAUGHT) {
    const at = text.indexOf(words, Math.max(start, end - REPORT_LENGTH));
    const frame = text.indexOf("\n", at) + 1;
    const isReport = at >= start && startsLine(text, at) && frame > at && isFrame(lineAt(text, frame, end));
    if (isReport) {
      return createSignal("failure", "traceback", at, lineAt(text, at, end), 0.9);
    }
  }
  return undefined;
}

/** Whether a traceback was only logged: its header follows a log line, and the program went on to say that it is done. */
export function isLoggedTraceback(window: TextWindow): boolean {
  const { text, start, end } = window;
  const at = tracebackAt(window);
  const last = text.slice(Math.max(at, text.lastIndexOf("\n", end - 1) + 1), end).slice(0, 300);
  return at !== -1 && isLogged(text, start, at) && isGoodEnd(last);
}

function startsLine(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (before === 10) {
    return true;
  }
  // Indented, or after a short label such as `stderr: `.
  const line = text.slice(Math.max(0, text.lastIndexOf("\n", at - 1) + 1, at - 24), at);
  return /^(?:\s*|[\w .[\]-]{0,20}: ?)$/.test(line);
}

const LOG_LEVELS = ["ERROR", "WARN", "CRITICAL", "INFO", "DEBUG", "error", "warning"];

function isLogged(text: string, start: number, at: number): boolean {
  const line = text.slice(Math.max(start, text.lastIndexOf("\n", at - 2) + 1), at);
  const head = line.slice(0, 200);
  return LOG_LEVELS.some((level) => head.includes(level));
}

const GOOD_END =
  /\b(?:succe\w+|completed?|passed|finished|done|ready|loaded|recovered|retr\w+ ok|0 (?:error|fail)\w*)\b/i;

/** Whether a program says with this line that it is done. */
export function isGoodEnd(line: string): boolean {
  return GOOD_END.test(line) && !/\b(?:not|never|fail|error)/i.test(line.replace(/\b0 \w+/, ""));
}

/** `File "x.py", line 1` … `SyntaxError:` without the header, as the Python compiler prints it. */
function findBareSyntaxError({ text, start, end }: TextWindow): Signal | undefined {
  if (!text.startsWith('File "', start)) {
    return undefined;
  }
  const match = /^(?:\w{0,40}Error|\w{0,40}Exception): [^\n]{0,300}/m.exec(
    text.slice(start, Math.min(end, start + 3000)),
  );
  return match === null ? undefined : createSignal("failure", "traceback-bare", start + match.index, match[0], 0.9);
}
