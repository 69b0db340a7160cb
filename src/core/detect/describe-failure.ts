import type { Category, Phase, Retryable } from "../model/outcome.ts";
import { programsOf } from "./call/shell-command.ts";
import type { ToolKind } from "./call/tool-kind.ts";
import type { InvalidCall } from "./call/validate-call.ts";
import { categoryOfExit, categoryOfMessage, namesSystemError } from "./reason/category.ts";
import { innerText } from "./reason/inner-text.ts";
import { RANK } from "./reason/line-rank.ts";
import { isSentence } from "./reason/message.ts";
import { isGenericException, isOwnException, purposeOf } from "./reason/run-category.ts";
import { hasSpecifics } from "./reason/specifics.ts";
import { findAnswerLine, findTellingLine, type TellingLine } from "./reason/telling-line.ts";
import { testNameOf } from "./reason/test-name.ts";
import { getErrorSeverity, RETRY_ADVICE } from "./severity.ts";
import type { Signal } from "./signal.ts";
import { reasonIn } from "./structure/fields/reason.ts";
import { resultFields } from "./structure/fields/result-fields.ts";
import { isValidationErrorList } from "./structure/json-entity.ts";
import { type TextWindow, textWindow } from "./text/text-window.ts";
import type { TextContext, TextSignals } from "./text-signals.ts";

/** A soft failure has half the severity. */
const SOFT_WEIGHT = 0.5;

/** The fields of an outcome that only failures have. */
export interface Failure {
  readonly phase: Phase;
  readonly category: Category;
  readonly severity: number;
  readonly retryable: Retryable;
  readonly message: string;
}

/** Describes a failure: category, phase, severity, retry advice and message. */
export function failureOf(
  signals: TextSignals,
  fault: InvalidCall | undefined,
  text: string,
  soft: boolean,
  context: TextContext,
): Failure {
  const { stated, report } = signals;
  const failure = report?.says === "failure" ? report : stated?.says === "failure" ? stated : undefined;
  const ran = stated?.exitCode !== undefined || isOutput(failure, context.kind);
  const command = context.kind === "shell" ? context.command : undefined;
  const telling = tellingLineOf(signals, failure, text, command, context.kind);
  const reason = telling?.line ?? messageOf(failure?.words ?? text, failure);
  const category = listsInvalidArguments(signals.body)
    ? "invalid_arguments"
    : categoryOf(failure, stated, reason, telling, ran ? undefined : fault, context, command);
  // What the program printed, without the object around it.
  const body = category === "test_failure" ? bodyOf(signals, text) : "";
  const test = body === "" ? undefined : testNameOf((isJson(body) ? innerText(body) : undefined) ?? body, reason);
  const message = test === undefined ? reason : `${test}: ${reason}`;
  // A person's refusal of the call is no output of a program, also where a shell's text counts as output.
  const mayBeRefusal = category === "cancelled" && stated?.exitCode === undefined;
  const phase =
    fault !== undefined && !ran
      ? "call"
      : (failure?.phase ?? (ran && !mayBeRefusal ? "run" : phaseOf(category, message)));
  const severity = getErrorSeverity(category);
  return {
    phase,
    category,
    severity: soft ? severity * SOFT_WEIGHT : severity,
    retryable: RETRY_ADVICE[category],
    message,
  };
}

/** Rules that match words of the client, or of a rule of the user; all others match output. */
const NOT_OUTPUT = ["client-", "user-", "error-tag", "harness-", "wrapper"];

/** Output of a program proves that it ran. */
function isOutput(failure: Signal | undefined, kind: ToolKind): boolean {
  return (
    failure !== undefined &&
    (failure.rule.startsWith("traceback") || (kind === "shell" && !startsWithAny(failure.rule, NOT_OUTPUT)))
  );
}

/** Rules that read the message itself; for all others it is searched in the result. */
const OWN_WORDS =
  "client- user- error-tag field-error field-results field-state field-not-done field-no-result field-code harness- error-page".split(
    " ",
  );

function startsWithAny(rule: string, starts: readonly string[]): boolean {
  return starts.some((start) => rule.startsWith(start));
}

function tellingLineOf(
  signals: TextSignals,
  failure: Signal | undefined,
  text: string,
  command: string | undefined,
  kind: ToolKind,
): TellingLine | undefined {
  const programs = command === undefined ? [] : programsOf(command);
  const isOwn = failure !== undefined && startsWithAny(failure.rule, OWN_WORDS);
  // The words of a tag around a long output are cut.
  const isCut = failure?.rule === "error-tag" && kind === "shell" && failure.words.includes("\n");
  const body = bodyOf(signals, text);
  const whole = isOwn && !isCut ? failure.words : body;
  const json = isOwn && isJson(whole) ? (innerText(whole) ?? innerText(body)) : fieldsBeside(whole, isOwn ? body : "");
  const inner = json ?? (isOwn || isJson(whole) ? innerText(whole) : (labeledText(whole) ?? reasonOfElements(body)));
  const find = (part: string): TellingLine | undefined =>
    kind === "shell" ? findTellingLine(part, isOwn ? [] : programs) : findAnswerLine(part);
  const found = find(inner ?? whole) ?? (inner === undefined || isOwn ? undefined : find(whole));
  // A client's exit code above its other remarks: what it states is not the output below it.
  return found === undefined && kind === "shell" && !isOwn && whole !== "" && whole !== text ? find(text) : found;
}

/** The reason in the elements of XML. */
function reasonOfElements(body: string): string | undefined {
  const fields = body.startsWith("<") ? resultFields(textWindow(body)) : undefined;
  return fields === undefined ? undefined : reasonIn(fields);
}

/** An error that names nothing, with what the fields beside it add: its sentence, its argument, its status. */
function fieldsBeside(words: string, body: string): string | undefined {
  const whole = words.length <= MAX_TITLE && !hasSpecifics(words) ? innerText(body) : undefined;
  return whole?.includes(words) === true ? whole : undefined;
}
const MAX_TITLE = 40;

function bodyOf({ body }: TextSignals, text: string): string {
  return body === undefined ? text : body.text.slice(body.start, body.end);
}

/** Characters before a list of validation errors: the label of a client. */
const MAX_LABEL = 200;

/** Whether the text is a list of validation errors below a label. */
function listsInvalidArguments(body: TextWindow | undefined): boolean {
  const list = body === undefined ? -1 : body.text.slice(body.start, body.start + MAX_LABEL).indexOf(": [\n");
  return body !== undefined && list !== -1 && isValidationErrorList({ ...body, start: body.start + list + 2 });
}

/** The reason inside an object or list below a label: `Invalid arguments: [ { "path": ["id"], "message": … } ]`. */
function labeledText(text: string): string | undefined {
  const newline = text.indexOf("\n");
  const first = newline === -1 ? "" : text.slice(0, newline).trimEnd();
  const last = first.charAt(first.length - 1);
  if (last !== "[" && last !== "{") {
    return undefined;
  }
  const inner = innerText(text.slice(first.length - 1).trimEnd());
  return inner === undefined ? undefined : `${first.slice(0, -1).trimEnd()} ${inner}`;
}

function isJson(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === 123 || first === 91;
}

/** Categories that the message may refine. */
const VAGUE: ReadonlySet<Category> = new Set<Category>(["failed", "http_client_error", "error", "exit_code"]);

/** Categories whose words compilers and linters use for the code that they read. */
const DESCRIBES_CODE: ReadonlySet<Category> = new Set<Category>([
  "not_found",
  "precondition",
  "test_failure",
  "oversized",
  "permission_denied",
  "error",
]);

/** Rules that match what a program printed, or its exit code. */
const PROGRAM_RULES =
  "traceback wording summary own-complaint closing-error powershell-record database-error printed-status http-status usage-text exit-status field-exit-status script-status".split(
    " ",
  );
const MIN_OUTPUT = 12;

/** Words of a breakdown; without one, a tool that explains why there is no result says what stands in the way. */
const BREAKDOWN =
  "error|fail|wrong|exception|unexpected|unable to|cannot read|undefined|traceback|try again|fehler|erreur|errore".split(
    "|",
  );

function namesObstacle(message: string, { kind }: TextContext): boolean {
  const lower = message.toLowerCase();
  return kind === "api" && isSentence(message) && !BREAKDOWN.some((word) => lower.includes(word));
}

function categoryOf(
  failure: Signal | undefined,
  stated: Signal | undefined,
  message: string,
  telling: TellingLine | undefined,
  fault: InvalidCall | undefined,
  context: TextContext,
  command: string | undefined,
): Category {
  if (fault !== undefined) {
    return fault.category;
  }
  const isProgram = context.kind === "shell" && (failure === undefined || startsWithAny(failure.rule, PROGRAM_RULES));
  const writer = isProgram ? "program" : "tool";
  // The lines that complete a message may be code or values.
  const byLine = telling === undefined || telling.own === message ? undefined : categoryOfMessage(telling.own, writer);
  const byMessage = byLine ?? categoryOfMessage(message, writer);
  const rank = telling?.rank ?? 0;
  const known = failure?.category;
  if (known !== undefined && !VAGUE.has(known)) {
    // A failed build whose reason is a missing file or program.
    const isSystemError = known === "build_failure" && namesSystemError(message) && rank !== RANK.compiler;
    return isSystemError ? (byMessage ?? known) : known;
  }
  const exitCode = stated?.says === "failure" ? stated.exitCode : printedCode(failure);
  const byCode = exitCode === undefined ? undefined : categoryOfExit(exitCode, message);
  if (byCode !== undefined) {
    return byCode;
  }
  const byUsage = telling?.pointsToHelp === true ? "invalid_arguments" : undefined;
  if (!isProgram) {
    // The name of the error may stand in a field beside the message.
    const byField = isJson(failure?.words ?? "") ? categoryOfMessage(failure?.words ?? "", writer) : undefined;
    return byMessage ?? byUsage ?? byField ?? known ?? (namesObstacle(message, context) ? "precondition" : "error");
  }
  // A word or two is no output of a compiler or a test runner.
  const purpose = failure !== undefined && message.length >= MIN_OUTPUT ? purposeOf(command) : undefined;
  const bySignal = telling?.signal === undefined ? undefined : categoryOfMessage(telling.signal, writer);
  if (bySignal !== undefined) {
    return bySignal;
  }
  const unnamed = exitCode === undefined || rank >= RANK.worded ? "error" : "exit_code";
  // Only the exit code is known: the purpose of the command is no reason.
  const isSilent = telling === undefined && byMessage === undefined;
  return (
    categoryOfOutput(message, rank, purpose, byMessage, command) ??
    (isSilent ? unnamed : undefined) ??
    categoryByPurpose(message, purpose, byMessage, byUsage) ??
    (byMessage === "test_failure" ? undefined : byMessage) ??
    byUsage ??
    known ??
    unnamed
  );
}

/** The exit code that the command printed itself: `rc=124`. */
function printedCode(failure: Signal | undefined): number | undefined {
  const number = failure?.rule === "printed-status" ? /\d+$/.exec(failure.words) : null;
  return number === null ? undefined : Number(number[0]);
}

/** A line of a file, behind its name or with its number. */
const IN_DATA = /\b(?:line|row) \d|\.\w{1,5}:\d/;

/** A line of a source, as compilers print it: `a.texi:3: misplaced {`. */
const SOURCE_LINE = /^[^\s:]{1,100}\.[a-z]\w{0,5}:\d[\d.:-]*: /;

type Purpose = ReturnType<typeof purposeOf>;

/** The category of a line that only a compiler or an interpreter prints. */
function categoryOfOutput(
  message: string,
  rank: number,
  purpose: Purpose,
  byMessage: Category | undefined,
  command: string | undefined,
): Category | undefined {
  // `a.csv line 3: invalid number`: a program found it in its data, not in its call.
  if (byMessage === "invalid_arguments" && rank !== RANK.compiler && IN_DATA.test(message)) {
    return purpose === "build" ? "build_failure" : "error";
  }
  // Compilers write it small; Swift prints it where a program ended.
  if (message.includes(": Fatal error: ")) {
    return "crash";
  }
  const isUsage = byMessage === "invalid_arguments" && !message.includes(":1");
  if (rank === RANK.compiler && purpose !== "test" && !isUsage && !message.startsWith("HTTP/")) {
    return "build_failure";
  }
  if (byMessage === undefined && purpose !== "test" && SOURCE_LINE.test(message)) {
    return "build_failure";
  }
  if ((isGenericException(message) || isOwnException(message, byMessage, command)) && !namesSystemError(message)) {
    return purpose === "test" ? "test_failure" : "error";
  }
  return undefined;
}

function categoryByPurpose(
  message: string,
  purpose: Purpose,
  byMessage: Category | undefined,
  byUsage: Category | undefined,
): Category | undefined {
  if (purpose === "build") {
    // A compiler's or linter's words describe the code ("cannot find x"); only the others are about the run.
    const isAboutRun =
      byMessage !== undefined &&
      (namesSystemError(message) || message.includes("HTTP ") || !DESCRIBES_CODE.has(byMessage));
    return isAboutRun ? byMessage : (byUsage ?? "build_failure");
  }
  if (purpose !== "test") {
    return undefined;
  }
  return byMessage === "not_found" || byMessage === "invalid_arguments" || byMessage === "build_failure"
    ? byMessage
    : "test_failure";
}

/** Returns the first line with content. */
function messageOf(words: string, failure: Signal | undefined): string {
  const [line = ""] = words.trim().split("\n", 1);
  return line === "" ? (failure?.rule ?? "") : line.trimEnd().slice(0, 500);
}

/** Refusals by a user, a rule or a policy before the call ran. */
const GATE =
  "haven't granted|requested permissions|has been denied|was denied|denied by|hook error|blocked by|was blocked|not allowed by|policy|by user|by the user|user rejected|user did not allow|user declined|user denied|user doesn't|user does not|tool use was rejected|approval|permission to use|permission to run|sandbox".split(
    "|",
  );

/** Derives the phase from the category and the text, if nothing else determines it. */
export function phaseOf(category: Category, words: string): Phase {
  if (category === "unknown_tool" || category === "invalid_arguments" || category === "precondition") {
    return "call";
  }
  const mayBeGate = category === "permission_denied" || category === "cancelled";
  return mayBeGate && GATE.some((phrase) => words.toLowerCase().includes(phrase)) ? "gate" : "run";
}
