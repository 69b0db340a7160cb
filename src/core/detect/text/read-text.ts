import type { ToolKind } from "../call/tool-kind.ts";
import { findClientStatus, findPhrase } from "../clients/phrases.ts";
import { HINT } from "../reason/hints.ts";
import { createSignal, type Signal } from "../signal.ts";
import { openEnvelopes } from "../structure/envelope.ts";
import { findExitMarker } from "../structure/exit-marker.ts";
import { looksStructured, printedText } from "../structure/json-rules.ts";
import { readStructured } from "../structure/read-structured.ts";
import { type TextContext, type TextSignals, withoutStatus, withStatus } from "../text-signals.ts";
import { findUserRule } from "../user-rules.ts";
import { hadNothingToDo, showsWordsOfOthers } from "./own-complaint.ts";
import { readPlain } from "./read-plain.ts";
import { lineAt, type TextWindow, textWindow, windowBetween } from "./text-window.ts";
import { type WindowHints, windowHints } from "./window-hints.ts";

/** Kinds of tools whose output clients may wrap with an exit code. */
const EXIT_KINDS: ReadonlySet<ToolKind> = new Set(["shell", "api", "agent", "sql"]);

/** Words for an empty result, in lower case and without brackets and quotes. */
const NOTHING = new Set(
  [
    "no output|no stdout output|no console output|no output returned|no output produced|no output captured|no content",
    "tool ran without output or errors|tool ran without output or error|ran without output|command ran without output|completed without output",
    "empty|empty output|empty result|empty response|none|null|nil|undefined",
  ]
    .join("|")
    .split("|"),
);

/** The end of a client's note in brackets: `(Bash completed with no output)`. */
const NO_OUTPUT = "no output)";

/** The note of a client that shows no output. */
const REDIRECTED = "[output redirected";

/** What such a text starts with: a bracket, a quote, or the first letter of one of the words. */
const NOTHING_STARTS = `([<"'${[...NOTHING].map((words) => words.charAt(0) + words.charAt(0).toUpperCase()).join("")}`;

/** Finds the signals in a result's text. Rules run in order of reliability. */
export function readText(whole: string, context: TextContext): TextSignals {
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
  const hints = structured ? NO_HINTS : windowHints(window, kind);
  const marker = structured || !EXIT_KINDS.has(kind) ? undefined : findMarker(window, context, hints);
  const stated = context.exit ?? (marker?.stated === true ? marker : says?.stated === true ? says : undefined);
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
  // Below a header the first line of the body is another one.
  const bodyHints = body === window ? hints : { ...hints, first: hints.head };
  const report = says?.says === "failure" ? says : readBody(body, context, stated, bodyHints);
  if (stated === undefined && report?.stated === true) {
    const printed = readPrinted(window, context, report);
    return withBody(withStatus(report, printed, context, hadNothingToDo(window, context.command)), body);
  }
  return withBody(
    stated === undefined
      ? withoutStatus(report, context, body)
      : withStatus(stated, report, context, hadNothingToDo(body, context.command)),
    body,
  );
}

/** Written out, because a spread costs more for objects whose fields differ. */
function withBody({ stated, report }: TextSignals, body: TextWindow): TextSignals {
  return { kind: "reading", stated, report, body };
}

const NO_HINTS: WindowHints = { first: 0, head: 0, tail: 0 };

/** Finds the exit code of a script or a command, if the text contains a word of one. */
function findMarker(window: TextWindow, context: TextContext, { head, tail }: WindowHints): Signal | undefined {
  const { profile, kind } = context;
  const hints = head | tail;
  const isPossible = (hints & HINT.exit) !== 0 || ((hints & HINT.returned) !== 0 && hasReturnCode(window));
  const marker =
    findClientStatus(window, profile) ?? (isPossible ? findExitMarker(window, kind === "shell") : undefined);
  return marker?.footer === true && marker.words.startsWith(SHOWN_STATUS) && showsWordsOfOthers(context.command)
    ? undefined
    : marker;
}

/** The last line of `go run`, which a stored log ends with too. */
const SHOWN_STATUS = "exit status ";

/** Characters at both ends of a text in which a client's header or footer is searched. */
const MARKER_LENGTH = 200;

/** "return" is an ordinary word; only `returncode` is a client's. */
function hasReturnCode({ text, start, end }: TextWindow): boolean {
  return (
    text.slice(start, start + MARKER_LENGTH).includes("returncode") ||
    text.slice(Math.max(start, end - MARKER_LENGTH), end).includes("returncode")
  );
}

/** Judges the output inside an object that also states the exit code. */
function readPrinted(window: TextWindow, context: TextContext, stated: Signal): Signal | undefined {
  const printed = context.kind === "shell" ? printedText(window) : undefined;
  return printed === undefined ? undefined : readPlain(textWindow(printed), context, stated);
}

/** Returns a window without the exit code that a client printed around it. */
export function bodyWithoutMarker(window: TextWindow, kind: ToolKind): TextWindow {
  const marker = EXIT_KINDS.has(kind) ? findExitMarker(window, kind === "shell") : undefined;
  return marker === undefined ? window : around(window, marker);
}

/** Returns the tool's output without the header or footer that contains the exit code. */
function around(window: TextWindow, marker: Signal): TextWindow {
  const { text, start, end } = window;
  const line = text.indexOf("\n", marker.at);
  if (marker.footer === true) {
    return withoutTags(outputField(windowBetween(text, start, marker.at)));
  }
  if (line === -1) {
    return windowBetween(text, end, end);
  }
  const label = /^(?:[^\n]{0,120}\n){0,3}?[ \t]*(?:code )?output:[ \t]*\n?/i.exec(text.slice(line + 1, line + 400));
  const from = line + 1 + (label?.[0].length ?? 0);
  return withoutTags(windowBetween(text, Math.min(from, end), end));
}

/** Returns the output of a report with named fields, as some clients print it: `Command: …`, `Output: …`, `Error: …`. */
function outputField(window: TextWindow): TextWindow {
  const { text, start, end } = window;
  const output = text.startsWith("Command: ", start) ? text.indexOf(OUTPUT_FIELD, start) : -1;
  if (output === -1 || output >= end) {
    return window;
  }
  const none = text.lastIndexOf(NO_ERROR_FIELD, end);
  return windowBetween(text, output + OUTPUT_FIELD.length, none > output ? none : end);
}
const OUTPUT_FIELD = "\nOutput: ";
const NO_ERROR_FIELD = "\nError: (none)";

const OPENING_TAG = /^<(?:\w{1,12}[_-])?(?:output|stdout|stderr|result|results|response)>\s*/i;
const CLOSING_TAG = /\s*<\/(?:\w{1,12}[_-])?(?:output|stdout|stderr|result|results|response)>$/i;

/** Removes the tags that some clients put around the output, beside the exit code. */
function withoutTags(window: TextWindow): TextWindow {
  const { text, start, end } = window;
  const opening = text.charCodeAt(start) === 60 ? OPENING_TAG.exec(text.slice(start, start + 40)) : null;
  const closing = text.charCodeAt(end - 1) === 62 ? CLOSING_TAG.exec(text.slice(Math.max(start, end - 40), end)) : null;
  return opening === null && closing === null
    ? window
    : windowBetween(text, start + (opening?.[0].length ?? 0), Math.max(start, end - (closing?.[0].length ?? 0)));
}

function readBody(
  whole: TextWindow,
  context: TextContext,
  stated: Signal | undefined,
  hints: WindowHints,
): Signal | undefined {
  const window = context.kind === "shell" ? withoutLocaleWarning(whole) : whole;
  const { text, start, end } = window;
  if (start >= end) {
    return createSignal("open", "empty", 0, "", 0.9);
  }
  if (
    end - start <= NOTHING_LENGTH &&
    ((NOTHING_STARTS.includes(text.charAt(start)) && NOTHING.has(bareWords(text.slice(start, end)))) ||
      (text.startsWith("(", start) && text.endsWith(NO_OUTPUT, end)))
  ) {
    return createSignal("open", "empty", start, text.slice(start, end), 0.9);
  }
  if (text.startsWith(REDIRECTED, start)) {
    return createSignal("open", "output-redirected", start, lineAt(text, start, end), 0.9);
  }
  if (isBinary(text, start, end)) {
    return createSignal("open", "binary", start, "", 0.8);
  }
  if (looksStructured(window)) {
    return readStructured(window, context);
  }
  return readPlain(window, context, stated, hints);
}

/** Removes what a shell without the wanted language prints above any output. */
function withoutLocaleWarning(window: TextWindow): TextWindow {
  const { text, start, end } = window;
  const newline = text.startsWith("bash: warning: setlocale: ", start) ? text.indexOf("\n", start) : -1;
  return newline === -1 || newline >= end ? window : windowBetween(text, newline, end);
}

const NOTHING_LENGTH = 60;

function bareWords(whole: string): string {
  // `<system>Tool ran without output</system>`
  const close = whole.endsWith(">") ? whole.lastIndexOf("</") : -1;
  const open = whole.startsWith("<") ? whole.indexOf(">") + 1 : 0;
  const text = close === -1 ? whole : whole.slice(open, close);
  return text.replace(/^[([<"']{1,2}|\.?[)\]>"']{0,2}$/g, "").toLowerCase();
}

/** NUL or many replacement characters mean binary data. */
function isBinary(text: string, start: number, end: number): boolean {
  const head = text.slice(start, Math.min(end, start + 64));
  return head.includes("\u0000") || (head.includes("\ufffd") && head.split("\ufffd").length > 8);
}
