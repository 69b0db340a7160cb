import { RANK, rankLine } from "../reason/line-rank.ts";
import { EXCEPTION, labelAt } from "../reason/severity-words.ts";
import { createSignal, type Signal } from "../signal.ts";
import type { TextWindow } from "./text-window.ts";
import { isGoodEnd } from "./traceback.ts";

/** Lines at the end of an output in which the error is searched, and those that may follow it without an indent. */
const LAST_LINES = 12;
const MAX_FOLLOWING = 3;
const MAX_LINE = 300;

/** In an error that a program does not give up on. */
const AGAIN = ["retry", "attempt"];

/**
 * Finds the error that a program's output ends with: a line from the first column on that is labeled as an error or
 * names an exception. Below it are only remarks: hints, indented lines, a few sentences. A program that goes on prints
 * more, or says how it ended. A single line is left to its wording.
 */
export function findClosingError({ text, start, end }: TextWindow, programs: readonly string[]): Signal | undefined {
  let stop = end;
  let following = 0;
  for (let count = 0; count < LAST_LINES && stop > start; count += 1) {
    const at = Math.max(start, text.lastIndexOf("\n", stop - 1) + 1);
    const line = withoutMark(text.slice(at, Math.min(stop, at + MAX_LINE)).trimEnd());
    if (startsColumn(line)) {
      if (isError(line, programs, count)) {
        return at === start || isDoneAbove(text, start, at)
          ? undefined
          : createSignal("failure", "closing-error", at, line, 0.85);
      }
      following += labelAt(line, 0)?.sense === "lesser" ? 0 : 1;
      if (following > MAX_FOLLOWING || isGoodEnd(line)) {
        return undefined;
      }
    }
    stop = at - 1;
  }
  return undefined;
}

/** Whether the program says right above the error that it is done: what follows is an afterthought. */
function isDoneAbove(text: string, start: number, at: number): boolean {
  const line = text.slice(Math.max(start, text.lastIndexOf("\n", at - 2) + 1, at - MAX_LINE), at - 1);
  return line.startsWith("Success") && isGoodEnd(line);
}

/** Signs before a label: `✘ [ERROR] …`, `× Error: …`. */
const MARKS = "\u2716\u2717\u2718\u274c\u2a2f\u00d7!";

function withoutMark(line: string): string {
  return line !== "" && MARKS.includes(line.charAt(0)) && line.slice(1, 3).includes(" ") ? line.slice(2).trim() : line;
}

/** Whether a line starts with a letter, or a label in brackets, in the first column. */
function startsColumn(line: string): boolean {
  return /^\p{L}/u.test(line) || (line.startsWith("[") && labelAt(line, 0)?.sense === "error");
}

/** The value of a field that there is no error: `Errors: none in 12 files`. */
const NOTHING = new Set(["none", "no", "0", "null", "false"]);

/** Below the complaint of any program at most one line may follow: loops go on after it. */
const MAX_BELOW_COMPLAINT = 1;

function isError(line: string, programs: readonly string[], below: number): boolean {
  const label = labelAt(line, 0);
  // `DeprecationWarning: …` has the form of an exception.
  if (label === undefined || label.word.endsWith("warning") || AGAIN.some((word) => line.includes(word))) {
    return false;
  }
  if (label.sense === "error") {
    const rest = line.slice(label.end).trim();
    return rest.includes(" ") && !NOTHING.has(rest.slice(0, rest.indexOf(" ")).toLowerCase());
  }
  if (EXCEPTION.test(line)) {
    return true;
  }
  const rank = below <= MAX_BELOW_COMPLAINT || label.word === CAUSE ? rankLine(line, programs) : 0;
  return rank >= RANK.exception || rank === RANK.systemComplaint;
}
const CAUSE = "caused by";
