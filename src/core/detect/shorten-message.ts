import { reportsFailure } from "./reason/hints.ts";
import { startsTrailer } from "./reason/noise.ts";
import { labelAt } from "./reason/severity-words.ts";
import { hasSpecifics } from "./reason/specifics.ts";

/** What clients and servers put before the error of a tool. The category says as much. */
const WRAPPERS = [
  "MCP error ",
  "Error executing tool ",
  "Error calling tool ",
  "Error: ",
  "Error response from daemon: ",
  "PHP Fatal error: ",
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
  withoutFile,
  withShortNames,
  withoutIds,
  withoutAsides,
  withoutAdvice,
  withoutPlace,
  withoutLabel,
  fromLastError,
  withoutLabel,
  withoutData,
  withoutProgram,
  (message, limit) => mostTelling(message, limit, false),
];

/** The message of a failed test starts with its name, which stays. */
const TEST_STEPS = [
  withoutFile,
  withoutAdvice,
  withoutException,
  withShortNames,
  withoutPlace,
  withoutLabel,
  (message: string, limit: number) => mostTelling(message, limit, true),
];

/** What Java prints before an uncaught exception, and a name in quotes. */
const THREAD = 'Exception in thread "';

/** Removes the file or the code at the end: ` (load.py)`, ` (E403)`. */
function withoutFile(message: string): string {
  const open = message.lastIndexOf(" (");
  const file = message.slice(open + 2, -1);
  return open > 0 && message.endsWith(")") && file.includes(".") && !file.includes(" ")
    ? message.slice(0, open)
    : message;
}

/** Removes wrappers and the place in a script. */
function withoutWrappers(message: string, limit: number): string {
  let shown = message.startsWith(THREAD) ? message.slice(message.indexOf('" ', THREAD.length) + 2) : message;
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

/** Labels of numbers that only a server's log explains. */
const ID_LABELS = ["RequestID: ", "HostID: ", "Request ID: ", "requestId: ", "request id: "];

function withoutIds(message: string): string {
  let shown = message;
  for (const label of ID_LABELS) {
    const at = shown.indexOf(label);
    const end = at === -1 ? -1 : shown.indexOf(" ", at + label.length);
    shown = end === -1 ? shown : shown.slice(0, at) + shown.slice(end + 1);
  }
  return shown;
}

/** Removes the last sentences, which only explain or advise, behind one that says that something failed. */
function withoutAdvice(message: string, limit: number): string {
  let shown = message;
  while (shown.length > limit) {
    const end = shown.lastIndexOf(". ", shown.length - 3);
    const advice = shown.slice(end + 2);
    if (end < MIN_REST || reportsFailure(advice) || hasSpecifics(advice) || !reportsFailure(shown.slice(0, end))) {
      break;
    }
    shown = shown.slice(0, end + 1);
  }
  return shown;
}

/** Longer than `Error` and `Exception`. */
const MIN_EXCEPTION = 9;

/** Removes the name of the exception behind that of the test. */
function withoutException(message: string): string {
  const start = message.indexOf(": ") + 2;
  const end = message.indexOf(": ", start);
  const name = message.slice(start, end);
  return name.length > MIN_EXCEPTION && !name.includes(" ") && (name.endsWith("Error") || name.endsWith("Exception"))
    ? message.slice(0, start) + message.slice(end + 2)
    : message;
}

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

/** Least characters of a reason in front of data. */
const MIN_REST = 26;

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

/** With the blank or the colon behind it. */
const ELLIPSIS = "...";
const JOINT = ELLIPSIS.length + 2;
/** What has to stay of the clauses before a reason. */
const MIN_LEAD = 20;
const MAX_LEAD = 40;

/** A part of a message up to a separator, and what it tells. */
interface Clause {
  readonly start: number;
  readonly end: number;
  readonly worth: number;
  /** What it tells in addition if it is shown to its end. */
  readonly whole: number;
}

/**
 * Returns the part of a message that tells most: from its start, or from a later clause on, behind the subject and an
 * ellipsis if there is room. A test keeps its name.
 */
function mostTelling(message: string, limit: number, isTest: boolean): string {
  const clauses = clausesOf(message);
  let best = message;
  let most = worthOf(clauses, 0, limit, CUT_SHARE);
  for (const { start, worth, whole } of clauses.slice(1)) {
    const rest = message.slice(start);
    const names = worth >= FAILURE_WORTH || whole > 0;
    const lead = names ? leadOf(message, start, limit - rest.length - JOINT, isTest) : 0;
    if (!mayStart(message, start) || (isTest && lead === 0)) {
      continue;
    }
    const room = lead === 0 ? limit : limit - lead - JOINT;
    const told = worthOf(clauses, start, start + room, CUT_SHARE) + worthOf(clauses, 0, lead, LEAD_SHARE);
    if (told > most) {
      most = told;
      best = lead === 0 ? rest : joined(message.slice(0, lead), message.slice(start - 2));
    }
  }
  return best;
}

/** Behind a comma the sentence goes on, unless a label follows; what is in brackets has to end the message. */
function mayStart(message: string, start: number): boolean {
  const isAside = message.charAt(start) === "(";
  const end = isAside ? message.indexOf(")", start) : message.length - 1;
  const goesOn = message.charAt(start - 2) === "," && message.indexOf(": ", start) !== message.indexOf(" ", start) - 1;
  return !goesOn && end >= message.length - 1 && message.length - start >= (isAside ? MIN_REST : MIN_CLAUSE);
}

/** Joins a subject and a later clause, with the colon in front of the clause. */
function joined(lead: string, rest: string): string {
  return lead + ELLIPSIS + (rest.startsWith(": ") ? rest : rest.slice(1));
}

/** Characters of the subject that are shown before a later clause; 0 if there is no room. */
function leadOf(message: string, start: number, room: number, isTest: boolean): number {
  const most = Math.min(isTest && room < MIN_LEAD ? MAX_LEAD : room, start - ELLIPSIS.length);
  if (most < MIN_LEAD) {
    return 0;
  }
  const blank = message.lastIndexOf(" ", most);
  // A long word, such as an address, is cut.
  return blank < most / 2 ? most : Math.max(blank, MIN_LEAD);
}

/** What a clause tells: that something failed, what it was about, the program's own statement, the innermost reason. */
const FAILURE_WORTH = 3;
const SPECIFIC_WORTH = 2;
const HEAD_WORTH = 3;
const LAST_WORTH = 5;
/** What a test compared. */
const VALUE_WORTH = 4;

/** What the first words of a clause tell that is cut: those of a subject more than those of a reason. */
const LEAD_SHARE = 0.6;
const CUT_SHARE = 0.3;

/** What the clauses between two positions tell. */
function worthOf(clauses: readonly Clause[], from: number, to: number, share: number): number {
  let sum = 0;
  for (const { start, end, worth, whole } of clauses) {
    const shown = Math.min(end, to) - Math.max(start, from);
    if (shown > 0) {
      // The blank behind a clause need not be shown.
      sum += shown >= end - start - 1 ? worth + whole : (worth * share * shown) / (end - start);
    }
  }
  return sum;
}

/** What ends a clause, with the blank behind it. */
const SIGNS = ":;.,>)-";
/** A clause with fewer words belongs to the one before it: a value, a name. */
const MIN_WORDS = 3;
const MIN_CLAUSE = 12;

function clausesOf(message: string): readonly Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  let next = 0;
  let words = 0;
  for (let at = 1; at <= message.length; at += 1) {
    const isEnd = at === message.length;
    const isBlank = message.charCodeAt(at) === 32;
    words += isEnd || isBlank ? 1 : 0;
    const isValue = isBlank && introducesValue(message, at + 1);
    if (isEnd || isValue || (isBlank && endsClause(message, at))) {
      const end = isEnd ? at : at + 1;
      // What was read since the last end is a clause of its own.
      if (next > start && ((words >= MIN_WORDS && end - next >= MIN_CLAUSE) || introducesValue(message, next))) {
        clauses.push(clauseOf(message, start, next));
        start = next;
      }
      next = end;
      words = 0;
    }
  }
  clauses.push(clauseOf(message, start, message.length));
  return clauses;
}

const VALUE_LABELS = ["expected", "received", "actual", "got", "left", "right"];
const MAX_VALUE_LABEL = 28;

/** Whether a label such as `Expected:` or `Received string:` starts here. */
function introducesValue(message: string, at: number): boolean {
  const label = message.slice(at, at + MAX_VALUE_LABEL).toLowerCase();
  return (
    VALUE_LABELS.some((word) => label.startsWith(word) && " :".includes(label.charAt(word.length))) &&
    label.includes(":")
  );
}

/** Whether a clause ends before the blank at this position. */
function endsClause(message: string, at: number): boolean {
  return SIGNS.includes(message.charAt(at - 1)) || message.charAt(at + 1) === "(";
}

/** Whether only one word stands between the last sentence and the colon before this position: `Limit: 8.0`. */
function isField(message: string, start: number): boolean {
  const from = message.lastIndexOf(". ", start - 2);
  return from !== -1 && !message.slice(from + 2, start - 2).includes(" ");
}

/** Whether the text from this position on is a reason, and not a value, a name or code. */
function isReason(message: string, start: number): boolean {
  const [statement = ""] = message.slice(start).split(": ", 1);
  return (
    !message.endsWith(";") &&
    !isField(message, start) &&
    (statement.length === message.length - start ||
      statement.split(" ").length > MIN_WORDS ||
      reportsFailure(statement))
  );
}

function clauseOf(message: string, start: number, end: number): Clause {
  const text = message.slice(start, end);
  // An address or a hint only points elsewhere.
  if (text.startsWith("http") || startsTrailer(text)) {
    return { start, end, worth: 0, whole: 0 };
  }
  const isInnermost = end === message.length && message.charAt(start - 2) === ":" && isReason(message, start);
  const place = (start === 0 ? HEAD_WORTH : 0) + (introducesValue(message, start) ? VALUE_WORTH : 0);
  const worth = place + (reportsFailure(text) ? FAILURE_WORTH : 0) + (hasSpecifics(text) ? SPECIFIC_WORTH : 0);
  return { start, end, worth, whole: isInnermost ? LAST_WORTH : 0 };
}
