/** What test runners count besides failures, and linters besides errors. */
const TESTED = ["pass", "test", "spec", "example", "scenario", "assertion", "skipped", "runs", "xfail"];
/** What other programs count besides failures. They skip things too. */
const WORKED = new Set(
  "applied created updated deleted copied moved uploaded downloaded imported migrated sent".split(" "),
);
const LINTED = ["warning", "problem"];

/** Stems of the words that are counted, in the languages of the laboratory. */
const COUNTED =
  "fail error erreur fehler fallo errore erro \u043e\u0448\u0438\u0431 \u30a8\u30e9\u30fc \u5931\u6557 \u9519\u8bef \u5931\u8d25 \uc624\ub958 \uc2e4\ud328".split(
    " ",
  );

const DIGIT = /\d/;
/** Between the counts of a summary, and what programs draw around it. */
const BETWEEN_COUNTS = /,(?!\d)|(?<!\d),|[;()|\u00b7\u2022]|\. | and /;
const DRAWN = /^[=\s\u2716\u2717\u00d7#*-]+|[=\s.]+$/g;
/** Words of a count with its label and a duration: `Tests: 1 failed`, `1 warning in 0.34s`. */
const MAX_COUNT_WORDS = 6;
const MAX_PART_WORDS = 10;
/** Behind a duration in brackets. */
const UNIT = " seconds";

/** The sum of numbers beside words of failures: `10 tests, 0 failures`, `errors: 0`. Undefined without such a number. */
export function countFailures(line: string): number | undefined {
  let sum: number | undefined;
  let isOther = false;
  for (const part of partsOf(line)) {
    const words = wordsOf(part);
    if (words.some(isCounted)) {
      const count = countIn(words);
      isOther ||= count === undefined;
      sum = count === undefined ? sum : (sum ?? 0) + count;
    }
  }
  return isOther ? Number.NaN : sum;
}

/** The counts of a line. A number belongs to the word after it, or to the label before it. */
function partsOf(line: string): readonly string[] {
  const cells = line.includes("\t") ? line.split("\t").filter((cell) => cell.trim() !== "") : [];
  // `Total\t9\tFailed\t0`: in a table the number is in the next cell.
  return cells.some(isNumber)
    ? cells.flatMap((cell, index) => (isNumber(cells[index + 1]) ? [`${cell}: ${cells[index + 1]}`] : []))
    : line.split(BETWEEN_COUNTS);
}

function isNumber(cell = ""): boolean {
  return cell !== "" && Number.isInteger(Number(cell));
}

/** Whether a word counts failures: `xfailed` counts expected ones, and `error-path` is a name. */
function isCounted(word: string): boolean {
  return COUNTED.some((stem) => word.startsWith(stem)) && !word.includes("-");
}

function wordsOf(part: string): readonly string[] {
  return withoutDrawing(part).replaceAll("=", ": ").split(/\s+/);
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

/** The category of a line that is nothing but counts, with one of failures: `1 failed, 7 passed in 0.34s`. */
export function categoryOfCounts(line: string): "test_failure" | "build_failure" | "error" | undefined {
  if (!DIGIT.test(line)) {
    return undefined;
  }
  const lower = line.toLowerCase();
  const parts = partsOf(lower).filter((part) => withoutDrawing(part) !== "");
  if (!parts.every((part) => (DIGIT.test(part) || part === UNIT) && wordsOf(part).length <= MAX_PART_WORDS)) {
    return undefined;
  }
  const failures = parts.length > 1 || isBare(lower) ? countFailures(lower) : undefined;
  if (failures === undefined || !(failures > 0)) {
    return undefined;
  }
  const words = parts.flatMap(wordsOf);
  const counts = (stems: readonly string[]): boolean =>
    words.some((word) => stems.some((stem) => word.startsWith(stem)));
  const isTest = parts.length === 1 || counts(TESTED);
  return isTest
    ? words.some((word) => WORKED.has(word))
      ? "error"
      : "test_failure"
    : counts(LINTED)
      ? "build_failure"
      : undefined;
}

/** `2 failing`, `1 test failed`, `=== 1 error in 0.12s ===`, `# FAIL:  2`. */
function isBare(line: string): boolean {
  const words = wordsOf(line);
  return (
    line.startsWith("==") ||
    (words.length === 2 && words[0] === "fail:") ||
    (words.length <= 3 && Number(words[0]) > 0 && words.at(-1)?.startsWith("fail") === true)
  );
}

/** Whether one of the counts of a line is one of failures. */
export function hasFailures(line: string): boolean {
  return DIGIT.test(line) && (countFailures(line.toLowerCase()) ?? 0) > 0;
}

/** Removes what programs draw around a line: `** BUILD FAILED **`. */
export function withoutDrawing(line: string): string {
  return line.replace(DRAWN, "");
}
