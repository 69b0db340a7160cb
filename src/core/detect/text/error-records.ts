import type { Category } from "../../model/outcome.ts";
import { lastProgramsOf } from "../call/shell-command.ts";
import { labelAt } from "../reason/severity-words.ts";
import { createSignal, type Signal } from "../signal.ts";
import { lineAt, type TextWindow } from "./text-window.ts";

/** Characters at the end of an output in which the record of an error is searched. */
const TAIL_LENGTH = 4000;

/** Finds the record that a shell or a program prints of its own error, in a fixed form. */
export function findErrorRecord(window: TextWindow, command: string | undefined): Signal | undefined {
  return (
    findPowerShellRecord(window) ??
    findDatabaseError(window) ??
    (command === undefined ? undefined : findGitError(window, command))
  );
}

/** The errors of Oracle and SQL Server, by number, in any language; below level 11 it is a notice. */
const DATABASE_ERROR = /^(?:(?:ORA|PLS|TNS)-\d{4,5}: |Msg \d+, Level (?:1[1-9]|2\d))/m;

const DATABASE_SIGNS = ["ORA-", "PLS-", "TNS-", "Msg "];

/** Finds the error of a database in the answer of its client. */
export function findDatabaseError({ text, start, end }: TextWindow): Signal | undefined {
  const from = Math.max(start, end - TAIL_LENGTH);
  const tail = text.slice(from, end);
  // Most texts contain none of these.
  const found = DATABASE_SIGNS.some((sign) => tail.includes(sign)) ? DATABASE_ERROR.exec(tail) : null;
  if (found === null) {
    return undefined;
  }
  const at = from + found.index;
  // SQL Server writes the sentence on the next line.
  const line = found[0].startsWith("Msg ") ? text.indexOf("\n", at) + 1 : at;
  return createSignal("failure", "database-error", at, lineAt(text, line > at && line < end ? line : at, end), 0.9);
}

/** PowerShell's categories of errors. Others name no reason. */
const POWERSHELL: ReadonlyMap<string, Category> = new Map([
  ["ObjectNotFound", "not_found"],
  ["PermissionDenied", "permission_denied"],
  ["SecurityError", "permission_denied"],
  ["InvalidArgument", "invalid_arguments"],
  ["ResourceExists", "precondition"],
  ["ResourceBusy", "precondition"],
  ["ConnectionError", "network"],
  ["OperationTimeout", "timeout"],
  ["AuthenticationError", "auth"],
  ["ParserError", "invalid_arguments"],
]);
const RECORD = "+ FullyQualifiedErrorId : ";
const RECORD_CATEGORY = "+ CategoryInfo ";

/** PowerShell prints two fields below each error, in English whatever its language is. */
function findPowerShellRecord({ text, start, end }: TextWindow): Signal | undefined {
  const from = Math.max(start, end - TAIL_LENGTH);
  const at = text.indexOf(RECORD, from);
  if (at === -1 || at >= end) {
    return undefined;
  }
  const field = text.lastIndexOf(RECORD_CATEGORY, at);
  const value = field === -1 ? "" : lineAt(text, text.indexOf(":", field) + 1, at).trim();
  const category = POWERSHELL.get(value.slice(0, Math.max(0, value.indexOf(":"))));
  return createSignal("failure", "powershell-record", start, lineAt(text, start, end), 0.9, category && { category });
}

/** With which git labels an error that ends it, in the languages into which it is translated. */
const FATAL = new Set(
  "fatal|schwerwiegend|fatale|\u81f4\u547d\u9519\u8bef|\u81f4\u547d\u932f\u8aa4|critico".split("|"),
);
const LAST_LINES = 8;

/** Git ends after an error that it calls fatal, and what follows is advice. */
function findGitError({ text, start, end }: TextWindow, command: string): Signal | undefined {
  // After another step, or instead of one, git may have ended well.
  const isAlone = command.includes("git") && !command.includes(";") && !command.includes("||");
  if (!isAlone || !lastProgramsOf(command).includes("git")) {
    return undefined;
  }
  let stop = end;
  for (let line = 0; line < LAST_LINES && stop > start; line += 1) {
    const at = Math.max(start, text.lastIndexOf("\n", stop - 1) + 1);
    const words = lineAt(text, at, end);
    if (FATAL.has(labelAt(words, 0)?.word ?? "")) {
      return createSignal("failure", "own-complaint", at, words, 0.9);
    }
    stop = at - 1;
  }
  return undefined;
}
