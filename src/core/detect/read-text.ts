import { openEnvelopes } from "./envelope.ts";
import { findExitMarker } from "./exit-marker.ts";
import { type Finding, finding } from "./finding.ts";
import { listsComplaints, listsThings } from "./json-entity.ts";
import { findField, looksStructured, onlySentence, printedText } from "./json-rules.ts";
import { findLead } from "./lead-rules.ts";
import { findLastLines, findTraceback } from "./output-rules.ts";
import { findOwnComplaint } from "./own-complaint.ts";
import { findPhrase, findScriptStatus } from "./phrases.ts";
import { type Reading, type ReadingContext, withoutStatus, withStatus } from "./reading.ts";
import { findSentence } from "./sentence-rules.ts";
import { asksServer, commandOf, showsOthers, showsStoredText } from "./shell-command.ts";
import { type TextWindow, textWindow, windowBetween } from "./text-window.ts";
import type { ToolKind } from "./tool-kind.ts";
import { findUserRule } from "./user-rules.ts";

/** Kinds of tools around whose output a harness may print an exit status. */
const EXIT_KINDS: ReadonlySet<ToolKind> = new Set(["shell", "api", "agent", "sql"]);

const NOTHING =
  /^[([<"']{0,2}(?:no (?:stdout |console )?output(?: (?:returned|produced|captured))?|empty(?: (?:output|result|response))?|none|null|nil|undefined|no content)\.?[)\]>"']{0,2}$/i;

/** A text that says it was cut where it ends. */
const CUT =
  /(?:\[?(?:output|result|content|response)? ?(?:truncated|omitted)\b[^\n]{0,60}\]?|\.\.\. ?\(?truncated\)?|<truncated>)\s*$/i;

/** Lines with their numbers are a file's, whatever they say. */
const NUMBERED = /^\d{1,7}(?:\t|\u2192|[:|] ?)/;

/** Reads a result's text: rules in order of how much they can be trusted. */
export function readText(whole: string, context: ReadingContext): Reading {
  const { profile, kind } = context;
  const opened = openEnvelopes(whole);
  const { window, says } = opened;
  if (context.rules !== undefined && context.rules.length > 0) {
    const own = findUserRule(window, context.toolName, context.rules);
    if (own !== undefined) {
      return { kind: "reading", report: own };
    }
  }
  const structured = looksStructured(window);
  const marker =
    structured || !EXIT_KINDS.has(kind)
      ? undefined
      : (findScriptStatus(window, profile) ?? findExitMarker(window, kind === "shell"));
  const stated = marker?.stated === true ? marker : says?.stated === true ? says : undefined;
  if (!context.heuristics) {
    return stated === undefined ? { kind: "reading" } : { kind: "reading", stated };
  }
  const phrase = profile.phrases.length === 0 ? undefined : findPhrase(window, profile);
  if (phrase !== undefined) {
    return stated === undefined ? { kind: "reading", report: phrase } : { kind: "reading", stated, report: phrase };
  }
  if (marker?.final === true) {
    return { kind: "reading", report: marker };
  }
  const body = marker === undefined ? window : around(window, marker);
  const report = says?.says === "failure" ? says : readBody(body, context, stated);
  if (stated === undefined && report?.stated === true) {
    return withStatus(report, undefined, context);
  }
  return stated === undefined ? withoutStatus(report, context) : withStatus(stated, report, context, body);
}

/** The tool's own output: what is left without the header or the footer that holds the exit status. */
function around(window: TextWindow, marker: Finding): TextWindow {
  const { text, start, end } = window;
  const line = text.indexOf("\n", marker.at);
  if (marker.footer === true) {
    return windowBetween(text, start, marker.at);
  }
  if (line === -1) {
    return windowBetween(text, end, end);
  }
  const label = /^(?:[^\n]{0,120}\n){0,3}?[ \t]*(?:code )?output:[ \t]*\n?/i.exec(text.slice(line + 1, line + 400));
  const from = line + 1 + (label?.[0].length ?? 0);
  return windowBetween(text, Math.min(from, end), end);
}

function readBody(window: TextWindow, context: ReadingContext, stated: Finding | undefined): Finding | undefined {
  const { text, start, end } = window;
  if (start >= end) {
    return finding("open", "empty", 0, "", 0.9);
  }
  if (end - start <= 40 && NOTHING.test(text.slice(start, end))) {
    return finding("open", "empty", start, text.slice(start, end), 0.9);
  }
  if (isBinary(text, start, end)) {
    return finding("open", "binary", start, "", 0.8);
  }
  if (looksStructured(window)) {
    return readStructured(window, context);
  }
  if (text.startsWith("Success", start)) {
    return undefined;
  }
  return context.kind === "shell" ? readOutput(window, context, stated) : readAnswer(window, context.kind);
}

/** What a program printed. */
function readOutput(window: TextWindow, context: ReadingContext, stated: Finding | undefined): Finding | undefined {
  const traceback = findTraceback(window);
  const last = traceback === undefined ? findLastLines(window) : undefined;
  const lead =
    traceback === undefined && (last === undefined || last.confidence < SURE) ? findLead(window, "shell") : undefined;
  const found =
    traceback ??
    strongest(lead === undefined || endsWell(window) ? undefined : lead, last) ??
    sentence(window, "shell");
  if (found === undefined) {
    return mayComplain(window)
      ? (findOwnComplaint(window, commandOf(context.arguments)) ?? cutOff(window, stated))
      : cutOff(window, stated);
  }
  const command = commandOf(context.arguments);
  if (command !== undefined && showsOthers(command)) {
    const newline = window.text.indexOf("\n", window.start);
    return newline === -1 || newline >= window.end ? found : findOwnComplaint(window, command);
  }
  // A command that only shows stored text prints other people's errors; its own complaints have one form.
  if (command !== undefined && (showsStoredText(command) || asksServer(command))) {
    return isComplaint(last) ? last : findOwnComplaint(window, command);
  }
  return found;
}

/** A last line this sure is not asked about the first. */
const SURE = 0.85;

/** Programs that try again tell the first failures first; the last line says how it ended. */
const GOOD_END =
  /\b(?:succeeded|success(?:ful|fully)?|completed?|passed|finished|done|0 (?:errors?|failed|failures))\b[^\n]{0,40}$/i;

function endsWell({ text, start, end }: TextWindow): boolean {
  const at = text.lastIndexOf("\n", end - 1);
  if (at <= start) {
    return false;
  }
  const line = text.slice(Math.max(at + 1, end - 200), end);
  return GOOD_END.test(line) && !/\b(?:not|un|never|fail\w*|errors?)\b/i.test(line.replace(/\b0 \w+/, ""));
}

/** Is the first or the last line of the form `word: …`? Only then the command is worth reading. */
function mayComplain({ text, start, end }: TextWindow): boolean {
  const at = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  return text.slice(at, at + 32).indexOf(": ") > 0 || text.slice(start, start + 32).indexOf(": ") > 0;
}

/** What any other tool answered. */
function readAnswer(window: TextWindow, kind: ToolKind): Finding | undefined {
  if ((kind === "read" || kind === "search") && NUMBERED.test(window.text.slice(window.start, window.start + 24))) {
    return undefined;
  }
  const found = findLead(window, kind) ?? sentence(window, kind);
  return found ?? (kind === "api" ? findTraceback(window) : undefined);
}

/** Longer answers are not one sentence, whatever the kind; a fetched page may explain its refusal at length. */
const SENTENCE_LENGTH = 330;

function sentence(window: TextWindow, kind: ToolKind): Finding | undefined {
  return window.end - window.start > SENTENCE_LENGTH && kind !== "http" ? undefined : findSentence(window, kind);
}

/** What programs that show text say when they cannot. */
const COMPLAINTS = new Set(["output-shell-complaint", "output-shell-not-found", "output-curl", "output-parse-error"]);

function isComplaint(found: Finding | undefined): boolean {
  return found !== undefined && COMPLAINTS.has(found.rule);
}

function readStructured(window: TextWindow, context: ReadingContext): Finding | undefined {
  if (listsComplaints(window) && context.kind !== "read" && context.kind !== "search") {
    const words = window.text.slice(window.start, Math.min(window.end, window.start + 500));
    return finding("failure", "field-complaints", window.start, words, 0.85, { category: "invalid_arguments" });
  }
  if (listsThings(window)) {
    return undefined;
  }
  const shows = context.kind === "read" || context.kind === "search" || context.kind === "prose";
  const field = shows ? shortField(window) : findField(window);
  if (field !== undefined) {
    // A tool that was asked to cancel something says so when it did.
    const asked = field.category === "cancelled" && /cancel|abort|stop/i.test(context.toolName ?? "");
    // `cat result.json` prints somebody else's fields; a harness's envelope says what it holds.
    const shown = context.kind === "shell" && printedText(window) === undefined && isDataCommand(context);
    if (asked || shown || showsJsonFile(context) || isSubject(field, window, context)) {
      return undefined;
    }
    return asked || context.kind !== "shell" || !askedServer(context) ? field : { ...field, denied: true };
  }
  const sentence = onlySentence(window);
  if (sentence !== undefined) {
    const inner = textWindow(sentence);
    return findLead(inner, context.kind) ?? findSentence(inner, context.kind);
  }
  return context.kind === "shell" ? readPrinted(window, context) : undefined;
}

/** A tool that is named after errors gives them in a field of that name, beside others. */
function isSubject({ rule }: Finding, { text, start, end }: TextWindow, { toolName }: ReadingContext): boolean {
  return (
    rule === "field-error" &&
    /error|exception|failure|crash/i.test(toolName ?? "") &&
    !/^\{\s*["']error["']\s*:\s*["'][^"']*["']\s*\}$/i.test(text.slice(start, Math.min(end, start + 600)))
  );
}

/** The server's error that `curl` printed is no failure of `curl`. */
function askedServer(context: ReadingContext): boolean {
  const command = commandOf(context.arguments);
  return command !== undefined && asksServer(command);
}

const JSON_FILE = /\.(?:jsonl?|ipynb|har|ya?ml)$/i;

/** Of a file that holds JSON every field is data. */
function showsJsonFile({ kind, arguments: args }: ReadingContext): boolean {
  return (
    kind === "read" &&
    typeof args === "object" &&
    args !== null &&
    Object.values(args).some((value) => typeof value === "string" && JSON_FILE.test(value.slice(-8)))
  );
}

/** A shell's answer in JSON without an exit status: what was printed is inside. */
function readPrinted(window: TextWindow, context: ReadingContext): Finding | undefined {
  const printed = printedText(window);
  return printed === undefined ? findTraceback(window) : readOutput(textWindow(printed), context, undefined);
}

/** A file or a list of hits may hold any field; only a short answer is the tool's own. */
function shortField(window: TextWindow): Finding | undefined {
  return window.end - window.start <= 600 ? findField(window) : undefined;
}

function strongest(one: Finding | undefined, two: Finding | undefined): Finding | undefined {
  return one === undefined || (two !== undefined && two.confidence > one.confidence) ? two : one;
}

function isDataCommand(context: ReadingContext): boolean {
  const command = commandOf(context.arguments);
  return command !== undefined && showsStoredText(command);
}

function cutOff({ text, start, end }: TextWindow, stated: Finding | undefined): Finding | undefined {
  if (stated !== undefined) {
    return undefined;
  }
  const at = Math.max(start, end - 120);
  const last = text.slice(at, end);
  return (last.includes("runcated") || last.includes("mitted")) && CUT.test(last)
    ? finding("open", "cut", at, text.slice(at, end).trim(), 0.6)
    : undefined;
}

/** NUL and a crowd of replacement characters do not come from tools that talk. */
function isBinary(text: string, start: number, end: number): boolean {
  const head = text.slice(start, Math.min(end, start + 64));
  return head.includes("\u0000") || (head.includes("\ufffd") && head.split("\ufffd").length > 8);
}
