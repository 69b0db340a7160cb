import type { ToolKind } from "../call/tool-kind.ts";
import { findPhrase, findScriptStatus } from "../clients/phrases.ts";
import { createSignal, type Signal } from "../signal.ts";
import { openEnvelopes } from "../structure/envelope.ts";
import { findExitMarker } from "../structure/exit-marker.ts";
import { looksStructured } from "../structure/json-rules.ts";
import { readStructured } from "../structure/read-structured.ts";
import { type TextContext, type TextSignals, withoutStatus, withStatus } from "../text-signals.ts";
import { findUserRule } from "../user-rules.ts";
import { findFirstLineError } from "./first-line-rules.ts";
import { actionOf, confirmsAction } from "./mutating-tool.ts";
import { findTraceback } from "./output-rules.ts";
import { readOutput } from "./read-output.ts";
import { findShortSentence } from "./sentence-rules.ts";
import { type TextWindow, windowBetween } from "./text-window.ts";

/** Kinds of tools whose output clients may wrap with an exit code. */
const EXIT_KINDS: ReadonlySet<ToolKind> = new Set(["shell", "api", "agent", "sql"]);

const NOTHING =
  /^[([<"']{0,2}(?:no (?:stdout |console )?output(?: (?:returned|produced|captured))?|empty(?: (?:output|result|response))?|none|null|nil|undefined|no content)\.?[)\]>"']{0,2}$/i;

/** Numbered lines are the content of a file. */
const NUMBERED = /^\d{1,7}(?:\t|\u2192|[:|] ?)/;

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

/** Returns the tool's output without the header or footer that contains the exit code. */
function around(window: TextWindow, marker: Signal): TextWindow {
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

function readBody(window: TextWindow, context: TextContext, stated: Signal | undefined): Signal | undefined {
  const { text, start, end } = window;
  if (start >= end) {
    return createSignal("open", "empty", 0, "", 0.9);
  }
  if (end - start <= 40 && NOTHING.test(text.slice(start, end))) {
    return createSignal("open", "empty", start, text.slice(start, end), 0.9);
  }
  if (isBinary(text, start, end)) {
    return createSignal("open", "binary", start, "", 0.8);
  }
  if (looksStructured(window)) {
    return readStructured(window, context);
  }
  if (text.startsWith("Success", start)) {
    return undefined;
  }
  return context.kind === "shell" ? readOutput(window, context, stated) : readAnswer(window, context);
}

/** Finds the signals in the result of any other tool. */
function readAnswer(window: TextWindow, { kind, toolName }: TextContext): Signal | undefined {
  if ((kind === "read" || kind === "search") && NUMBERED.test(window.text.slice(window.start, window.start + 24))) {
    return undefined;
  }
  const found = findFirstLineError(window, kind) ?? findShortSentence(window, kind, toolName);
  if (found !== undefined) {
    return saysDone(window, kind, toolName) ? undefined : found;
  }
  return kind === "api" ? (findTraceback(window) ?? findLastWord(window)) : undefined;
}

/** A server that runs a program passes on the program's last line. */
function findLastWord({ text, start, end }: TextWindow): Signal | undefined {
  const at = text.lastIndexOf("\n", end - 1) + 1;
  return at > start && end - start <= LAST_WORD_LENGTH && /^(?:fatal|error): \S/.test(text.slice(at, at + 10))
    ? createSignal("failure", "answer-last-word", at, text.slice(at, end), 0.75)
    : undefined;
}

const LAST_WORD_LENGTH = 1500;

/** Whether one sentence of a mutating tool confirms the action in its name. */
function saysDone({ text, start, end }: TextWindow, kind: ToolKind, toolName: string | undefined): boolean {
  const action = end - start <= DONE_LENGTH && kind === "api" ? actionOf(toolName) : undefined;
  return action !== undefined && confirmsAction(text.slice(start, end), action);
}

const DONE_LENGTH = 200;

/** NUL or many replacement characters mean binary data. */
function isBinary(text: string, start: number, end: number): boolean {
  const head = text.slice(start, Math.min(end, start + 64));
  return head.includes("\u0000") || (head.includes("\ufffd") && head.split("\ufffd").length > 8);
}
