import { clean, linesOf } from "./lines.ts";

/** Lines above an assertion in which the name of its test is searched. */
const MAX_DISTANCE = 40;
const MAX_NAME_LENGTH = 80;

/** A shorter line may be the start of any message; more of a longer one need not be compared. */
const MIN_LINE_LENGTH = 4;
const COMPARED_LENGTH = 20;

/** Returns the name of the failed test that a message of a test runner is about, if a line above it names the test. */
export function testNameOf(text: string, message: string): string | undefined {
  const lines = linesOf(text);
  // Other lines may complete the message, so that it is longer than its own line.
  const index = lines.findIndex((line) => {
    const text = clean(line);
    return text.length >= MIN_LINE_LENGTH && message.startsWith(text.slice(0, COMPARED_LENGTH));
  });
  for (let above = index; above >= Math.max(0, index - MAX_DISTANCE); above -= 1) {
    const name = nameIn((lines[above] ?? "").trim());
    if (name !== undefined) {
      return name.length > MAX_NAME_LENGTH || message.includes(name) ? undefined : name;
    }
  }
  return undefined;
}

/** How test runners introduce a failed test: jest, unittest, go, cargo, vitest. */
const INTRODUCTIONS = ["\u25cf ", "FAIL: ", "ERROR: ", "--- FAIL: ", "---- ", "FAIL  ", "\u00d7 "];

/** What follows the name: a duration, a stream, a file. */
const ENDINGS = [" (", " stdout ----", " ----"];

function nameIn(line: string): string | undefined {
  // pytest: ____ test_name ____
  if (line.startsWith("____") && line.endsWith("_")) {
    const name = line.slice(line.indexOf(" ") + 1, line.lastIndexOf(" ")).trim();
    return name === "" || name.startsWith("ERROR ") ? undefined : name;
  }
  if (line.startsWith("not ok ")) {
    const dash = line.indexOf(" - ");
    return dash === -1 ? undefined : line.slice(dash + 3);
  }
  const introduction = INTRODUCTIONS.find((words) => line.startsWith(words));
  const rest = introduction === undefined ? numbered(line) : line.slice(introduction.length);
  if (rest === undefined) {
    return undefined;
  }
  const end = ENDINGS.reduce((least, words) => {
    const at = rest.indexOf(words);
    return at > 0 && at < least ? at : least;
  }, rest.length);
  return rest.slice(0, end).trim() || undefined;
}

/** mocha, RSpec and PHPUnit number their failures: `1) Cart adds tax`. */
function numbered(line: string): string | undefined {
  const close = line.indexOf(") ");
  return close > 0 && close < 4 && Number.isInteger(Number(line.slice(0, close))) ? line.slice(close + 2) : undefined;
}
