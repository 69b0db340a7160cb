import { createSignal, type Signal } from "../signal.ts";
import { lineAt } from "./first-line-rules.ts";
import { LINE_RULES } from "./output-table.ts";
import { candidateRules, wordTriggers } from "./rule-prefilter.ts";
import type { TextWindow } from "./text-window.ts";

const TRIGGERS = wordTriggers(LINE_RULES.map(({ begins }) => begins));

/** Number of last lines that are searched: programs print the result last, and a few hints may follow. */
const LAST_LINES = 14;

/** Rules that apply to a line, by its number from the end. */
const REACHING = Array.from({ length: LAST_LINES + 1 }, (_, line) =>
  LINE_RULES.reduce((bits, { within }, index) => (within >= line ? bits | (1 << index) : bits), 0),
);

/** Number of last characters that are searched. */
const TAIL_LENGTH = 640;

/** Number of last lines that are searched if nothing hints at a result further up. */
const FEW_LINES = 2;

/** A line names its failure early; longer lines are data or prose. */
const LINE_START = 110;

/** Blocks that mean a crash anywhere in a program's output: stderr is often printed before stdout. */
const TRACEBACK = "Traceback (most recent call last)";

/** The exception line of a traceback: the first line after the header that starts with a name in the first column. */
const EXCEPTION_LINE = /^(?:[A-Za-z_][\w.]{0,120})(?::[^\n]{0,300})?$/m;

/** Finds a Python traceback with the line that names the exception. */
export function findTraceback(window: TextWindow): Signal | undefined {
  const { text, start, end } = window;
  let at = text.indexOf(TRACEBACK, start);
  // In the middle of a line it is a quotation.
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
  // Indented, or after a short label such as `stderr: `.
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

/** Finds the line among the last ones that reports a failure, by the strongest matching rule. */
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
      // Further up, only lines with an explicit failure word are worth a full check.
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

/** A source location and a message: the format of compilers and linters. */
const PLACE =
  /[^\s:()'"]{1,200}\.[A-Za-z]{1,6}:\d{1,7}:\d{1,7}: (?!\[?(?:warning|note|info|remark|hint|debug|trace|suggestion|W\d)|\d)\S/y;

function findPlace(text: string, at: number, end: number): Signal | undefined {
  // Fast path: nearly every line is decided by its first colon.
  const digit = text.charCodeAt(text.indexOf(":", at) + 1);
  PLACE.lastIndex = at;
  return digit > 47 && digit < 58 && PLACE.test(text)
    ? createSignal("failure", "output-place", at, lineAt(text, at, end), 0.72, { category: "build_failure" })
    : undefined;
}

const TELLS = /rror|ERR|[Ff]ail|FAIL|atal|panic|\*\*\*|trace|CONFLICT|bort|ndefined|ategoryInfo|ot found|exit/;

/** Compilers and test runners print hints after the result; all other programs end with it. */
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
 * A logger's prefix, as in `[INFO] BUILD FAILURE`. Only final results count there, because logs mention many failures.
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
