import { labelAt } from "./reason/severity-words.ts";

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

/**
 * Shortens a message so that its reason is shown, which often stands at its end. Each step removes what explains least,
 * and the first result that fits is taken. The result may still be too long.
 */
export function shortenMessage(message: string, limit: number, isTest: boolean): string {
  // An object has no reason that could be shown instead.
  if (message.startsWith("{")) {
    return message;
  }
  let shown = message;
  for (const shorten of isTest ? TEST_STEPS : STEPS) {
    if (shown.length <= limit) {
      break;
    }
    shown = shorten(shown, limit);
  }
  return shown;
}

const STEPS: readonly ((message: string, limit: number) => string)[] = [
  withoutWrappers,
  withShortNames,
  withoutAsides,
  withoutPlace,
  withoutLabel,
  fromLastError,
  fromLastClause,
  withoutData,
  withoutProgram,
  withoutMiddle,
];

/** The message of a failed test starts with its name, which stays. */
const TEST_STEPS = [withShortNames, withoutPlace, withoutLabel, withoutMiddle];

/** Removes wrappers and the place in a script. */
function withoutWrappers(message: string, limit: number): string {
  let shown = message;
  for (let end = shown.indexOf(": "); shown.length > limit && end !== -1; end = shown.indexOf(": ")) {
    const label = shown.slice(0, end + 2);
    if (!WRAPPERS.some((wrapper) => label.startsWith(wrapper)) && !isPlace(label)) {
      break;
    }
    shown = shown.slice(end + 2);
  }
  return shown;
}

/** `/srv/a.rb:85:in `require': `, `thread 'main' panicked at a.rs:1:59: `. */
function isPlace(label: string): boolean {
  return (label.includes(":in `") && !label.includes(" (")) || label.includes(" panicked at ");
}

/** Shortens files to their own name, exceptions to that of the class, and rules that were drawn with characters. */
function withShortNames(message: string): string {
  return message.split(" ").map(shortName).join(" ");
}

function shortName(word: string): string {
  if (word.length > 4 && (word.startsWith("\u2500\u2500") || word.startsWith("----"))) {
    return word.replaceAll("\u2500", "").replaceAll("-", "");
  }
  const slash = word.lastIndexOf("/");
  const isFile =
    word.length > MIN_PATH && slash < word.length - 2 && (!word.includes("://") || word.startsWith("file:"));
  if (slash > 0 && isFile && word.indexOf("/") !== slash && !word.includes("{")) {
    const quote = OPENING.includes(word.charAt(0)) ? word.charAt(0) : "";
    return quote + word.slice(slash + 1);
  }
  // java.io.IOException
  const dot = word.lastIndexOf(".");
  const isClass = word.endsWith("Exception:") || word.endsWith("Error:");
  return isClass && dot > 0 && word.indexOf(".") !== dot ? word.slice(dot + 1) : word;
}
const MIN_PATH = 24;
const OPENING = "'\"`(<[";

/** Removes addresses in brackets: "the site's robots.txt (https://…) forbids …". */
function withoutAsides(message: string): string {
  let shown = message;
  for (let open = shown.indexOf(" (http"); open !== -1; open = shown.indexOf(" (http")) {
    const close = shown.indexOf(")", open);
    if (close === -1) {
      break;
    }
    shown = shown.slice(0, open) + shown.slice(close + 1);
  }
  return shown;
}

/** Removes the line of a source: `MoneyTests.swift:18: error: …`. */
function withoutPlace(message: string): string {
  const end = message.indexOf(": ");
  const digit = message.charCodeAt(end - 1);
  const isLine = end > 0 && digit >= 48 && digit <= 57 && !message.slice(0, end).includes(" ");
  return isLine && message.lastIndexOf(":", end - 1) > 0 ? message.slice(end + 2) : message;
}

function withoutLabel(message: string): string {
  const label = labelAt(message, 0);
  return label?.sense === "error" ? message.slice(label.end).trimStart() : message;
}

/** Labels of errors inside a message: `connection to server failed: FATAL: database "x" does not exist`. */
const INNER_LABELS = [": FATAL: ", ": ERROR: ", ": Error: ", ": error: ", ": error "];

/** Returns a message from its last label on. */
function fromLastError(message: string): string {
  const last = Math.max(...INNER_LABELS.map((label) => message.lastIndexOf(label)));
  return last === -1 ? message : message.slice(last + 2);
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
      rest.split(" ", MIN_WORDS).length < MIN_WORDS ||
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
const MIN_WORDS = 3;
const NAMES = ["'", '"', "`", "(", "Exception", "Error:"];

/** Removes an object behind the reason: `no such element: {"method":"css selector", …`. */
function withoutData(message: string): string {
  const data = message.indexOf(': {"');
  return data >= MIN_REST ? message.slice(0, data) : message;
}

/** Removes the name of the program in front of its complaint. */
function withoutProgram(message: string): string {
  const end = message.indexOf(": ");
  const name = message.slice(0, Math.max(0, end)).trimEnd();
  const isProgram = name !== "" && !name.includes(" ") && !name.endsWith("Error") && !name.endsWith("Exception");
  return isProgram && message.length - end > MIN_REST ? message.slice(end + 2) : message;
}

const ELLIPSIS = "...";
/** The reason behind the last colons or arrows, and what has to stay of the clauses before it. */
const MAX_REASON = 76;
const MIN_LEAD = 20;

/** Replaces the end of the first clauses by an ellipsis, so that both the subject and the reason are shown. */
function withoutMiddle(message: string, limit: number): string {
  const end = message.indexOf(". ");
  if (end > 0 && end < limit && message.charAt(end - 1) !== ".") {
    return message;
  }
  const from = Math.max(0, message.length - MAX_REASON);
  const at = Math.max(message.indexOf(": ", from), message.indexOf(" -> ", from));
  const reason = at === -1 ? "" : message.slice(at);
  const room = limit - reason.length - ELLIPSIS.length;
  if (reason.length < MIN_REST || !reason.slice(2).includes(" ") || room < MIN_LEAD) {
    return message;
  }
  const lead = message.slice(0, room);
  return lead.slice(0, Math.max(MIN_LEAD, lead.lastIndexOf(" "))) + ELLIPSIS + reason;
}
