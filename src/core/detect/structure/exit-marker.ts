import { createSignal, type Signal } from "../signal.ts";
import type { TextWindow } from "../text/text-window.ts";

/**
 * `Exit code 3`, `exitcode: 1 (execution failed)`, `[exit status: 2]`, `<returncode>1</returncode>` at a line's start.
 */
const CODE_FIRST =
  /[ \t]*[[(<*`#-]{0,3}[ \t]*(?:exit|return)[ _-]?(?:code|status|value)\b[ \t]*[)>\]*`]{0,3}[ \t]*[:=]?[ \t]*(?:is |was )?\(?(-?\d{1,10})\b(?![ \t]+(?:if|when|for|means|is|or|and)\b)/iy;

/** `Process exited with code 3`, `The command completed with exit code 1.`, `Command failed with status 2`. */
const SENTENCE =
  /[ \t]*[[(<*`#-]{0,3}[ \t]*(?:the )?(?:process|command|script|program|shell|execution|subprocess|task|job|bash|tool)\b[^\n:]{0,60}?\b(?:exited|finished|completed|terminated|failed|ended|returned|exit|done)\b[^\n\d]{0,24}\b(?:code|status)\b[ \t]*[:=]?[ \t]*\(?(-?\d{1,10})\b/iy;

/** `Process running with session ID 4`: the exit code is not known yet. */
const RUNNING =
  /[ \t]*\[?(?:the )?(?:process|command)\b(?:(?: is)?(?: still)? running\b| has no new output after \d)/iy;

const RUNNING_TAG = "<status>running</status>";

/** Everything after this line is the tool's output. */
const OUTPUT_LINE = /[ \t]*(?:output|stdout|stderr|code output|command output|result)[ \t]*:/iy;

/** Headers and footers have few lines. */
const HEADER_LENGTH = 200;
const FOOTER_LENGTH = 200;
const HEADER_LINES = 6;
const FOOTER_LINES = 7;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Finds the exit code that the client printed in its header, or else in its footer. The same text inside the output
 * belongs to the tool.
 */
export function findExitMarker({ text, start, end }: TextWindow, isShell: boolean): Signal | undefined {
  const opening = text.slice(start, Math.min(end, start + HEADER_LENGTH));
  const marker = isShell ? ANY_MARKER : PLAIN_MARKER;
  const possible = marker.test(opening);
  const header = possible ? inHeader(text, start, end) : undefined;
  // Further down than the first line it may belong to the output; the client's own marker is then the last line.
  const lastLine = text.lastIndexOf("\n", end - 1) + 1;
  const isFirst = header !== undefined && (text.indexOf("\n", start) >= header.at || header.at === start);
  const footer =
    header === undefined || isFirst || lastLine <= header.at || hasOutputLine(text, header.at)
      ? undefined
      : markerAt(text, lastLine);
  if (header !== undefined) {
    return footer === undefined ? header : { ...footer, footer: true };
  }
  const footed = end - start <= HEADER_LENGTH ? possible : marker.test(text.slice(end - FOOTER_LENGTH, end));
  return footed ? inFooter(text, start, end) : undefined;
}

/** Whether a client's header goes on below the marker, up to the line that starts the output. */
function hasOutputLine(text: string, at: number): boolean {
  let next = text.indexOf("\n", at) + 1;
  for (let line = 0; line < 3 && next > 0; line += 1) {
    if (matchAt(OUTPUT_LINE, text, next) !== null) {
      return true;
    }
    next = text.indexOf("\n", next) + 1;
  }
  return false;
}

/** Prefilter: every marker contains one of these; most texts contain none. */
const ANY_MARKER = /[Ee]xit|EXIT|ith (?:code|status)|eturn ?code|running|no new output/;

/** For other tools only the plainest form counts. */
const PLAIN_MARKER = /[Ee]xit|returncode/;

function inHeader(text: string, start: number, end: number): Signal | undefined {
  let at = start;
  for (let line = 0; line < HEADER_LINES && at < end; line += 1) {
    // An indented line below others belongs to a listing, not to the client.
    const found = line > 0 && text.charCodeAt(at) <= 32 ? undefined : markerAt(text, at);
    if (found !== undefined) {
      return line > 0 && isLastLine(text, at, end) ? { ...found, footer: true } : found;
    }
    const next = text.indexOf("\n", at);
    if (next === -1 || matchAt(OUTPUT_LINE, text, at) !== null) {
      return undefined;
    }
    // Header lines are short; a long line is output.
    if (next - at > 120 && line > 0) {
      return undefined;
    }
    at = next + 1;
  }
  return undefined;
}

function isLastLine(text: string, at: number, end: number): boolean {
  const next = text.indexOf("\n", at);
  return next === -1 || next >= end;
}

function inFooter(text: string, start: number, end: number): Signal | undefined {
  let stop = end;
  for (let line = 0; line < FOOTER_LINES && stop > start; line += 1) {
    const before = text.lastIndexOf("\n", stop - 1);
    const at = Math.max(start, before + 1);
    if (at < stop) {
      const listed = stop !== end && text.charCodeAt(at) <= 32;
      const found = listed ? undefined : markerAt(text, at);
      if (found !== undefined) {
        return { ...found, footer: true };
      }
    } else {
      line -= 0.5; // blank lines count half: one or two often precede a footer
    }
    if (before < start) {
      return undefined;
    }
    stop = before;
  }
  return undefined;
}

function markerAt(text: string, at: number): Signal | undefined {
  const match = matchAt(CODE_FIRST, text, at) ?? matchAt(SENTENCE, text, at);
  if (match !== null) {
    const code = Number(match[1]);
    return exitSignal(code, at, match[0].trim());
  }
  if (text.startsWith(RUNNING_TAG, at)) {
    return createSignal("open", "still-running", at, RUNNING_TAG, 0.9, { final: true });
  }
  const running = matchAt(RUNNING, text, at);
  return running === null
    ? undefined
    : createSignal("open", "still-running", at, running[0].trim(), 0.9, { final: true });
}

/** What an exit code says; `at` is -1 if it is not in the text. */
export function exitSignal(code: number, at: number, words: string): Signal {
  return code === 0
    ? createSignal("success", "exit-status", at, words, 0.95, { stated: true, exitCode: 0 })
    : createSignal("failure", "exit-status", at, words, 0.95, { stated: true, exitCode: code, phase: "run" });
}
