import { argumentFields, asksServer, closingEcho, programsOf, retries, runsOneProgram } from "../call/shell-command.ts";
import { actionOf, confirmsAction } from "../call/tool-action.ts";
import type { ToolKind } from "../call/tool-kind.ts";
import { HINT } from "../reason/hints.ts";
import { RANK } from "../reason/line-rank.ts";
import { purposeOf } from "../reason/run-category.ts";
import { findTellingLine } from "../reason/telling-line.ts";
import { createSignal, type Signal } from "../signal.ts";
import { fieldContext, findFailedResult } from "../structure/fields/failed-result.ts";
import { hasSucceeded, type TextContext } from "../text-signals.ts";
import { isAboutWords, mayReport, readWording } from "../wording/read-wording.ts";
import { findClosingError } from "./closing-error.ts";
import { findDatabaseError, findErrorRecord } from "./error-records.ts";
import { findErrorPage, findErrorStatus, findHarnessSentence } from "./harness-sentences.ts";
import { asksState, findErrorHeading, findLabeledObject, findOpening, namesOutage } from "./openings.ts";
import {
  findOwnComplaint,
  findSystemComplaint,
  findUsageText,
  hadNothingToDo,
  hasCommitted,
  isEarlierComplaint,
  isRequestedHelp,
  showsWordsOfOthers,
} from "./own-complaint.ts";
import { printsStatus, readPrintedStatus } from "./printed-status.ts";
import { endsClean, findSummary } from "./summaries.ts";
import { type TextWindow, windowBetween } from "./text-window.ts";
import { findTraceback, isLoggedTraceback, TRACEBACK } from "./traceback.ts";
import { type WindowHints, windowHints } from "./window-hints.ts";

/** Numbered lines are the content of a file. */
const NUMBERED = /^\d{1,7}(?:\t|\u2192|[:|] ?)/;

/** Finds the signals in plain text: formats that are contracts first, then the wording. */
export function readPlain(
  window: TextWindow,
  context: TextContext,
  stated: Signal | undefined,
  hints: WindowHints = windowHints(window, context.kind),
): Signal | undefined {
  const { kind, toolName } = context;
  const { text, start, end } = window;
  const form = findForm(window, context);
  if (form !== undefined) {
    return form;
  }
  // Fast path for most results: they contain no word that any rule below needs.
  const wording = mayReport(window, kind, toolName, hints);
  const printed = kind === "shell" && printsStatus(context.command);
  if (!wording && !printed && !hasFormat(window, kind, hints)) {
    return undefined;
  }
  if ((kind === "read" || kind === "search") && NUMBERED.test(text.slice(start, start + 24))) {
    return undefined;
  }
  if ((kind === "read" || kind === "search" || kind === "shell") && listsFiles(window)) {
    return undefined;
  }
  const last = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  if (last > start && kind === "shell" && retries(context.command ?? "")) {
    return readPlain(windowBetween(text, last, end), context, stated);
  }
  const sentence = findHarnessSentence(window, kind);
  if (sentence !== undefined && !isRequested(sentence, toolName)) {
    return sentence;
  }
  const heading = kind === "shell" || kind === "prose" ? undefined : findErrorHeading(window);
  if (heading !== undefined) {
    return heading;
  }
  if (isLog(context) && !isSingleLine(window)) {
    return undefined;
  }
  const isFine =
    kind === "shell"
      ? hadNothingToDo(window, context.command) ||
        hasCommitted(window, context.command) ||
        isRequestedHelp(window, context.command) ||
        endsClean(window) ||
        wentOn(window, context.command)
      : kind === "http" && describesPage(window);
  if (isFine) {
    return undefined;
  }
  if (kind === "api" && namesOutage(window)) {
    return asksState(toolName)
      ? undefined
      : createSignal("failure", "opening", start, text.slice(start, end), 0.8, { category: "network" });
  }
  const status = printed ? readPrintedStatus(window, context.command) : undefined;
  if (status !== undefined) {
    return status.says === "failure" ? status : undefined;
  }
  const usage = kind === "shell" ? findUsageText(window, context.command) : undefined;
  if (usage !== undefined) {
    return usage;
  }
  if (kind === "shell" && (!isSingleLine(window) || isSearchHit(window)) && showsWordsOfOthers(context.command)) {
    return findOwnComplaint(window, context.command);
  }
  if (
    confirms(window, context) ||
    startsWithSuccess(window) ||
    countsWork(window) ||
    (kind === "shell" && isEarlierComplaint(window, context.command))
  ) {
    return undefined;
  }
  const complaint =
    kind === "shell" && stated?.exitCode !== 0
      ? (findSystemComplaint(window, context.command) ?? findErrorRecord(window, context.command))
      : undefined;
  if (complaint !== undefined) {
    return complaint;
  }
  return (
    findPage(window, context) ??
    (kind === "shell" || kind === "api" ? findUnhandledTraceback(window, context, stated) : undefined) ??
    (kind === "shell"
      ? (findSummary(window) ?? findLabeledObject(window) ?? closing(window, context, stated))
      : ((kind === "sql" ? findDatabaseError(window) : undefined) ??
        (kind === "prose" && rendersWords(toolName)
          ? undefined
          : findOpening(window, kind, actionOf(toolName) !== undefined)) ??
        (kind !== "read" && kind !== "search" && kind !== "prose" && runsProgram(toolName)
          ? (findSummary(window) ?? findClosingError(window, []))
          : undefined))) ??
    (!wording || hasSucceeded(context, stated) ? undefined : readWording(window, context)) ??
    (kind === "shell" ? findTruncation(window, stated) : undefined)
  );
}

/** Finds the error at the end of a program's output, unless the exit code says that the program succeeded. */
function closing(window: TextWindow, context: TextContext, stated: Signal | undefined): Signal | undefined {
  if (hasSucceeded(context, stated)) {
    return undefined;
  }
  const { command } = context;
  return (
    // What a server answered is not the program's.
    (asksServer(command ?? "") ? undefined : findClosingError(window, programsOf(command ?? ""))) ??
    (purposeOf(command) === "build" ? findDiagnosis(window) : undefined)
  );
}

/** Finds what needs no word of a failure: fields on lines of their own, and pages instead of the requested one. */
function findForm(window: TextWindow, context: TextContext): Signal | undefined {
  const { kind, toolName } = context;
  const hasFields = (kind === "api" || kind === "http") && actionOf(toolName) !== undefined && !isSingleLine(window);
  return (
    (hasFields ? findFailedResult(window, fieldContext(context)) : undefined) ??
    (kind === "http" ? findErrorPage(window) : undefined)
  );
}

/** Finds the error of a compiler, which fails after it. */
function findDiagnosis({ text, start, end }: TextWindow): Signal | undefined {
  const telling = findTellingLine(text.slice(start, end));
  return telling?.rank === RANK.compiler
    ? createSignal("failure", "closing-error", start, telling.line, 0.85, { category: "build_failure" })
    : undefined;
}

/** Words in the names of tools that run a program, so that their result is its output. */
const RUNS = ["test", "build", "lint", "run", "install", "deploy", "compile"];

function runsProgram(toolName = ""): boolean {
  const lower = toolName.toLowerCase();
  return RUNS.some((word) => lower.includes(word));
}

/** Finds the error page of a server. A program that asked the server did its own work. */
function findPage(window: TextWindow, context: TextContext): Signal | undefined {
  const { kind } = context;
  if (kind === "api" || kind === "search" || kind === "sql") {
    return findErrorPage(window);
  }
  const { command = "" } = context;
  const page =
    kind === "shell" && asksServer(command) ? (findErrorPage(window) ?? findErrorStatus(window, command)) : undefined;
  return page === undefined ? undefined : { ...page, denied: true };
}

/** A program that goes on to succeed handled the exception that it printed. */
function findUnhandledTraceback(
  window: TextWindow,
  context: TextContext,
  stated: Signal | undefined,
): Signal | undefined {
  const found = findTraceback(window);
  return found !== undefined && stated?.exitCode === 0 && runsOneProgram(context.command) ? undefined : found;
}

/** How programs say that they handled an exception. */
const HANDLES = ["handled", "falling back", "fallback", "recover", "retry", "retried", "ignoring", "skipping"];

/** Whether a program logged a traceback, or says below one that it handles it, and at last that it is done. */
function wentOn(whole: TextWindow, command: string | undefined): boolean {
  const at = whole.text.indexOf(TRACEBACK, whole.start);
  if (at === -1 || at >= whole.end) {
    return false;
  }
  // What an `echo` prints at last says nothing about the program.
  const echo = closingEcho(command ?? "");
  const isEcho = echo !== undefined && whole.text.startsWith(echo, whole.end - echo.length);
  const window = isEcho ? windowBetween(whole.text, whole.start, whole.end - echo.length) : whole;
  const { text, end } = window;
  if (!runsOneProgram(command)) {
    return isLoggedTraceback(window);
  }
  const lower = text.slice(Math.max(at, end - LAST_PART), end).toLowerCase();
  const last = lower.lastIndexOf("\n");
  return (
    isLoggedTraceback(window) ||
    (DONE.some((word) => lower.startsWith(word, last + 1)) &&
      HANDLES.some((word) => lower.lastIndexOf(word, last) > lower.indexOf("error")))
  );
}
const LAST_PART = 2000;
const DONE = ["done", "finished", "completed", "ok", "success", "all "];

/** What a page, a document or an article does, in the words of a tool that read it. */
const DESCRIBES = new Set("describes lists explains covers documents shows contains discusses says states".split(" "));

/** Whether the first sentence says what a page is about, so that errors are its subject. */
function describesPage({ text, start, end }: TextWindow): boolean {
  const [article = "", , verb = ""] = text.slice(start, Math.min(end, start + 80)).split(" ", 3);
  return (article === "The" || article === "This") && DESCRIBES.has(verb);
}

/** Longest list of files that is recognized; longer ones have other lines, too. */
const LIST_LENGTH = 4000;

/** Whether every line is the name of a file. */
function listsFiles({ text, start, end }: TextWindow): boolean {
  const list = end - start > LIST_LENGTH ? "" : text.slice(start, end);
  return (
    list.includes(".") &&
    !list.includes(" ") &&
    !list.includes(":") &&
    list
      .trimEnd()
      .split("\n")
      .every((line) => line.includes("/") || line.includes("."))
  );
}

/** Whether the result is what someone else wrote or said, which may start like an error. */
function rendersWords(toolName = ""): boolean {
  const lower = toolName.toLowerCase();
  return isAboutWords(toolName) || RENDERS.some((word) => lower.includes(word));
}
const RENDERS = ["ocr", "transcri", "caption", "speech", "tradu", "bersetz"];

/** Longer results are more than a confirmation. */
const SUCCESS_LENGTH = 200;
const SUCCESS_STARTS = ["Successfully ", "Success: ", "\u2713 ", "\u2705 "];

/** Whether a single line starts by saying that the call succeeded, and goes on without a failure. */
function startsWithSuccess(window: TextWindow): boolean {
  const { text, start, end } = window;
  if (end - start > SUCCESS_LENGTH || !SUCCESS_STARTS.some((words) => text.startsWith(words, start))) {
    return false;
  }
  const lower = text.slice(start, end).toLowerCase();
  return isSingleLine(window) && !FAILS.some((word) => lower.includes(word));
}

/** Verbs of what went wrong, which a sentence may start with too. */
const WENT_WRONG = new Set(
  "failed aborted errored crashed refused rejected denied killed skipped timed cancelled canceled blocked terminated exceeded".split(
    " ",
  ),
);

/** `Deleted 3 failed jobs.`: a single line that says what was done with things that had failed before. */
function countsWork(window: TextWindow): boolean {
  const { text, start, end } = window;
  if (end - start > SUCCESS_LENGTH || !isSingleLine(window)) {
    return false;
  }
  const lower = text.slice(start, end).toLowerCase();
  const words = lower.split(" ", 4);
  const [verb = "", count = "", state] = words[0] === "successfully" ? words.slice(1) : words;
  const isWork = verb.endsWith("ed") && !WENT_WRONG.has(verb) && count !== "" && Number.isInteger(Number(count));
  const rest = lower.replace(`${count} failed `, "");
  return isWork && state === "failed" && !FAILS.some((word) => rest.includes(word));
}

const FAILS = ["fail", "error", "but ", "not ", "except"];

/** `src/a.ts:12:code`, or `12:code` of a single file: a hit of a search. */
function isSearchHit({ text, start, end }: TextWindow): boolean {
  const line = text.slice(start, Math.min(end, start + 200));
  const colon = line.indexOf(":");
  if (colon > 0 && Number.isInteger(Number(line.slice(0, colon)))) {
    return true;
  }
  const second = line.indexOf(":", colon + 1);
  const number = second === -1 ? "" : line.slice(colon + 1, second);
  return colon > 0 && !line.slice(0, colon).includes(" ") && number !== "" && Number.isInteger(Number(number));
}

/** A shorter answer of an agent may be the client's notice that there is none. */
const NOTICE_LENGTH = 240;
/** How clients start a notice about a call. */
const NOTICES = ["Tool ", "[Tool "];
const ANY_FORMAT = HINT.failure | HINT.stopped | HINT.truncated;

/** Whether the text may have one of the formats: a word of it, a page, a heading, a traceback. */
export function hasFormat(
  { text, start, end }: TextWindow,
  kind: ToolKind,
  { first, head, tail }: WindowHints,
): boolean {
  const code = text.charCodeAt(start);
  return (
    ((head | tail) & ANY_FORMAT) !== 0 ||
    (head & HINT.wrapper) !== 0 ||
    (end - start <= NOTICE_LENGTH && (kind === "agent" || NOTICES.some((words) => text.startsWith(words, start)))) ||
    code === 35 ||
    code === 60 ||
    // The status of a request.
    ((first & HINT.exit) !== 0 && (kind === "api" || kind === "http")) ||
    ((kind === "shell" || kind === "api") && text.includes(TRACEBACK, start))
  );
}

/** Longer answers describe more than the action. */
const CONFIRMATION_LENGTH = 200;

/** Whether a tool that acts says that it did. */
function confirms({ text, start, end }: TextWindow, { kind, toolName }: TextContext): boolean {
  const mayConfirm = kind === "api" || kind === "edit" || kind === "sql" || kind === "http";
  const action = mayConfirm && end - start <= CONFIRMATION_LENGTH ? actionOf(toolName) : undefined;
  return action !== undefined && confirmsAction(text.slice(start, end), action);
}

function isSingleLine({ text, start, end }: TextWindow): boolean {
  const newline = text.indexOf("\n", start);
  return newline === -1 || newline >= end;
}

const LOG_FILES = new Set("log trace out err po csv json jsonl yaml yml txt ipynb har".split(" "));

/** A reading tool that shows a log or data: every line of it is content. */
function isLog({ kind, arguments: args }: TextContext): boolean {
  return (
    kind === "read" &&
    Object.values(argumentFields(args) ?? {}).some(
      (value) => typeof value === "string" && LOG_FILES.has(extensionOf(value)),
    )
  );
}

/** The last letters of a file's name, in lower case. */
export function extensionOf(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot === -1 || path.length - dot > 8 ? "" : path.slice(dot + 1).toLowerCase();
}

/** Of a tool that cancels something, "cancelled" reports success. */
function isRequested({ category }: Signal, toolName: string | undefined): boolean {
  return category === "cancelled" && /cancel|abort|stop|kill|interrupt/i.test(toolName ?? "");
}

/** A truncation mark at the end of a text. */
const CUT =
  /(?:\[?(?:output|result|content|response)? ?(?:truncated|omitted|cut)\b[^\n]{0,60}\]?|\.\.\. ?\(?truncated\)?|<truncated>)\s*$/i;

function findTruncation({ text, start, end }: TextWindow, stated: Signal | undefined): Signal | undefined {
  if (stated !== undefined) {
    return undefined;
  }
  const at = Math.max(start, end - 120);
  const last = text.slice(at, end);
  return (last.includes("runcated") || last.includes("mitted") || last.includes("utput cut")) && CUT.test(last)
    ? createSignal("open", "cut", at, text.slice(at, end).trim(), 0.6)
    : undefined;
}
