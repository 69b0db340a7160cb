import { type Finding, finding } from "./finding.ts";
import { programsOf } from "./shell-command.ts";
import type { TextWindow } from "./text-window.ts";

/** `program: message`, the form in which Unix programs complain, whatever the language of the message. */
const NAMED = /^([\w.+-]{1,30}): {1,2}(\S[^\n]*)$/;

/** Shells speak for commands they could not run. */
const SHELLS = new Set("bash sh zsh dash ksh fish ash".split(" "));

/** The same form for what is no complaint: warnings, progress, `make: Nothing to be done`. */
const HARMLESS =
  /^(?:warning|warn|note|notice|info|hint|debug|nothing|entering|leaving|done|ok|success|usage|version|using|\d)|\b(?:up to date|is already|skipping|not changed|unchanged|restored|installed)\b/i;

/** Git names no program: these two words are its own. */
const GIT = /^(?:fatal|error): \S/;

/** The last line of an output in which one of the command's own programs complains. */
export function findOwnComplaint({ text, start, end }: TextWindow, command: string | undefined): Finding | undefined {
  const at = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  const line = text.slice(at, Math.min(end, at + 400));
  const match = NAMED.exec(line);
  if (match === null) {
    return undefined;
  }
  const name = match[1] ?? "";
  const message = match[2] ?? "";
  const own =
    SHELLS.has(name) ||
    (command !== undefined &&
      (programsOf(command).includes(name) || (GIT.test(line) && programsOf(command).includes("git"))));
  return own && name !== "make" && name !== "file" && !HARMLESS.test(message)
    ? finding("failure", "output-own-complaint", at, line, 0.8)
    : undefined;
}
