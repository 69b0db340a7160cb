import { cleanLine, linesOf } from "./lines.ts";

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
  const word = message.slice(0, MIN_LINE_LENGTH).split(" ", 1)[0] ?? "";
  const index = lines.findIndex((line, at) => {
    // Most lines do not even contain the first letters.
    const text = line.includes(word) ? cleanLine(lines, at) : "";
    return text.length >= MIN_LINE_LENGTH && message.startsWith(text.slice(0, COMPARED_LENGTH));
  });
  for (let above = index; above >= Math.max(0, index - MAX_DISTANCE); above -= 1) {
    const name = nameIn(lines, above);
    if (name !== undefined) {
      return name.length > MAX_NAME_LENGTH || message.includes(name) ? undefined : name;
    }
  }
  return listedName(lines, message);
}

/** cargo lists the failed tests below its output: `failures:`, then one indented name per line. */
function listedName(lines: readonly string[], message: string): string | undefined {
  const name = lines.find((line, index) => lines[index - 1] === "failures:" && line.startsWith("    "))?.trim();
  return name === undefined || name.includes(" ") || name.length > MAX_NAME_LENGTH || message.includes(name)
    ? undefined
    : name;
}

/** How test runners introduce a failed test: jest, unittest, go, cargo, vitest. */
const JEST_START = "\u25cf ";
/** The heading of what a test printed. */
const JEST_CONSOLE = " Console";
const INTRODUCTIONS = [JEST_START, "FAIL: ", "ERROR: ", "--- FAIL: ", "---- ", "FAIL  ", "\u00d7 "];

/** What follows the name: a duration, a stream, a file. */
const ENDINGS = [" (", " stdout ----", " ----"];

/** prove: `#   Failed test 'name'`. */
const PROVE_START = "#   Failed test '";

/** Maven: `[ERROR] org.acme.CartTest.addsTax -- Time elapsed: 0.006 s <<< FAILURE!`. */
const MAVEN_TIME = " -- Time elapsed:";
const MAVEN_END = "<<< FAILURE!";

/** Visual Studio Code: `<testFailure name="adds tax" path="…">` */
const VSCODE_START = '<testFailure name="';
const GRADLE_END = " FAILED";
const DOTNET_START = "Failed ";

/** First characters of such lines; most lines start with another one. */
const FIRST_CHARACTERS = new Set([...INTRODUCTIONS, PROVE_START, ..."_n[0123456789"].map((words) => words.charAt(0)));

function nameIn(lines: readonly string[], index: number): string | undefined {
  const line = (lines[index] ?? "").trim();
  // Gradle: `CartTest > addsTax() FAILED`
  if (line.endsWith(GRADLE_END) && line.includes(" > ")) {
    return line.slice(0, -GRADLE_END.length);
  }
  if (line.startsWith(VSCODE_START)) {
    return line.slice(VSCODE_START.length, line.indexOf('"', VSCODE_START.length));
  }
  if (!FIRST_CHARACTERS.has(line.charAt(0))) {
    return undefined;
  }
  // .NET: `Failed Cart.Tests.AddsTax [12 ms]`
  if (line.startsWith(DOTNET_START) && line.endsWith("s]")) {
    const name = line.slice(DOTNET_START.length, line.lastIndexOf(" ["));
    return name.split(".").slice(-2).join(".");
  }
  // pytest: ____ test_name ____
  if (line.startsWith("____") && line.endsWith("_")) {
    const name = line.slice(line.indexOf(" ") + 1, line.lastIndexOf(" ")).trim();
    return name === "" || name.startsWith("ERROR ") ? undefined : name;
  }
  if (line.startsWith(PROVE_START)) {
    return line.slice(PROVE_START.length, line.lastIndexOf("'")).trim() || undefined;
  }
  const maven = line.endsWith(MAVEN_END) ? line.slice(line.indexOf("] ") + 2) : "";
  if (maven.includes(MAVEN_TIME) && !maven.startsWith("Tests run")) {
    // The class is named on the line before.
    const name = maven.slice(0, maven.indexOf(MAVEN_TIME));
    return name.slice(name.lastIndexOf(".") + 1);
  }
  if (line.startsWith("not ok ")) {
    const dash = line.indexOf(" - ");
    return dash === -1 ? undefined : line.slice(dash + 3);
  }
  const introduction = INTRODUCTIONS.find((words) => line.startsWith(words));
  if (introduction === JEST_START && line.endsWith(JEST_CONSOLE)) {
    return undefined;
  }
  const rest = introduction === undefined ? numbered(lines, index) : line.slice(introduction.length);
  if (rest === undefined) {
    return undefined;
  }
  const end = ENDINGS.reduce((least, words) => {
    const at = rest.indexOf(words);
    return at > 0 && at < least ? at : least;
  }, rest.length);
  return withoutFile(rest.slice(0, end).trim()) || undefined;
}

/** vitest: `src/cart.test.ts > cart > adds tax` */
function withoutFile(name: string): string {
  const end = name.indexOf(" > ");
  const file = name.slice(0, Math.max(0, end));
  return file.includes(".") && !file.includes(" ") ? name.slice(end + 3) : name;
}

/** Lines below the number that may belong to the name. */
const MAX_NAME_LINES = 3;

/**
 * mocha, RSpec, PHPUnit and minitest number their failures: `1) Cart adds tax`. mocha continues with the names inside up
 * to a colon, minitest starts with the kind of the failure.
 */
function numbered(lines: readonly string[], index: number): string | undefined {
  const line = (lines[index] ?? "").trim();
  const close = line.indexOf(") ");
  if (close <= 0 || close >= 4 || !Number.isInteger(Number(line.slice(0, close)))) {
    return undefined;
  }
  const head = line.slice(close + 2);
  if (head === "Failure:" || head === "Error:") {
    // Test#name [file:line]:
    return (lines[index + 1] ?? "").trim().replace(/ \[.*$|:$/, "");
  }
  const names = [head];
  for (let below = index + 1; below <= index + MAX_NAME_LINES && !(names.at(-1) ?? "").endsWith(":"); below += 1) {
    const next = lines[below] ?? "";
    // A message starts with a label, such as the name of an exception.
    if (!next.startsWith("   ") || next.includes(": ")) {
      break;
    }
    names.push(next.trim());
  }
  // Without a colon at the end the other lines are the message.
  const whole = names.join(" ");
  return whole.endsWith(":") ? whole.slice(0, -1) : head;
}
