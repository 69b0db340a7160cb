import { categoryOfMessage } from "./reason/category.ts";
import { reportsFailure } from "./reason/hints.ts";
import { labelAt } from "./reason/severity-words.ts";

/** What clients and servers put before the error of a tool. The category says as much. */
const WRAPPERS =
  "MCP error |Error executing tool |Error calling tool |Error: |Error response from daemon: |InputValidationError: |Input validation error: |Invalid arguments for tool ".split(
    "|",
  );

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
  withoutFile,
  withShortNames,
  withoutAsides,
  withoutLabel,
  withoutPlace,
  withoutAdvice,
  fromLastError,
  firstSentence,
  withoutData,
  withoutProgram,
  (message, limit) => fromReason(message, limit, MIN_ALONE),
];

/** The message of a failed test starts with its name, of which at least the start stays if there is room. */
const TEST_STEPS: typeof STEPS = [
  withoutFile,
  withShortNames,
  withoutLabel,
  withoutPlace,
  (message, limit) => fromReason(message, limit, NEVER_ALONE),
];

/** Removes the file at the end: ` (load.py)`. */
function withoutFile(message: string): string {
  const open = message.lastIndexOf(" (");
  const file = message.slice(open + 2, -1);
  return open > 0 && message.endsWith(")") && file.includes(".") && !file.includes(" ")
    ? message.slice(0, open)
    : message;
}

/** `upload failed: a to b An error occurred (AccessDenied) when calling the PutObject operation: `. */
const AWS_START = "An error occurred (";
const AWS_END = " operation: ";

/** Removes wrappers and the place in a script. */
function withoutWrappers(message: string, limit: number): string {
  const operation = message.includes(AWS_START) ? message.indexOf(AWS_END) : -1;
  let shown = operation === -1 ? message : message.slice(operation + AWS_END.length);
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
    // `refused:../net/socket/connect.c:117`
    const label = word.startsWith("file:") ? "" : word.slice(0, word.lastIndexOf(":", word.indexOf("/")) + 1);
    const quote = OPENING.includes(word.charAt(0)) ? word.charAt(0) : "";
    return (label.length > MIN_LABEL ? label : quote) + word.slice(slash + 1);
  }
  // java.io.IOException
  const dot = word.lastIndexOf(".");
  const isClass = word.endsWith("Exception:") || word.endsWith("Error:");
  return isClass && dot > 0 && word.indexOf(".") !== dot ? word.slice(dot + 1) : word;
}
const MIN_PATH = 24;
/** The drive of a path is no label. */
const MIN_LABEL = 2;
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

/** Removes the line of a source: `MoneyTests.swift:18: error: …`, `Order.java:[52,41] …`. */
function withoutPlace(message: string): string {
  const place = message.slice(0, message.indexOf(" "));
  const isPlace = (place.endsWith(":") || place.endsWith("]")) && /.:\[?\d/.test(place);
  return isPlace ? message.slice(place.length + 1) : message;
}

function withoutLabel(message: string): string {
  const label = labelAt(message, 0);
  return label?.sense === "error" ? message.slice(label.end).trimStart() : message;
}

/** Starts of clauses that advise or guess what to do about the error before them. */
const ADVICE = [
  "; if you ",
  ", perhaps ",
  "; use ",
  "; try ",
  "; run ",
  "; see ",
  ", did you mean ",
  "; did you mean ",
];

function withoutAdvice(message: string): string {
  const ends = ADVICE.map((words) => message.indexOf(words, MIN_REST)).filter((at) => at !== -1);
  return ends.length === 0 ? message : message.slice(0, Math.min(...ends));
}

/** Labels of errors inside a message: `connection to server failed: FATAL: database "x" does not exist`. */
const INNER_LABELS = [": FATAL: ", ": ERROR: ", ": Error: ", ": error: ", ": error "];
/** Words of a sentence that introduce the error itself: `The task failed. The error was: …`. */
const INTRODUCTIONS = [
  "The error was: ",
  "Original error: ",
  "Underlying error: ",
  "Root cause: ",
  "nested exception is ",
];

/** Returns a message from its last label on. */
function fromLastError(message: string): string {
  const introduction = INTRODUCTIONS.find((words) => message.includes(words));
  if (introduction !== undefined) {
    const error = message.slice(message.lastIndexOf(introduction) + introduction.length);
    return error.split(". ", 1)[0] ?? error;
  }
  const last = Math.max(...INNER_LABELS.map((label) => message.lastIndexOf(label)));
  return last === -1 ? message : message.slice(last + 2);
}

/** Shorter sentences say only that something failed. */
const MIN_SENTENCE = 36;

/** Returns the first sentence, if it says what failed: what follows explains or advises. It may still be too long. */
function firstSentence(message: string): string {
  const end = message.indexOf(". ", MIN_SENTENCE);
  const sentence = message.slice(0, end + 1);
  const isReason = end !== -1 && (reportsFailure(sentence) || categoryOfMessage(sentence) !== undefined);
  return isReason ? sentence : message;
}

/** Removes an object behind the reason: `no such element: {"method":"css selector", …`. */
function withoutData(message: string): string {
  const data = message.indexOf(': {"');
  return data >= MIN_REST ? message.slice(0, data) : message;
}
const MIN_REST = 26;

/** Removes the name of the program in front of its complaint. */
function withoutProgram(message: string): string {
  const end = message.indexOf(": ");
  const name = message.slice(0, Math.max(0, end)).trimEnd();
  const isProgram = name !== "" && !name.includes(" ") && !name.endsWith("Error") && !name.endsWith("Exception");
  return isProgram && message.length - end > MIN_REST ? message.slice(end + 2) : message;
}

const ELLIPSIS = "...";
/** What has to stay of the clauses before a reason. */
const MIN_LEAD = 20;
/** From here on the last clauses tell enough without the first one. */
const MIN_ALONE = 60;
const NEVER_ALONE = Number.POSITIVE_INFINITY;

/** Where a clause starts: behind a colon, or at the label of a value that was compared. */
const CLAUSE = /: (?=[\p{L}<`])| (?=(?:left|right|expected|received|got|actual|want)\b[^:\s]{0,12}:)/giu;
/** Where the last part of a long sentence starts. */
const PART = /, (?=\p{Ll})| (?=because )| - (?=\p{Lu})| (?=near ['"`])/gu;

/**
 * Returns the last clauses of a message, as many as fit: the reason stands at the end. If they are shorter than
 * `minAlone`, the start of the message, which names the subject, stands before them.
 */
function fromReason(message: string, limit: number, minAlone: number): string {
  return (
    lastClauses(message, CLAUSE, limit, minAlone) ??
    (message.includes(". ") ? undefined : lastClauses(message, PART, limit, Math.max(limit, minAlone))) ??
    message
  );
}

function lastClauses(message: string, boundary: RegExp, limit: number, minAlone: number): string | undefined {
  let alone: string | undefined;
  for (const { index, 0: sign } of message.matchAll(boundary)) {
    const rest = message.slice(index + sign.length);
    if (startsInside(rest)) {
      continue;
    }
    const room = limit - rest.length - sign.length - ELLIPSIS.length;
    if (alone === undefined && rest.length <= limit) {
      alone = rest;
    }
    if (alone !== undefined && alone.length >= minAlone) {
      return alone;
    }
    if (room >= MIN_LEAD && room < index) {
      return rest.length < MIN_REST && alone !== rest ? alone : leadOf(message, room) + ELLIPSIS + sign + rest;
    }
  }
  return minAlone === NEVER_ALONE ? undefined : alone;
}

/** Whether a part starts between brackets, which close in it. */
function startsInside(part: string): boolean {
  const close = part.indexOf(")");
  const open = part.indexOf("(");
  return close !== -1 && (open === -1 || close < open);
}

/** The first words that fit; a long word, such as an address, is cut. */
function leadOf(message: string, room: number): string {
  const blank = message.lastIndexOf(" ", room);
  return message.slice(0, blank < MIN_LEAD ? room : blank);
}
