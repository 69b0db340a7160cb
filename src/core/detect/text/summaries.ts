import type { Category } from "../../model/outcome.ts";
import { reportsFailure } from "../reason/hints.ts";
import { TABLE_ROW } from "../reason/line-rank.ts";
import { createSignal, type Signal } from "../signal.ts";
import { lineAt, type TextWindow } from "./text-window.ts";

/** Summaries of test runners with at least one failure. */
const TESTS_FAILED =
  /^[ \t#]{0,12}(?:FAILED \((?:failures|errors)=|test result: FAILED|--- FAIL: |FAIL(?:\s+\S+)?$|FAILURES!|not ok \d|(?:fail|\u2139 fail) [1-9]|Tests run: \d+, Failures: [1-9])/;

/** What test runners count besides failures, and linters besides errors. */
const TESTED = ["pass", "test", "spec", "example", "scenario", "assertion", "skipped", "runs", "xfail"];
const LINTED = ["warning", "problem"];

/** Maven writes it before every line of an error. */
const MAVEN_LABEL = "[ERROR] ";

/** Closing lines of builds that failed. */
const BUILD_FAILED =
  /^(?:\[\w{4,7}\] )?(?:FAILURE: )?(?:B(?:UILD|uild) (?:FAIL(?:ED|URE)|failed)|make(?:\[\d+\])?: (?:\*\*\* |Target .{1,80} not remade)|ninja: build stopped|error: could not compile|Failed to compile|[Cc]ompilation failed|Found [1-9]\d* errors?\b|\[ERROR\] Failed to execute goal)/;

/** Lines at the end of an output in which a summary is searched. */
const LAST_LINES = 24;
const MAX_LINE = 200;
const TAIL_LENGTH = 1600;

/** Finds the summary of a test runner or a build that failed, near the end of a program's output. */
export function findSummary({ text, start, end }: TextWindow): Signal | undefined {
  // Most outputs end without any of these words.
  if (!MAY_MATCH.test(text.slice(Math.max(start, end - TAIL_LENGTH), end))) {
    return undefined;
  }
  let stop = end;
  let build: Signal | undefined;
  for (let line = 0; line < LAST_LINES && stop > start; ) {
    const at = Math.max(start, text.lastIndexOf("\n", stop - 1) + 1);
    if (stop > at) {
      line += 1;
      const signal = summaryAt(text, at, Math.min(stop, at + MAX_LINE));
      if (signal !== undefined && signal.category !== "build_failure") {
        return signal;
      }
      build ??= signal;
    }
    stop = at - 1;
  }
  // Failed tests are the reason of a failed build, and above its closing line.
  return build;
}

/** pytest writes why it stopped before the last test between such marks. */
const STOPPED = "\n!!!!!!!!";

/** Lines of test runs without a failure, and what may stand below them. */
const TESTS_PASSED =
  /^(?:=+ )?[1-9]\d* (?:tests? )?passed\b|^OK(?: \(.{0,60}\))?$|^test result: ok\.|^ {0,8}Tests?:? .{0,60}\b\d+ passed\b/;
/** Go prints a line for each package. */
const GO_PASSED = ["ok  \t", "?   \t"];
const ALL_PASSED = ["ok", "PASS"];
/** Last lines of builds that succeeded. */
const BUILD_PASSED = ["BUILD SUCCESS", "All tests passed", "100% tests passed"];
/** Lines at the end of an output in which a summary without failures is searched. */
const MAX_BELOW = 8;
const MAX_CLOSING = 120;

/**
 * Whether a test runner or a build says at last that everything passed, or counts failures and found none: errors above
 * it were handled or expected.
 */
export function endsClean({ text, start, end }: TextWindow): boolean {
  let stop = end;
  let isRecap = false;
  for (let below = 0; below <= MAX_BELOW && stop > start; below += 1) {
    const at = Math.max(start, text.lastIndexOf("\n", stop - 1) + 1);
    const line = stop - at > MAX_CLOSING && !isHostRecap(text.slice(at, stop)) ? "" : text.slice(at, stop);
    if (isHostRecap(line)) {
      if (hostFailures(line) > 0) {
        return false;
      }
      isRecap = true;
    } else if (isRecap) {
      return true;
    } else if (isClean(line, at > start, below > 0)) {
      return (
        !text.slice(Math.max(start, at - 400), at).includes(STOPPED) && !countsFailures(lineBefore(text, start, at))
      );
    } else if (line.includes("FAIL") || reportsFailure(line)) {
      return false;
    }
    stop = at - 1;
  }
  return isRecap;
}

function lineBefore(text: string, start: number, at: number): string {
  return text.slice(Math.max(start, text.lastIndexOf("\n", at - 2) + 1, at - MAX_CLOSING), Math.max(start, at - 1));
}

function countsFailures(line: string): boolean {
  return DIGIT.test(line) && (countFailures(line.toLowerCase()) ?? 0) > 0;
}

/** With lines below it, only a line that says that all passed counts. */
function isClean(line: string, hasLinesAbove: boolean, hasLinesBelow: boolean): boolean {
  const hasPassed =
    hasLinesAbove &&
    (TESTS_PASSED.test(line) ||
      ALL_PASSED.includes(line) ||
      GO_PASSED.some((start) => line.startsWith(start)) ||
      BUILD_PASSED.some((words) => line.includes(words)));
  if (!hasPassed && (hasLinesBelow || !line.includes("0"))) {
    return false;
  }
  const failures = countFailures(line.toLowerCase());
  return failures === 0 || (hasPassed && failures === undefined);
}

/** A line of ansible's recap. */
function isHostRecap(line: string): boolean {
  return line.includes("unreachable=");
}

function hostFailures(line: string): number {
  return countAfter(line, "unreachable=") + countAfter(line, " failed=");
}

/** Stems of the words that are counted, in the languages of the laboratory. */
const COUNTED =
  "fail error erreur fehler fallo errore erro \u043e\u0448\u0438\u0431 \u30a8\u30e9\u30fc \u5931\u6557 \u9519\u8bef \u5931\u8d25 \uc624\ub958 \uc2e4\ud328".split(
    " ",
  );

const DIGIT = /\d/;
/** Between the counts of a summary, and what programs draw around it. */
const BETWEEN_COUNTS = /[,;()|\u00b7\u2022]|\. | and /;
const DRAWN = /^[=\s\u2716\u2717\u00d7#*-]+|[=\s.]+$/g;
/** Words of a count with its label and a duration: `Tests: 1 failed`, `1 warning in 0.34s`. */
const MAX_COUNT_WORDS = 6;
const MAX_PART_WORDS = 10;
/** Behind a duration in brackets. */
const UNIT = " seconds";

/** The sum of numbers beside words of failures: `10 tests, 0 failures`, `errors: 0`. Undefined without such a number. */
function countFailures(line: string): number | undefined {
  let sum: number | undefined;
  let isOther = false;
  // A number belongs to the word after it, or to the label before it.
  for (const part of line.split(BETWEEN_COUNTS)) {
    const words = wordsOf(part);
    if (words.some(isCounted)) {
      const count = countIn(words);
      isOther ||= count === undefined;
      sum = count === undefined ? sum : (sum ?? 0) + count;
    }
  }
  return isOther ? Number.NaN : sum;
}

/** Whether a word counts failures: `xfailed` counts expected ones. */
function isCounted(word: string): boolean {
  return COUNTED.some((stem) => word.startsWith(stem));
}

function wordsOf(part: string): readonly string[] {
  return part.replace(DRAWN, "").replaceAll("=", ": ").split(/\s+/);
}

/** The number of `0 failures`, `errors: 0` or `Tests: 1 failed`. */
function countIn(words: readonly string[]): number | undefined {
  const label = words.at(-2) ?? "";
  const isLabeled = label.endsWith(":") || label.endsWith("\uff1a");
  const number = isLabeled
    ? words.at(-1)
    : words.find((word) => DIGIT.test(word.charAt(0)) && Number.isInteger(Number(word)));
  const count = words.length < 2 || words.length > MAX_COUNT_WORDS ? Number.NaN : Number(number);
  return Number.isInteger(count) ? count : undefined;
}

/** What a line that is nothing but counts, with one of failures, counts: `1 failed, 7 passed in 0.34s`. */
function countedFailures(line: string): "test_failure" | "build_failure" | undefined {
  if (!DIGIT.test(line)) {
    return undefined;
  }
  const lower = line.toLowerCase();
  const parts = lower.split(BETWEEN_COUNTS).filter((part) => part.replace(DRAWN, "") !== "");
  if (!parts.every((part) => (DIGIT.test(part) || part === UNIT) && wordsOf(part).length <= MAX_PART_WORDS)) {
    return undefined;
  }
  const failures = parts.length > 1 || isBare(lower) ? countFailures(lower) : undefined;
  if (failures === undefined || !(failures > 0)) {
    return undefined;
  }
  const words = wordsOf(lower);
  const counts = (stems: readonly string[]): boolean =>
    words.some((word) => stems.some((stem) => word.startsWith(stem)));
  return parts.length === 1 || counts(TESTED) ? "test_failure" : counts(LINTED) ? "build_failure" : undefined;
}

/** `2 failing`, `1 test failed`, `=== 1 error in 0.12s ===`. */
function isBare(line: string): boolean {
  const words = wordsOf(line);
  return (
    line.startsWith("==") || (words.length <= 3 && Number(words[0]) > 0 && words.at(-1)?.startsWith("fail") === true)
  );
}

function summaryAt(text: string, at: number, stop: number): Signal | undefined {
  const line = text.slice(at, stop);
  // Most lines contain none of the words.
  if (!MAY_MATCH.test(line) && !isHostRecap(line)) {
    return undefined;
  }
  if (line.startsWith(STOPPED.trim()) && line.endsWith("!")) {
    const category = line.includes("KeyboardInterrupt") ? "cancelled" : "test_failure";
    return createSignal("failure", "summary", at, line.replaceAll("!", "").trim(), 0.9, { category });
  }
  if (isHostRecap(line) && hostFailures(line) > 0) {
    return createSignal("failure", "summary", at, line, 0.9);
  }
  const category = categoryOfSummary(line);
  return category === undefined
    ? undefined
    : createSignal("failure", "summary", at, lineAt(text, at, stop), 0.9, { category });
}

function categoryOfSummary(line: string): Category | undefined {
  // `Found 3 errors (3 fixed, 0 remaining).`
  if (line.includes(" 0 remaining")) {
    return undefined;
  }
  if (TESTS_FAILED.test(line.startsWith(MAVEN_LABEL) ? line.slice(MAVEN_LABEL.length) : line)) {
    return "test_failure";
  }
  const counted = countedFailures(line);
  if (counted !== undefined) {
    return counted;
  }
  const bare = line.replace(DRAWN, "");
  if (bare.startsWith("TEST FAILED")) {
    return "test_failure";
  }
  if (BUILD_FAILED.test(line) || BUILD_FAILED.test(bare) || isErrorRow(line)) {
    return "build_failure";
  }
  return line.includes(" hunk") && line.includes(" FAILED") ? "precondition" : undefined;
}

/** The number behind a label of ansible's recap: `unreachable=1    failed=0`. */
function countAfter(line: string, label: string): number {
  const at = line.indexOf(label);
  return at === -1 ? 0 : Number.parseInt(line.slice(at + label.length), 10) || 0;
}

/** A linter's table aligns its columns; a log has one blank between time and level. */
function isErrorRow(line: string): boolean {
  return line.includes("  error ") && TABLE_ROW.test(line);
}

/** Cheap test before the patterns. */
const MAY_MATCH = /ail|FAIL|rror|not ok|\*\*\*|stopped|could not|!!!/;
