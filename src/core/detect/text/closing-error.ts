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

/** Labels of a remark about the error above it. Below a warning or an info the program went on. */
const REMARKS = new Set("hint help note notes tip suggestion hinweis remarque nota conseil".split(" "));

/**
 * Finds the error that a program's output ends with: a line from the first column on that is labeled as an error or
 * names an exception. Below it are only remarks: hints, indented lines, a few sentences. A program that goes on prints
 * more, or says how it ended. A single line is left to its wording.
 */
export function findClosingError({ text, start, end }: TextWindow, programs: readonly string[]): Signal | undefined {
  let stop = end;
  const following: string[] = [];
  for (let count = 0; count < LAST_LINES && stop > start; count += 1) {
    const at = Math.max(start, text.lastIndexOf("\n", stop - 1) + 1);
    const line = withoutMark(text.slice(at, Math.min(stop, at + MAX_LINE)).trimEnd());
    if (startsColumn(line)) {
      if (isError(line, programs, count)) {
        const above = text.slice(
          Math.max(start, text.lastIndexOf("\n", at - 2) + 1, at - MAX_LINE),
          Math.max(start, at - 1),
        );
        // What follows a success is an afterthought.
        const isDone = above.startsWith("Success") && isGoodEnd(above);
        return at === start || isDone || isListed(above, line) || following.some((next) => goesOn(above, next))
          ? undefined
          : createSignal("failure", "closing-error", at, line, 0.85);
      }
      const label = labelAt(line, 0);
      if (label === undefined || !REMARKS.has(label.word)) {
        following.push(line);
      }
      if (
        following.length > MAX_FOLLOWING ||
        isGoodEnd(line) ||
        (label?.sense === "lesser" && !REMARKS.has(label.word))
      ) {
        return undefined;
      }
    }
    stop = at - 1;
  }
  return undefined;
}

/** Whether the line above names another exception: a list of them. */
function isListed(above: string, line: string): boolean {
  return EXCEPTION.test(line) && EXCEPTION.test(above) && labelAt(line, 0)?.word !== labelAt(above, 0)?.word;
}

/** Whether a line below the error continues what the program did above it: `applying 2`, an error, `applying 3`. */
function goesOn(above: string, next: string): boolean {
  const word = above.slice(0, above.indexOf(" "));
  return word.length > 2 && next.startsWith(`${word} `);
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

/** The value of a field that there is no error: `Errors: none in 12 files`. A number is a measure or a count. */
const NOTHING = new Set(["none", "no", "null", "false"]);

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
    const [first = ""] = rest.toLowerCase().split(" ", 1);
    return rest.includes(" ") && !NOTHING.has(first) && !Number.isFinite(Number(first));
  }
  if (EXCEPTION.test(line)) {
    return true;
  }
  const rank = below <= MAX_BELOW_COMPLAINT || label.word === CAUSE ? rankLine(line, programs) : 0;
  return rank >= RANK.exception || rank === RANK.systemComplaint;
}
const CAUSE = "caused by";
