import { isAnswerByExit } from "../call/shell-command.ts";
import { createSignal, type Signal } from "../signal.ts";
import { lineAt, type TextWindow } from "./text-window.ts";

/** Whether the command prints the exit status of a program itself: `make; echo "status: $?"`. */
export function printsStatus(command: string | undefined): boolean {
  return command?.includes("$?") === true;
}

/** The exit status that a command printed, and what it says; undefined if it printed none. */
export function readPrintedStatus({ text, start, end }: TextWindow, command = ""): Signal | undefined {
  const variable = command.lastIndexOf("$?");
  const echo = command.lastIndexOf("echo ", variable);
  const quoted = echo === -1 ? "$" : command.slice(echo + "echo ".length, variable).trimStart();
  const label = quoted.startsWith('"') ? quoted.slice(1) : quoted;
  const before = command.slice(0, Math.max(0, echo)).trimEnd();
  // `echo $?` alone prints the status of another call.
  if (before === "" || CHANGED.some((sign) => label.includes(sign))) {
    return undefined;
  }
  const at = lineStart(text, start, end, label);
  const number = at === -1 ? "" : lineAt(text, at, end).slice(label.length);
  const code = number === "" || number.length > MAX_DIGITS ? Number.NaN : Number(number);
  if (!Number.isInteger(code) || at === -1) {
    return undefined;
  }
  // "No match" has the same status as a complaint, which other rules find.
  return isAnswerByExit(before.endsWith(";") ? before.slice(0, -1) : before, code)
    ? undefined
    : createSignal(code === 0 ? "success" : "failure", "printed-status", at, lineAt(text, at, end), 0.9);
}

const MAX_DIGITS = 3;
/** Signs of a label that the shell changes, or that another command ends. */
const CHANGED = ["$", "`", ";", "|", "\n"];

/** The last line that starts with these words. */
function lineStart(text: string, start: number, end: number, words: string): number {
  let stop = end;
  for (let line = 0; line < MAX_LINES && stop > start; line += 1) {
    const at = Math.max(start, text.lastIndexOf("\n", stop - 1) + 1);
    const first = text.charCodeAt(at + words.length);
    if (text.startsWith(words, at) && first >= 48 && first <= 57) {
      return at;
    }
    stop = at - 1;
  }
  return -1;
}
const MAX_LINES = 24;
