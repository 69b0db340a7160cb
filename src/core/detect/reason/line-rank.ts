import { namesSystemError } from "./category.ts";
import { clientSentence } from "./client-sentence.ts";
import { HINT, hintsIn, reportsFailure } from "./hints.ts";
import { clean } from "./lines.ts";
import { isNoise, isTrailer, startsTrailer } from "./noise.ts";
import { EXCEPTION, labelAt, USAGE_LABELS } from "./severity-words.ts";

/**
 * How well a line names the reason of a failure. Higher is better. From {@link RANK.worded} on a line reports a failure;
 * lower ones only end the output.
 */
export const RANK = {
  harness: 95,
  exception: 90,
  compiler: 85,
  assertion: 82,
  refused: 79,
  rejected: 78,
  systemComplaint: 76,
  labeled: 75,
  complaint: 72,
  located: 68,
  signal: 66,
  named: 64,
  logged: 60,
  worded: 40,
  plain: 20,
  trailer: 8,
  junk: 0,
} as const;

/** Whether the line is the usage of a program. */
export function isUsageLine(line: string): boolean {
  const label = labelAt(line, 0);
  return label !== undefined && USAGE_LABELS.has(label.word) && line.length > label.end + 2;
}

const HASH = 35;
const STAR = 42;

/** `TypeError: x`, `java.io.IOException: x`, `Foo::BarError: x`, `MyException`, `[cause]: Error: x`. */
const EXCEPTION_LINE =
  /^(?:Caused by: |\[cause\]: |\[|Uncaught |Unhandled exception\. |Exception in thread "[^"\n]{0,60}" |\*\* \()?(?:[\w$]{1,60}[.:\\]{1,2}){0,8}[A-Z][\w$]{0,60}(?:Error|Exception|Exit|Interrupt|Failure|Fault|Warning|Panic|Iteration)\)?(?: \[[\w-]{1,40}\])?(?::|\)? (?=\S)|$)/;

/** A source location at the start of a line: `a.c:3:5:`, `a.ts(3,5):`, `a.py:3:`, `a.java:[5,9]`. */
const LOCATION =
  /^(?:[A-Za-z]:)?[^\s:()[\]"']{1,200}(?::\d{1,7}(?::\d{1,7})?:|\(\d{1,7}(?:,\d{1,7})?\) ?:|:\[\d{1,7},\d{1,7}\]|:\(\.[\w+.]{1,40}\):)\s*|^\(\.[\w+.]{1,40}\)\s?:\s*/;

/** Rows of linter tables: `  3:7  error  message`. */
export const TABLE_ROW = /^\s{0,8}\d{1,7}:\d{1,5}\s{1,12}(?:(error|\u2716)|warning)\s/i;

/** `CONFLICT (content): …`, in any language. */
const CAPITALS = /^(?:\p{Lu}{4,}|\p{Lo}{2,8})\s?[(\uff08][^()\n]{2,40}[)\uff09]\s?[:\uff1a]/u;

/** Assertions, with what was expected and what was found. */
export const ASSERTS =
  /^(?:assert(?:ion)?\b|failed asserting|expected\b.{0,200}\b(?:but|got|received|actual|was)\b|expect\(|expected\b.{1,120} to (?:be|equal|have|match|contain|throw)\b|expected ?:|(?:got|want|actual|received) ?:)|\bassertion\b.{0,200}\bfailed|\bgot\b.{1,120}\bwant\b|\bwant\b.{1,120}\bgot\b|\bexpected\b.{1,120}\bgot\b/i;

/** A logger's line: time and level, then the message. */
const LOG_LINE =
  /^[[(]?\d{4}[-/.]\d\d[-/.]\d\d[T ][\d:.,]{5,16}\S{0,8}[\s|-]{1,6}[[(]?(?:ERROR|SEVERE|error|(FATAL|CRITICAL|PANIC|fatal|crit|alert|emerg))\b/;

/** `error[E0308]: …`, `error TS2304: …`, the first line of an HTTP response. */
const CODED = /^(?:error(?:\[\w{1,12}\]|\s[A-Z]{1,4}\d{2,6})\s?:|HTTP\/[\d.]{1,3} [45]\d\d )/i;

/** The raised object of other languages. */
const RAISED_START =
  /^(?:panic: |thread '.{0,60}'(?: \(\d+\))? panicked at|fatal error: |terminate called after|\*\* \(\w|=+\d+=+ ?ERROR: |Unhandled [A-Z]|FATAL ERROR: |Fatal error: |PHP (?:Fatal|Parse) error|PHP Warning: {2}Uncaught)/;
/** Its first characters: most lines start with another one. */
const RAISED_LETTERS = "ptf*=FPU";
const RAISED_IN_RUBY = /^.{0,200}:in [`'].{0,300}\(\w[\w:]{0,60}\)$/;
const RAISED_AT_LINE = /^.{0,200} at \S{1,200} line \d{1,7}\.$/;
const KILLED = /(?:^|\s)(?:Killed|Aborted|Terminated)(?: \(core dumped\))?$/;

/** Whether the line is what a runtime prints of a raised object. The cheap search for a word comes first. */
export function isRaised(line: string): boolean {
  if (RAISED_LETTERS.includes(line.charAt(0)) && RAISED_START.test(line)) {
    return true;
  }
  const runtime = line.indexOf("runtime error: ");
  return (
    (runtime !== -1 && runtime <= 80) ||
    isRaisedInRuby(line) ||
    (line.endsWith(".") && line.includes(" line ") && RAISED_AT_LINE.test(line))
  );
}

function isRaisedInRuby(line: string): boolean {
  return line.endsWith(")") && line.includes(":in ") && RAISED_IN_RUBY.test(line);
}

/** Whether the line is what a shell prints of a program that a signal ended. The reason is another line, if any. */
export function isSignal(line: string): boolean {
  return (line.endsWith("ed") || line.endsWith(")")) && line.length <= 240 && KILLED.test(line);
}

/** What happened to the call as a whole, in a client's own sentence. */
const STOPPED = "timed out|timeout|time limit|aborted|cancelled|canceled|interrupted|killed|rejected|denied by".split(
  "|",
);

function isClientSentence(text: string): boolean {
  const sentence = text.length <= 240 ? clientSentence(text) : undefined;
  return (
    sentence !== undefined &&
    STOPPED.some((words) => sentence.rest.includes(words)) &&
    !sentence.rest.includes("aborted due to compil")
  );
}

/** The heading of an error, in Markdown or in a report of Gradle. */
const ERROR_HEADING = /^#{1,6} .{0,20}(?:error|failure|exception)|^\* What went wrong/i;

/** Rank of one line alone. */
export function rankLine(line: string, programs: readonly string[]): number {
  const rank = rankOf(line, "", "", programs);
  return rank === RANK.signal ? RANK.exception : rank;
}

/** Whether the line is an error of a compiler, without decoration: one of many, which need no further comparison. */
export function isDiagnosis(line: string): boolean {
  const location = line.includes("rror") ? LOCATION.exec(line) : null;
  return location !== null && labelAt(line, location[0].length)?.sense === "error";
}

/**
 * Rank of a line that outranks others whatever they say: a client's sentence, a raised exception, a signal; junk for
 * every other line. Only the form of the line counts, so that {@link rankOf} may still call it noise.
 */
export function rankOfRaised(text: string, line: string, next: string): number {
  if (isClientSentence(text)) {
    return RANK.harness;
  }
  const trimmed = line.trimStart();
  if (isRaised(text) || (trimmed !== text && isRaised(trimmed))) {
    return RANK.exception;
  }
  if (isSignal(text)) {
    return RANK.signal;
  }
  if (isCause(line) || (isFrame(next) && labelAt(text, 0)?.sense === "error")) {
    return RANK.exception;
  }
  if (EXCEPTION_LINE.test(text)) {
    // Code that mentions an exception is indented and not decorated.
    return /^\s{4,}/.test(line) && !/^\s*(?:Caused by|\[cause\])/.test(line) && !isFrame(next)
      ? RANK.labeled
      : RANK.exception;
  }
  return RANK.junk;
}

/** What is known about a line before it is ranked: its text without marks, and its {@link rankOfRaised}. */
export interface KnownLine {
  readonly text: string;
  readonly raised: number | undefined;
  readonly hints: number;
}

/** Whether an exception has a message, which may contain the words of a trailer: `MigrationError: build failed: …`. */
function namesException(text: string): boolean {
  const colon = text.indexOf(": ");
  return colon > 0 && text.length - colon > MIN_MESSAGE && EXCEPTION.test(text);
}
const MIN_MESSAGE = 22;

/** Rank of a line between its neighbors. */
export function rankOf(
  line: string,
  next: string,
  before: string,
  programs: readonly string[],
  known?: KnownLine,
): number {
  const text = known?.text ?? clean(line);
  if (isNoise(text, line)) {
    return RANK.junk;
  }
  const above = before.charCodeAt(0);
  if ((above === HASH || above === STAR) && ERROR_HEADING.test(before)) {
    return RANK.labeled;
  }
  const hints = known?.hints ?? hintsIn(text, 0, text.length);
  if ((hints & HINT.failure) !== 0 && isFailedTest(text)) {
    return RANK.located;
  }
  // ScalaTest marks the test, and names the reason below.
  if (before.endsWith("*** FAILED ***")) {
    return RANK.assertion;
  }
  if (isOnlyPlace(text)) {
    return RANK.plain;
  }
  // Spring's report about a start that failed, and TeX.
  if (before === "Description:" || (line.startsWith("! ") && (line.charCodeAt(2) | 32) >= 97)) {
    return RANK.labeled;
  }
  // The cause is drawn below it.
  if (next.charCodeAt(0) <= 32 && next.includes("\u2570\u2500\u25b6")) {
    return RANK.labeled;
  }
  // composer numbers the conflicts of a solution.
  if (text.includes(" -> ") && before.trimStart().startsWith("Problem ")) {
    return RANK.labeled;
  }
  // Fast path for most lines: no word of a failure, no label, no address.
  if ((hints & HINT.failure) === 0 && !text.includes(":")) {
    return startsTrailer(text) ? RANK.trailer : RANK.plain;
  }
  if (isTrailer(text, hints) && !namesException(text)) {
    return RANK.trailer;
  }
  const raised = known?.raised ?? rankOfRaised(text, line, next);
  if (raised !== RANK.junk) {
    return raised;
  }
  const row = startsWithDigit(text) ? TABLE_ROW.exec(line) : null;
  if (row !== null) {
    return row[1] === undefined ? RANK.junk + 1 : RANK.compiler;
  }
  const location = LOCATION.exec(text);
  if (location !== null) {
    const label = labelAt(text, location[0].length);
    return label?.sense === "error"
      ? RANK.compiler
      : label?.sense === "lesser"
        ? RANK.junk
        : (hints & HINT.assertion) !== 0 && ASSERTS.test(text.slice(location[0].length))
          ? RANK.assertion
          : RANK.located;
  }
  if ((hints & HINT.assertion) !== 0 && (ASSERTS.test(text) || text.startsWith("Expected equality of"))) {
    return RANK.assertion;
  }
  const mayBeTitled = text.includes(")") || text.includes("\uff09");
  if (line.startsWith(" ! [") || (mayBeTitled && CAPITALS.test(text))) {
    return RANK.rejected;
  }
  const rank = rankOfLabel(text, hints, programs);
  // What a checker found, above the place where it did.
  return rank === RANK.worded && isFrame(next) ? RANK.logged : rank;
}

/** A label and a place without a reason, as PowerShell prints them above the code: `Stop-Service: C:\\jobs\\a.ps1:3`. */
function isOnlyPlace(text: string): boolean {
  const colon = text.indexOf(": ");
  const line = text.lastIndexOf(":");
  return line > colon && colon > 0 && !text.includes(" ", colon + 2) && Number(text.slice(line + 1)) > 0;
}

function startsWithDigit(text: string): boolean {
  const code = text.charCodeAt(0);
  return code >= 48 && code <= 57;
}

function rankOfLabel(text: string, hints: number, programs: readonly string[]): number {
  if (CODED.test(text)) {
    return RANK.compiler;
  }
  if (/^(?:npm (?:ERR!|error)|yarn error|pnpm error)\s/i.test(text)) {
    return RANK.labeled;
  }
  // A program that was started with its path complains in that name.
  const slash = text.startsWith("/") ? text.lastIndexOf("/", text.indexOf(": ")) : 0;
  const label = labelAt(text, slash > 0 ? slash + 1 : 0);
  if (label?.sense === "error") {
    return rankOfError(text, text.slice(label.end).trimStart(), hints);
  }
  if (label?.sense === "lesser") {
    return RANK.junk + 1;
  }
  const logged = LOG_LINE.exec(text);
  if (logged !== null) {
    // The program ends after a fatal line; what it prints below only repeats the failure.
    return logged[1] === undefined ? RANK.logged : RANK.labeled;
  }
  if (label !== undefined && text.charCodeAt(label.end) === 32) {
    // `program: error: message`, `program: message`
    const inner = labelAt(text, label.end + 1);
    if (inner?.sense === "error") {
      // A server's own words explain what the client only reports as refused, but not where to read more.
      const rest = text.slice(inner.end).trim();
      const isReason = rest.split(" ").length >= 3 && !startsTrailer(rest);
      return label.word !== "remote" ? RANK.labeled : isReason ? RANK.refused : RANK.junk + 1;
    }
    if (inner?.sense === "lesser") {
      return RANK.junk + 1;
    }
    if (!label.word.includes(" ") && namesSystemError(text, hints)) {
      return RANK.systemComplaint;
    }
    if (!label.word.includes(" ") && reportsFailure(text, hints) && !text.endsWith(": command not found")) {
      return RANK.complaint;
    }
    const name = label.word.slice(label.word.lastIndexOf("/") + 1);
    if (LOCATION.test(text.slice(label.end + 1)) && isOwn(name, programs)) {
      return RANK.complaint;
    }
    if (SHELLS.has(name) || isOwn(name, programs)) {
      return RANK.named;
    }
  }
  // The shell's own complaint about a command explains what fails below it.
  if (text.endsWith(": command not found")) {
    return RANK.systemComplaint;
  }
  return namesSystemError(text, hints) ? RANK.located : reportsFailure(text, hints) ? RANK.worded : RANK.plain;
}

/** `3/7 rounding FAIL 0.02s exit status 1` in the table of a test runner: the name of a test that failed. */
function isFailedTest(text: string): boolean {
  const words = startsWithDigit(text) && text.includes("/") ? text.split(" ", MAX_ROW_WORDS) : [];
  const [done = "", all = ""] = words[0]?.split("/", 2) ?? [];
  return Number(done) > 0 && Number(done) <= Number(all) && words.some((word) => FAILED_STATES.has(stateIn(word)));
}

/** CTest draws dots up to the state: `........***Exception:`. */
function stateIn(word: string): string {
  const stars = word.indexOf("***");
  return stars > 0 ? word.slice(stars) : word;
}
const MAX_ROW_WORDS = 8;
const FAILED_STATES = new Set(["FAIL", "FAILED", "TIMEOUT", "***Failed", "***Timeout", "***Exception:"]);

/** Rank of a line that starts with the label of an error. */
function rankOfError(text: string, rest: string, hints: number): number {
  // `ERROR: usage: …` repeats the usage; the complaint is another line.
  if (isUsageLine(rest)) {
    return RANK.worded;
  }
  // `[ERROR] a.java:[3,5] …` of Maven.
  if (text.startsWith("[") && LOCATION.test(rest)) {
    return RANK.compiler;
  }
  // ninja names the files that were not built; the complaint is below the command.
  if (text.startsWith("FAILED: ") && rest.split(" ").every((word) => word.includes(".") || word.startsWith("["))) {
    return RANK.worded;
  }
  return namesSystemError(text, hints) ? RANK.systemComplaint : RANK.labeled;
}

/** Shells complain in their own name about commands they could not run. */
const SHELLS = new Set("bash sh zsh dash ksh fish ash -bash".split(" "));

/** Whether a program of the call complains: `dpkg-query` speaks for `dpkg`. */
function isOwn(name: string, programs: readonly string[]): boolean {
  return programs.some((one) => one !== "" && (name === one.toLowerCase() || name.startsWith(`${one.toLowerCase()}-`)));
}

/** Whether the line is a frame of a stack. */
export function isFrame(line: string): boolean {
  return /^\s+(?:at |File "|from |in )/.test(line);
}

/** Java and Node.js mark the cause; Ruby prints it below the raised exception in the same form. */
export function isCause(line: string): boolean {
  return isRaisedInRuby(line) || /^\s*(?:Caused by: |\[cause\]: |---> )/.test(line);
}
