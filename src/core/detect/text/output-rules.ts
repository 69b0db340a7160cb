import { createSignal, type Signal } from "../signal.ts";
import { lineAt } from "./first-line-rules.ts";
import { LINE_RULES } from "./output-table.ts";
import { candidateRules, wordTriggers } from "./rule-prefilter.ts";
import type { TextWindow } from "./text-window.ts";

const TRIGGERS = wordTriggers(LINE_RULES.map(({ begins }) => begins));

/** Lines from the end that are looked at: programs put the verdict last, a few words of advice may follow. */
const LAST_LINES = 14;

/** The rules that reach a line, by its number from the end. */
const REACHING = Array.from({ length: LAST_LINES + 1 }, (_, line) =>
  LINE_RULES.reduce((bits, { within }, index) => (within >= line ? bits | (1 << index) : bits), 0),
);

/** Characters from the end that are looked at. */
const TAIL_LENGTH = 640;

/** … and where nothing hints at a verdict further up. */
const FEW_LINES = 2;

/** A line tells its failure early; longer lines are data or prose. */
const LINE_START = 110;

/** Blocks that mean a crash wherever they stand in a program's output: stderr is often printed before stdout. */
const TRACEBACK = "Traceback (most recent call last)";

/** The exception line of a traceback: the first line behind the header that starts in the first column with a name. */
const EXCEPTION_LINE = /^(?:[A-Za-z_][\w.]{0,120})(?::[^\n]{0,300})?$/m;

/** A Python traceback, with the line that names the exception. */
export function findTraceback(window: TextWindow): Signal | undefined {
  const { text, start, end } = window;
  let at = text.indexOf(TRACEBACK, start);
  // Quoted in the middle of a line it is somebody's text about a traceback.
  while (at > start && !startsLine(text, at)) {
    at = text.indexOf(TRACEBACK, at + TRACEBACK.length);
  }
  if (at === -1) {
    return findBareSyntaxError(window);
  }
  const body = text.slice(at + TRACEBACK.length + 2, Math.min(end, at + 20_000));
  const exception = EXCEPTION_LINE.exec(body);
  const words = exception === null ? lineAt(text, at, end) : exception[0].slice(0, 400);
  return createSignal("failure", "traceback", at, words, 0.9);
}

function startsLine(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (before === 10) {
    return true;
  }
  // Indented or behind a short prompt such as `stderr: `.
  const line = text.slice(Math.max(0, text.lastIndexOf("\n", at - 1) + 1, at - 24), at);
  return /^(?:\s*|[\w .[\]-]{0,20}: ?)$/.test(line);
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

/** The line among the last ones that tells a failure; the strongest rule that matches. */
export function findLastLines({ text, start, end }: TextWindow): Signal | undefined {
  const floor = Math.max(start, end - TAIL_LENGTH);
  const lines = tellsBelow(text.slice(floor, end)) ? LAST_LINES : FEW_LINES;
  let best: Signal | undefined;
  let stop = end;
  for (let seen = 0; seen < lines && stop > floor; ) {
    const newline = text.lastIndexOf("\n", stop - 1);
    const at = Math.max(floor, newline + 1);
    if (stop > at) {
      seen += 1;
      const line = text.slice(at, stop);
      // Further up only lines that speak of a failure outright are worth the look at every word.
      const called =
        seen > FEW_LINES && !TELLS.test(line)
          ? 0
          : candidateRules(TRIGGERS, text, at, Math.min(stop, at + LINE_START)) & (REACHING[seen] ?? 0);
      const found =
        called === 0 ? undefined : (lineFinding(text, line, at, called) ?? behindLevel(text, line, at, called));
      if (found !== undefined && (best === undefined || found.confidence > best.confidence)) {
        best = found;
      }
    }
    if (newline < floor) {
      break;
    }
    stop = newline;
  }
  return best ?? findPlace(text, Math.max(floor, text.lastIndexOf("\n", end - 1) + 1), end);
}

/** A place in a source file and a complaint: how compilers and linters of all languages end. */
const PLACE =
  /[^\s:()'"]{1,200}\.[A-Za-z]{1,6}:\d{1,7}:\d{1,7}: (?!\[?(?:warning|note|info|remark|hint|debug|trace|suggestion|W\d)|\d)\S/y;

function findPlace(text: string, at: number, end: number): Signal | undefined {
  // Nearly every last line is done after a look at its first colon.
  const digit = text.charCodeAt(text.indexOf(":", at) + 1);
  PLACE.lastIndex = at;
  return digit > 47 && digit < 58 && PLACE.test(text)
    ? createSignal("failure", "output-place", at, lineAt(text, at, end), 0.72, { category: "build_failure" })
    : undefined;
}

const TELLS = /rror|ERR|[Ff]ail|FAIL|atal|panic|\*\*\*|trace|CONFLICT|bort|ndefined|ategoryInfo|ot found|exit/;

/** Compilers and test runners put their verdict above a few lines of advice; everybody else ends with it. */
function tellsBelow(tail: string): boolean {
  return (
    tail.includes("rror") ||
    tail.includes("fatal") ||
    tail.includes("ailed") ||
    tail.includes("FAIL") ||
    tail.includes("ERR")
  );
}

/**
 * `[INFO] BUILD FAILURE`: what a logger puts before the line of the program. Only a verdict counts there, for logs tell
 * much.
 */
const LEVEL = /^\[(?:info|notice|warn(?:ing)?|err(?:or)?|fatal|severe|critical)\s?\]:? /i;
const VERDICT = 0.85;

function behindLevel(text: string, line: string, at: number, called: number): Signal | undefined {
  const level = line.charCodeAt(0) === 91 ? LEVEL.exec(line) : null;
  const found =
    level === null ? undefined : lineFinding(text, line.slice(level[0].length), at + level[0].length, called);
  return found !== undefined && found.confidence >= VERDICT ? found : undefined;
}

function lineFinding(text: string, line: string, at: number, called: number): Signal | undefined {
  for (let left = called; left !== 0; left &= left - 1) {
    const rule = LINE_RULES[31 - Math.clz32(left & -left)];
    if (rule !== undefined && (rule.needs === undefined || line.includes(rule.needs))) {
      rule.pattern.lastIndex = at;
      if (rule.pattern.test(text)) {
        return createSignal("failure", `output-${rule.id}`, at, line.slice(0, 500).trim(), rule.confidence, rule);
      }
    }
  }
  return undefined;
}
