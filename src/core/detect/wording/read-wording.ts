import { asksServer, hidesExitStatus, programsOf, showsOthers, showsStoredText } from "../call/shell-command.ts";
import { actionOf } from "../call/tool-action.ts";
import type { ToolKind } from "../call/tool-kind.ts";
import { categoryOfMessage, mayHaveCategory } from "../reason/category.ts";
import { HINT, hintsIn } from "../reason/hints.ts";
import { RANK } from "../reason/line-rank.ts";
import { purposeOf } from "../reason/run-category.ts";
import { labelAt } from "../reason/severity-words.ts";
import { findTellingLine } from "../reason/telling-line.ts";
import { createSignal, type Signal } from "../signal.ts";
import { lineAt, type TextWindow } from "../text/text-window.ts";
import type { WindowHints } from "../text/window-hints.ts";
import type { TextContext } from "../text-signals.ts";
import { isShortResult } from "./facts.ts";
import type { WordingContext } from "./features.ts";
import { scoreWording } from "./model.ts";

/** From here on a result counts as failed. */
export const FAILED_FROM = 0.65;
/** The same for tools that answer, and for those that show what others wrote or tell what happened on the way. */
const OWN_THRESHOLDS: Readonly<Partial<Record<ToolKind, number>>> = {
  read: 0.7,
  search: 0.7,
  prose: 0.75,
  agent: 0.7,
};
/** A line that has to name an error and does needs less. */
const LABELED_FAILED_FROM = 0.6;
/** Between this and {@link FAILED_FROM} the model is unsure: the result is `unknown`. */
export const UNSURE_FROM = 0.5;

const MAX_PROGRAMS = 6;

/** Describes a call for the model. */
export function wordingContext(context: Pick<TextContext, "kind" | "toolName" | "command">): WordingContext {
  const { kind, toolName } = context;
  return {
    kind,
    toolName,
    acts: kind === "api" && actionOf(toolName) !== undefined,
    command: kind === "shell" ? commandWords(context.command) : [],
  };
}

/** The programs of a command, and marks for what hides its exit code or shows text from elsewhere. */
function commandWords(command: string | undefined): readonly string[] {
  if (command === undefined) {
    return [];
  }
  const words = [...new Set(programsOf(command))].slice(0, MAX_PROGRAMS);
  if (hidesExitStatus(command)) {
    words.push("#hides");
  }
  if (showsStoredText(command)) {
    words.push("#shows");
  }
  if (asksServer(command)) {
    words.push("#asks");
  }
  if (showsOthers(command)) {
    words.push("#others");
  }
  return words;
}

/** Judges a text by its wording: failed, unsure, or undefined if it reports no failure. */
export function readWording(window: TextWindow, context: TextContext): Signal | undefined {
  const { probability, grams } = scoreWording(window, wordingContext(context));
  if (probability < UNSURE_FROM) {
    return undefined;
  }
  const [first] = grams;
  // The whole line of the strongest words: a reader recognizes it, and the command may contain it.
  const at = Math.max(window.start, window.text.lastIndexOf("\n", first?.at ?? window.start) + 1);
  const words = lineAt(window.text, at, window.end);
  if (isFailed(probability, window, context)) {
    return createSignal("failure", "wording", at, words, probability, { grams });
  }
  // Of an answer that was examined only because it is short, doubt says nothing.
  return mentionsFailure(window)
    ? createSignal("open", "wording-unsure", at, words, 1 - probability, { grams })
    : undefined;
}

function mentionsFailure({ text, start, end }: TextWindow): boolean {
  return end - start > SHORT || (hintsIn(text, start, end) & (HINT.failure | HINT.phrase)) !== 0;
}

function isFailed(probability: number, window: TextWindow, context: TextContext): boolean {
  const { kind } = context;
  const mayBeLabeled = kind !== "prose" && kind !== "agent" && probability >= LABELED_FAILED_FROM;
  // Only between the two thresholds the lines of the text matter.
  return probability >= (OWN_THRESHOLDS[kind] ?? FAILED_FROM) || (mayBeLabeled && namesError(window, context));
}

/** Whether a line that has to name an error does. */
function namesError({ text, start, end }: TextWindow, { kind, command }: TextContext): boolean {
  const last = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  // A short text that starts with a known reason is an answer, not a text that mentions it.
  if (end - start <= (last === start ? LINE : SHORT) && kind !== "shell") {
    return categoryOfMessage(lineAt(text, start, end)) !== undefined;
  }
  if (kind === "shell") {
    const rank = findTellingLine(text.slice(start, end))?.rank ?? 0;
    return purposeOf(command) === "build"
      ? rank >= RANK.labeled
      : rank === RANK.labeled || rank === RANK.systemComplaint;
  }
  return (
    labelAt(lineAt(text, start, end), 0)?.sense === "error" || labelAt(lineAt(text, last, end), 0)?.sense === "error"
  );
}

/** Longest answer of a few lines that is one message. */
const SHORT = 300;

/** Whether the model has to be asked: most results contain no word that could make them a failure. */
export function mayReport(
  window: TextWindow,
  kind: ToolKind,
  toolName: string | undefined,
  { first, head, tail }: WindowHints,
): boolean {
  const { text, start, end } = window;
  if ((head & HINT.failure) !== 0) {
    return kind !== "prose" || !isAboutWords(toolName);
  }
  const isShell = kind === "shell";
  if ((isShell && (tail & HINT.failure) !== 0) || isShortResult(kind, window)) {
    return true;
  }
  if (isShell && (isLabeled(text, start) || isLabeled(text, Math.max(start, text.lastIndexOf("\n", end - 1) + 1)))) {
    return true;
  }
  return (first & HINT.phrase) !== 0 && hasCategory(text, start, Math.min(end, start + LINE));
}

/** Whether the first line names a known reason. */
function hasCategory(text: string, start: number, end: number): boolean {
  const newline = text.indexOf("\n", start);
  const stop = newline === -1 || newline > end ? end : newline;
  return mayHaveCategory(text, start, stop) && categoryOfMessage(text.slice(start, stop)) !== undefined;
}

/** Tools whose results are about words, which may be the words of a failure. */
const ABOUT_WORDS = ["explain", "translat", "definition", "dictionary"];

export function isAboutWords(toolName: string = ""): boolean {
  const lower = toolName.toLowerCase();
  return ABOUT_WORDS.some((word) => lower.includes(word));
}

/** Characters of the first line that are searched for phrases. */
const LINE = 200;

/** Whether the line has the form `word: …`. */
function isLabeled(text: string, at: number): boolean {
  for (let stop = at; stop < at + 40; stop += 1) {
    const code = text.charCodeAt(stop);
    if (code === 58) {
      return true;
    }
    if (code === 10 || Number.isNaN(code)) {
      return false;
    }
  }
  return false;
}
