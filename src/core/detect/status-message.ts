import type { Outcome } from "../model/outcome.ts";
import { labelAt } from "./reason/severity-words.ts";

/** Maximum length of the message. */
const MESSAGE_LENGTH = 100;

/** Shorter durations are not worth showing. */
const LONG_MS = 30_000;

/**
 * Summarizes a failure in one line; undefined if the call did not fail.
 *
 * @example
 * formatStatusMessage(outcome, "Bash"); // "[EXIT_CODE] Bash exit=1 - error"
 */
export function formatStatusMessage(outcome: Outcome, tool: string): string | undefined {
  if (outcome.status !== "failed") {
    return undefined;
  }
  const head = [`[${(outcome.category ?? "error").toUpperCase()}]`, tool];
  if (outcome.exitCode !== undefined && outcome.exitCode !== 0) {
    head.push(`exit=${outcome.exitCode}`);
  }
  if (outcome.durationMs !== undefined && outcome.durationMs > LONG_MS) {
    head.push(`duration=${Math.round(outcome.durationMs / 1000)}s`);
  }
  // The message of a failed test starts with its name.
  const message =
    outcome.category === "test_failure" ? (outcome.message ?? "") : withoutWrappers(outcome.message ?? "");
  const shown = message.length > MESSAGE_LENGTH ? `${message.slice(0, MESSAGE_LENGTH)}...` : message;
  return shown === "" ? head.join(" ") : `${head.join(" ")} - ${shown}`;
}

/** What clients and servers put before the error of a tool. The category says as much. */
const WRAPPERS = [
  "MCP error ",
  "Error executing tool ",
  "Error calling tool ",
  "Error: ",
  "InputValidationError: ",
  "Input validation error: ",
  "Invalid arguments for tool ",
];

/** Removes wrappers and the place in a script from a message that is too long to be shown whole: the reason follows. */
function withoutWrappers(message: string): string {
  let shown = message;
  for (let end = shown.indexOf(": "); shown.length > MESSAGE_LENGTH && end !== -1; end = shown.indexOf(": ")) {
    const label = shown.slice(0, end + 2);
    if (!WRAPPERS.some((wrapper) => label.startsWith(wrapper)) && !isPlace(label)) {
      break;
    }
    shown = shown.slice(end + 2);
  }
  const label = shown.length > MESSAGE_LENGTH ? labelAt(shown, 0) : undefined;
  const bare = label?.sense === "error" ? shown.slice(label.end).trimStart() : shown;
  return bare.length > MESSAGE_LENGTH ? fromLastClause(fromLastError(bare)) : bare;
}

/** Where the last clause has to start, so that enough of it is shown. */
const MAX_CLAUSE_START = 80;

/** Removes the first clauses of a message whose last one would not be shown: "a failed: b failed: the port is in use". */
function fromLastClause(message: string): string {
  let shown = message;
  while (shown.lastIndexOf(": ") > MAX_CLAUSE_START) {
    const clause = shown.slice(0, shown.indexOf(": "));
    const rest = shown.slice(shown.lastIndexOf(": ") + 2);
    // A name or value in quotes, or an exception, is part of the reason; a short rest is only a value.
    if (
      NAMES.some((sign) => clause.includes(sign)) ||
      !rest.includes(" ") ||
      clause.lastIndexOf("[") > clause.lastIndexOf("]") ||
      shown.length - clause.length < MIN_REST
    ) {
      break;
    }
    shown = shown.slice(clause.length + 2);
  }
  return shown;
}
const MIN_REST = 26;
const NAMES = ["'", '"', "`", "(", "Exception", "Error:"];

/** Labels of errors inside a message: `connection to server failed: FATAL: database "x" does not exist`. */
const INNER_LABELS = [": FATAL: ", ": ERROR: ", ": Error: ", ": error: ", ": error "];

/** Returns a message from its last label on, if its reason would not be shown otherwise. */
function fromLastError(message: string): string {
  const last = Math.max(...INNER_LABELS.map((label) => message.lastIndexOf(label)));
  return last === -1 ? message : message.slice(last + 2);
}

/** `/srv/a.rb:85:in `require': `, `thread 'main' panicked at a.rs:1:59: `. */
function isPlace(label: string): boolean {
  return (label.includes(":in `") && !label.includes(" (")) || label.includes(" panicked at ");
}
