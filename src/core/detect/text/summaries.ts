import type { Category } from "../../model/outcome.ts";
import { reportsFailure } from "../reason/hints.ts";
import { TABLE_ROW } from "../reason/line-rank.ts";
import { createSignal, type Signal } from "../signal.ts";
import { categoryOfCounts, countFailures, hasFailures, withoutDrawing } from "./counts.ts";
import { lineAt, type TextWindow } from "./text-window.ts";

/** Summaries of test runners with at least one failure. */
const TESTS_FAILED =
  /^[ \t#]{0,12}(?:FAILED \((?:failures|errors)=|test result: FAILED|--- FAIL: |FAIL(?:\s+\S+)?$|FAILURES!|not ok \d|(?:\u2139 )?fail [1-9]|Tests run: \d+, Failures: [1-9])/;

/** Maven writes it before every line of an error. */
const MAVEN_LABEL = "[ERROR] ";

/** Closing lines of builds that failed. */
const BUILD_FAILED =
  /^(?:\[\w{4,7}\] )?(?:FAILURE: )?(?:B(?:UILD|uild) (?:FAIL(?:ED|URE)|failed)|make(?:\[\d+\])?: (?:\*\*\* |Target .{1,80} not remade)|ninja: build stopped|error: could not compile|Failed to compile|[Cc]ompilation failed|Found [1-9]\d* errors?\b|\[ERROR\] Failed to execute goal)/;

/** Lines at the end of an output in which a summary is searched. */
const LAST_LINES = 24;
const MAX_LINE = 200;
const TAIL_LENGTH = 1600;

/** Visual Studio Code counts above the failed tests: `<summary passed=9 failed=2 />`. */
const VSCODE_SUMMARY = "<summary passed=";
const VSCODE_FAILED = " failed=";

/** Finds the summary of a test runner or a build that failed, near the end of a program's output. */
export function findSummary({ text, start, end }: TextWindow): Signal | undefined {
  const counted = text.startsWith(VSCODE_SUMMARY, start) ? lineAt(text, start, end) : "";
  if (counted.includes(VSCODE_FAILED) && !counted.includes(`${VSCODE_FAILED}0`)) {
    return createSignal("failure", "summary", start, counted, 0.9, { category: "test_failure" });
  }
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
  /^(?:=+ )?[1-9]\d* (?:tests? )?passed\b|^ {1,3}[1-9]\d* pass(?:ing)?\b|^OK(?: \(.{0,60}\))?$|^test result: ok\.|^ {0,8}Tests?:? .{0,60}\b\d+ passed\b/;
/** Go prints a line for each package. */
const GO_PASSED = ["ok  \t", "?   \t"];
const ALL_PASSED = ["ok", "PASS"];
/** What test runners and builds print when everything went well. */
const ALL_WELL = ["BUILD SUCCESS", "All tests passed", "100% tests passed"];
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
      return !text.slice(Math.max(start, at - 400), at).includes(STOPPED) && !hasFailures(lineBefore(text, start, at));
    } else if (line.includes("FAIL") || (reportsFailure(line) && countFailures(line.toLowerCase()) !== 0)) {
      return false;
    }
    stop = at - 1;
  }
  return isRecap;
}

function lineBefore(text: string, start: number, at: number): string {
  return text.slice(Math.max(start, text.lastIndexOf("\n", at - 2) + 1, at - MAX_CLOSING), Math.max(start, at - 1));
}

/** With lines below it, only a line that says that all passed counts. */
function isClean(line: string, hasLinesAbove: boolean, hasLinesBelow: boolean): boolean {
  const hasPassed =
    hasLinesAbove &&
    (TESTS_PASSED.test(line) ||
      ALL_PASSED.includes(line) ||
      GO_PASSED.some((start) => line.startsWith(start)) ||
      ALL_WELL.some((words) => line.includes(words)));
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
  const category = countAfter(line, CHECKED) > 0 ? "test_failure" : categoryOfSummary(line);
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
  const counted = categoryOfCounts(line);
  if (counted !== undefined) {
    return counted;
  }
  const bare = withoutDrawing(line);
  if (bare.startsWith("TEST FAILED")) {
    return "test_failure";
  }
  // A linter's table aligns its columns; a log has one blank between time and level.
  const isErrorRow = line.includes("  error ") && TABLE_ROW.test(line);
  if (isErrorRow || BUILD_FAILED.test(line) || BUILD_FAILED.test(bare)) {
    return "build_failure";
  }
  return line.includes(" hunk") && line.includes(" FAILED") ? "precondition" : undefined;
}

/** The tools of valgrind close their report with it. */
const CHECKED = "ERROR SUMMARY: ";

/** The number behind a label of ansible's recap: `unreachable=1    failed=0`. */
function countAfter(line: string, label: string): number {
  const at = line.indexOf(label);
  return at === -1 ? 0 : Number.parseInt(line.slice(at + label.length), 10) || 0;
}

/** Cheap test before the patterns. */
const MAY_MATCH = /ail|FAIL|rror|not ok|\*\*\*|stopped|could not|!!!/;
