import { asksServer, commandOf, programsOf, showsOthers, showsStoredText } from "../call/shell-command.ts";
import { createSignal, type Signal } from "../signal.ts";
import type { TextContext } from "../text-signals.ts";
import { findFirstLineError } from "./first-line-rules.ts";
import { findLastLines, findTraceback } from "./output-rules.ts";
import { findShortSentence } from "./sentence-rules.ts";
import type { TextWindow } from "./text-window.ts";

/** A truncation mark at the end of a text. */
const CUT =
  /(?:\[?(?:output|result|content|response)? ?(?:truncated|omitted)\b[^\n]{0,60}\]?|\.\.\. ?\(?truncated\)?|<truncated>)\s*$/i;

/** Finds the signals in a program's output. */
export function readOutput(window: TextWindow, context: TextContext, stated: Signal | undefined): Signal | undefined {
  const traceback = findTraceback(window);
  const line = traceback === undefined ? findLastLines(window) : undefined;
  const last = line !== undefined && line.confidence <= SURE && recovers(window, line.at) ? undefined : line;
  const lead =
    traceback === undefined && (last === undefined || last.confidence < SURE)
      ? findFirstLineError(window, "shell")
      : undefined;
  const found =
    traceback ??
    strongest(lead === undefined || endsWell(window) ? undefined : lead, last) ??
    findShortSentence(window, "shell");
  if (found === undefined) {
    return mayComplain(window)
      ? (findProgramError(window, commandOf(context.arguments)) ?? findTruncation(window, stated))
      : findTruncation(window, stated);
  }
  const command = commandOf(context.arguments);
  if (command !== undefined && showsOthers(command)) {
    const newline = window.text.indexOf("\n", window.start);
    return newline === -1 || newline >= window.end ? found : findProgramError(window, command);
  }
  // A command that shows stored text prints errors of others; its own errors have one form.
  if (command !== undefined && (showsStoredText(command) || asksServer(command))) {
    return isComplaint(last) ? last : findProgramError(window, command);
  }
  return found;
}

/** Confidence of the last line above which the first line is not checked. */
const SURE = 0.85;

/** Programs with retries report earlier failures first; the last line is the final result. */
const GOOD_END =
  /\b(?:succeeded|success(?:ful|fully)?|completed?|passed|finished|done|0 (?:errors?|failed|failures))\b[^\n]{0,80}$/i;

/** A failure further up does not count if the last line reports success. */
const OUTRIGHT = /\b(?:success(?:ful|fully)|succeeded|0 errors)\b/i;

function recovers(window: TextWindow, at: number): boolean {
  const { text, end } = window;
  const last = text.lastIndexOf("\n", end - 1);
  return at <= last && OUTRIGHT.test(text.slice(Math.max(last, end - 200), end)) && endsWell(window);
}

function endsWell({ text, start, end }: TextWindow): boolean {
  const at = text.lastIndexOf("\n", end - 1);
  if (at <= start) {
    return false;
  }
  const line = text.slice(Math.max(at + 1, end - 200), end);
  return GOOD_END.test(line) && !/\b(?:not|un|never|fail\w*|errors?)\b/i.test(line.replace(/\b0 \w+/, ""));
}

/** Whether the first or last line has the form `word: …`. Only then the command is parsed. */
function mayComplain({ text, start, end }: TextWindow): boolean {
  const at = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  return text.slice(at, at + 32).indexOf(": ") > 0 || text.slice(start, start + 32).indexOf(": ") > 0;
}

/** Finds errors of programs that show stored text. */
const COMPLAINTS = new Set(["output-shell-complaint", "output-shell-not-found", "output-curl", "output-parse-error"]);

function isComplaint(found: Signal | undefined): boolean {
  return found !== undefined && COMPLAINTS.has(found.rule);
}

function strongest(one: Signal | undefined, two: Signal | undefined): Signal | undefined {
  return one === undefined || (two !== undefined && two.confidence > one.confidence) ? two : one;
}

function findTruncation({ text, start, end }: TextWindow, stated: Signal | undefined): Signal | undefined {
  if (stated !== undefined) {
    return undefined;
  }
  const at = Math.max(start, end - 120);
  const last = text.slice(at, end);
  return (last.includes("runcated") || last.includes("mitted")) && CUT.test(last)
    ? createSignal("open", "cut", at, text.slice(at, end).trim(), 0.6)
    : undefined;
}

/** `program: message`, the error format of Unix programs in any language. */
const NAMED = /^(?:\/(?:[\w.+-]{1,40}\/){1,8})?([\w.+-]{1,30}): {1,2}(\S[^\n]*)$/;

/** Shells report errors of commands they could not run. */
const SHELLS = new Set("bash sh zsh dash ksh fish ash".split(" "));

/** The same format for other messages: warnings, progress, `make: Nothing to be done`. */
const HARMLESS =
  /^(?!(?:error|fatal|cannot|could not|unable|failed)\b)(?:(?:warning|warn|note|notice|info|hint|debug|nothing|entering|leaving|done|ok|success|usage|version|using|\d|(?!missing\b)[a-z]{3,14}ing\b)|.*\b(?:up to date|is already|skipping|not changed|unchanged|restored|installed|is ok|successful|successfully|enabled|started)\b)/i;

/** Git prints these prefixes instead of a program name. */
const GIT = /^(?:fatal|error): \S/;

/** Finds an error of one of the command's programs in the first or last line. */
export function findProgramError(window: TextWindow, command: string | undefined): Signal | undefined {
  const { text, start, end } = window;
  const last = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  return complaintAt(text, last, end, command) ?? (last === start ? undefined : complaintAt(text, start, end, command));
}

function complaintAt(text: string, at: number, end: number, command: string | undefined): Signal | undefined {
  const newline = text.indexOf("\n", at);
  const line = text.slice(at, Math.min(newline === -1 ? end : newline, end, at + 400));
  const match = NAMED.exec(line);
  const name = match?.[1] ?? "";
  if (match === null || name === "make" || name === "file" || HARMLESS.test(match[2] ?? "")) {
    return undefined;
  }
  const git = GIT.test(line) ? "git" : name;
  // Parsing a command costs more than most classifications: only if it contains the name.
  const own = SHELLS.has(name) || (command?.includes(git) === true && programsOf(command).includes(git));
  return own ? createSignal("failure", "output-own-complaint", at, line, 0.8) : undefined;
}
