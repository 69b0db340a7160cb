import { type Finding, finding } from "./finding.ts";
import { programsOf } from "./shell-command.ts";
import type { TextWindow } from "./text-window.ts";

/** `program: message`, the form in which Unix programs complain, whatever the language of the message. */
const NAMED = /^(?:\/(?:[\w.+-]{1,40}\/){1,8})?([\w.+-]{1,30}): {1,2}(\S[^\n]*)$/;

/** Shells speak for commands they could not run. */
const SHELLS = new Set("bash sh zsh dash ksh fish ash".split(" "));

/** The same form for what is no complaint: warnings, progress, `make: Nothing to be done`. */
const HARMLESS =
  /^(?!(?:error|fatal|cannot|could not|unable|failed)\b)(?:(?:warning|warn|note|notice|info|hint|debug|nothing|entering|leaving|done|ok|success|usage|version|using|\d|(?!missing\b)[a-z]{3,14}ing\b)|.*\b(?:up to date|is already|skipping|not changed|unchanged|restored|installed|is ok|successful|successfully|enabled|started)\b)/i;

/** Git names no program: these two words are its own. */
const GIT = /^(?:fatal|error): \S/;

/** The first or last line of an output in which one of the command's own programs complains. */
export function findOwnComplaint(window: TextWindow, command: string | undefined): Finding | undefined {
  const { text, start, end } = window;
  const last = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  return complaintAt(text, last, end, command) ?? (last === start ? undefined : complaintAt(text, start, end, command));
}

function complaintAt(text: string, at: number, end: number, command: string | undefined): Finding | undefined {
  const newline = text.indexOf("\n", at);
  const line = text.slice(at, Math.min(newline === -1 ? end : newline, end, at + 400));
  const match = NAMED.exec(line);
  const name = match?.[1] ?? "";
  if (match === null || name === "make" || name === "file" || HARMLESS.test(match[2] ?? "")) {
    return undefined;
  }
  const git = GIT.test(line) ? "git" : name;
  // Taking a command apart costs more than most verdicts: only when the name stands in it at all.
  const own = SHELLS.has(name) || (command?.includes(git) === true && programsOf(command).includes(git));
  return own ? finding("failure", "output-own-complaint", at, line, 0.8) : undefined;
}
