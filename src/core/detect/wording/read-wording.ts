import {
  asksServer,
  commandOf,
  hidesExitStatus,
  programsOf,
  showsOthers,
  showsStoredText,
} from "../call/shell-command.ts";
import { actionOf } from "../call/tool-action.ts";
import type { ToolKind } from "../call/tool-kind.ts";
import { categoryOfMessage } from "../reason/category.ts";
import { ANY_HINT, hasHint, STRONG_HINT } from "../reason/hints.ts";
import { createSignal, type Signal } from "../signal.ts";
import { lineAt, type TextWindow } from "../text/text-window.ts";
import type { WordingContext } from "./features.ts";
import { scoreWording } from "./model.ts";

/** From here on a result counts as failed. */
export const FAILED_FROM = 0.6;
/** Between this and {@link FAILED_FROM} the model is unsure: the result is `unknown`. */
export const UNSURE_FROM = 0.4;

const MAX_PROGRAMS = 6;

/** Describes a call for the model. */
export function wordingContext(kind: ToolKind, toolName: string | undefined, args: unknown): WordingContext {
  return {
    kind,
    toolName,
    acts: kind === "api" && actionOf(toolName) !== undefined,
    command: kind === "shell" ? commandWords(commandOf(args)) : [],
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
export function readWording(
  window: TextWindow,
  kind: ToolKind,
  toolName: string | undefined,
  args: unknown,
): Signal | undefined {
  if (!mayReport(window, kind, toolName)) {
    return undefined;
  }
  const { probability, grams } = scoreWording(window, wordingContext(kind, toolName, args));
  if (probability < UNSURE_FROM) {
    return undefined;
  }
  const [first] = grams;
  // The whole line of the strongest words: a reader recognizes it, and the command may contain it.
  const at = Math.max(window.start, window.text.lastIndexOf("\n", first?.at ?? window.start) + 1);
  const words = lineAt(window.text, at, window.end);
  return probability >= FAILED_FROM
    ? createSignal("failure", "wording", at, words, probability, { grams })
    : createSignal("open", "wording-unsure", at, words, 1 - probability, { grams });
}

/** Characters of a result in which a hint is searched: its head, and the tail of a program's output. */
const HEAD = 200;
const TAIL = 400;

/** Cheap test before the model: most results contain no word that could make them a failure. */
function mayReport({ text, start, end }: TextWindow, kind: ToolKind, toolName: string | undefined): boolean {
  const head = Math.min(end, start + HEAD);
  if (hasHint(text, start, head, STRONG_HINT)) {
    return true;
  }
  const acts = kind === "api" && end - start <= HEAD && actionOf(toolName) !== undefined;
  if (acts || (hasHint(text, start, head, ANY_HINT) && categoryOfMessage(lineAt(text, start, head)) !== undefined)) {
    return true;
  }
  const last = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  return (
    kind === "shell" &&
    (isLabeled(text, start) || isLabeled(text, last) || hasHint(text, Math.max(head, end - TAIL), end, STRONG_HINT))
  );
}

/** Whether the line has the form `word: …`. */
function isLabeled(text: string, at: number): boolean {
  const colon = text.indexOf(":", at);
  return colon !== -1 && colon - at <= 40 && text.lastIndexOf("\n", colon) < at;
}
