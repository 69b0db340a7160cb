import { lastProgramsOf, programsOf, showsOthers, showsStoredText } from "../call/shell-command.ts";
import { categoryOfMessage, namesSystemError } from "../reason/category.ts";
import { RANK, rankLine } from "../reason/line-rank.ts";
import { labelAt, USAGE_LABELS } from "../reason/severity-words.ts";

import { createSignal, type Signal } from "../signal.ts";
import { lineAt, type TextWindow } from "./text-window.ts";

/** Programs that complain without their name: `fatal: …`, `parse error: …`. */
const NAMELESS = new Set("git jq yq kubectl docker podman".split(" "));

/** Whether the command only shows stored text, logs and states of other programs, or what it would do. */
export function showsWordsOfOthers(command: string | undefined): boolean {
  return command !== undefined && (showsStoredText(command) || showsOthers(command) || isDryRun(command));
}

/** Options with which a program prints the commands or the text of its next step, which may contain any word. */
const DRY_RUNS: ReadonlyMap<string, string> = new Map([
  ["make", " -n | --dry-run | --just-print "],
  ["kubectl", " --dry-run=client | kustomize "],
  ["helm", " template "],
  ["logrotate", " -d | --debug "],
]);

function isDryRun(command: string): boolean {
  const [name = "", ...others] = programsOf(command);
  const options = DRY_RUNS.get(name)?.split("|") ?? [];
  return options.some((option) => `${command} `.includes(option)) && others.every((other) => PAGERS.has(other));
}
const PAGERS = new Set("head tail grep less cat sort".split(" "));

const FALLBACK = /\|\|\s*(?!true\b|:|echo\b|exit\b)\S/;

/** Finds an error of the command itself in text that it shows: its first or last line, in a program's name. */
export function findOwnComplaint({ text, start, end }: TextWindow, command = ""): Signal | undefined {
  const programs = programsOf(command);
  const last = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  // After `||` another command was run instead; what it printed is the result.
  const places = last === start ? [start] : FALLBACK.test(command) ? [last] : [last, start];
  // Errors without a program's name among other lines of a log are the log's.
  const showsLogs = command.includes(" log") && showsOthers(command);
  for (const at of places) {
    const line = lineAt(text, at, end);
    const label = labelAt(line, 0);
    if (label === undefined) {
      continue;
    }
    if (label.word.startsWith("failed to ") && programs.some((program) => SYSTEMD.has(program))) {
      return createSignal("failure", "own-complaint", at, line, 0.8);
    }
    const name = label.word.slice(label.word.lastIndexOf("/") + 1);
    const own =
      label.sense === "error"
        ? programs.some((program) => NAMELESS.has(program)) && (last === start || !showsLogs)
        : SHELLS.has(name) || programs.includes(name);
    if (own && rankLine(line, programs) >= RANK.named) {
      return createSignal("failure", "own-complaint", at, line, 0.8);
    }
  }
  return undefined;
}

/** Programs that complain with a sentence: `Failed to connect to bus: …`. */
const SYSTEMD = new Set("systemctl journalctl loginctl hostnamectl timedatectl busctl".split(" "));

/** Programs that print their own name only before a complaint, and nothing on success or only data. */
const UTILITIES = new Set(
  "awk gawk basename bc cat chgrp chmod chown comm cp cut date dc df diff dirname du expr find head id join jq kill ln ls mv nl od paste readlink realpath rm sed seq shuf sort stat su sudo tail tee touch tr truncate tsort uniq wc xargs xxd doas env timeout cmp gzip gunzip bzip2 xz zstd unzip mawk lua tclsh ssh scp sftp curl wget psql iconv xmllint ping".split(
    " ",
  ),
);

/** Whether the only line of an output is the complaint of such a program, or of any about its option. */
function isComplaint(name: string, rest: string, isAlone: boolean): boolean {
  return (
    (rest.startsWith("-") && !rest.startsWith("- ")) ||
    (isAlone && UTILITIES.has(name) && !NO_COMPLAINT.some((word) => rest.toLowerCase().includes(word)))
  );
}
/** Programs that start another one, which is not run after their complaint. */
const STARTERS = new Set(["sudo", "doas", "env", "timeout"]);
/** The last one is a warning of sudo. */
const NO_COMPLAINT = ["warning", "created", "removed", "?", "resolve host"];

/**
 * Finds a system error that a program of the last step reports in its own name, on the first or the last line. The step
 * decides the exit code; what steps before it report may be expected.
 */
export function findSystemComplaint({ text, start, end }: TextWindow, command: string | undefined): Signal | undefined {
  const last = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  if (command === undefined || FALLBACK.test(command)) {
    return undefined;
  }
  for (const at of last === start ? [start] : [start, last]) {
    const line = lineAt(text, at, end);
    const label = labelAt(line, 0);
    const isOwn =
      label?.sense === "other" &&
      (lastProgramsOf(command).includes(label.word) || (STARTERS.has(label.word) && last === start));
    const rest = isOwn ? line.slice(label.end).trimStart() : "";
    if (isOwn && (namesSystemError(line) || isComplaint(label.word, rest, last === start))) {
      return createSignal("failure", "own-complaint", at, line, 0.9);
    }
  }
  return undefined;
}

/**
 * Whether only a program before the last step complains, and the last step goes on: `rm old; cp a b`. After `&&` the
 * complaint would have been the end; a last step that only shows something hides it.
 */
export function isEarlierComplaint({ text, start, end }: TextWindow, command: string | undefined): boolean {
  const last = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  if (last === start || command === undefined) {
    return false;
  }
  if (command.includes("make") && lastProgramsOf(command).includes("make") && wasIgnored(text, start, end)) {
    return true;
  }
  if (!command.includes(";") || command.includes("&&")) {
    return false;
  }
  const second = text.indexOf("\n", start) + 1;
  if (second !== last || showsStoredText(command.slice(command.lastIndexOf(";") + 1))) {
    return false;
  }
  // Clients print what went to the second stream above the first one, or below it.
  return (
    isAside(lineAt(text, start, end), lineAt(text, last, end), command) ||
    isAside(lineAt(text, last, end), lineAt(text, start, end), command)
  );
}

/** Whether make went on after a failed step, as its recipe allows, and no later step failed. */
function wasIgnored(text: string, start: number, end: number): boolean {
  const at = text.lastIndexOf(" (ignored)\n", end);
  return at > start && text.startsWith("make", text.lastIndexOf("\n", at) + 1) && !text.includes(": *** ", at);
}

/** Whether a line is the complaint of an earlier program, and the other line none. */
function isAside(line: string, other: string, command: string): boolean {
  const name = labelAt(line, 0)?.word ?? "";
  return (
    programsOf(command).includes(name) &&
    !lastProgramsOf(command).includes(name) &&
    rankLine(other, lastProgramsOf(command)) < RANK.worded
  );
}

const SHELLS = new Set("bash sh zsh dash ksh fish ash".split(" "));

/** Git has nothing to commit: an answer, in the languages into which git is translated. */
const NOTHING_TO_COMMIT =
  "nothing to commit|nothing added to commit|nichts zu committen|nichts zum commit|rien \u00e0 valider|aucune modification ajout\u00e9e|nada para hacer commit|no hay nada agregado|niente di cui eseguire il commit|non \u00e8 stato aggiunto nulla|nada a submeter|nada adicionado|\u043d\u0435\u0447\u0435\u0433\u043e \u043a\u043e\u043c\u043c\u0438\u0442\u0438\u0442\u044c|\u043d\u0435\u0447\u0435\u0433\u043e \u0444\u0438\u043a\u0441\u0438\u0440\u043e\u0432\u0430\u0442\u044c|\u30b3\u30df\u30c3\u30c8\u3059\u308b\u3082\u306e\u304c\u3042\u308a\u307e\u305b\u3093|\u65e0\u6587\u4ef6\u8981\u63d0\u4ea4|\u63d0\u4ea4\u4e3a\u7a7a|nothing to do for".split(
    "|",
  );

/** Whether the command had nothing to do, which is no failure. */
export function hadNothingToDo({ text, start, end }: TextWindow, command: string | undefined): boolean {
  if (command?.includes("commit") !== true) {
    return false;
  }
  const tail = text.slice(Math.max(start, end - 300), end).toLowerCase();
  return NOTHING_TO_COMMIT.some((phrase) => tail.includes(phrase));
}

/** Whether the last step made a commit: git prints `[branch 1a2b3c4] subject` below what its hooks print. */
export function hasCommitted({ text, start, end }: TextWindow, command = ""): boolean {
  if (!command.slice(command.lastIndexOf("git ")).startsWith("git commit")) {
    return false;
  }
  const at = text.startsWith("[", start) ? start : text.lastIndexOf("\n[", end) + 1;
  const close = text.indexOf("]", at);
  const words = at < start || close === -1 || close > end ? [] : text.slice(at + 1, close).split(" ");
  const id = words.length < 2 ? "" : (words.at(-1) ?? "");
  return id.length >= MIN_ID && text.startsWith("] ", close) && Number.isInteger(Number(`0x${id}`));
}
const MIN_ID = 7;

/** Whether the command asks for help, so that a usage text is what it wanted. */
const ASKS_HELP = /(?:^|\s)(?:--?h(?:elp)?|--explain|help|--usage|man|info|tldr|-\?)(?:[\s;|&)]|$)/;

/** Whether the output is a usage text or a manual that the command asked for. */
export function isRequestedHelp(window: TextWindow, command = ""): boolean {
  const { text, start, end } = window;
  const first = lineAt(text, start, end);
  const label = labelAt(first, 0);
  if (label !== undefined && USAGE_LABELS.has(label.word)) {
    const last = labelAt(lineAt(text, Math.max(start, text.lastIndexOf("\n", end - 1) + 1), end), 0);
    return last?.sense !== "error" && ASKS_HELP.test(command.slice(0, 600));
  }
  const isPydoc = command.includes("help(") && `\n${text.slice(start, end)}`.includes("\nHelp on ");
  return isPydoc || (showsManual(command) && isManual(first, window, command));
}

/** Whether the command only shows the manual of a program: `svn help merge | head`, `rustc --explain E0382`. */
function showsManual(command: string): boolean {
  const space = command.indexOf(" ");
  const isAsked =
    MANUALS.has(command.slice(0, space)) ||
    command.startsWith("help ", space + 1) ||
    MANUAL_OPTIONS.some((option) => command.includes(option));
  return isAsked && !SEVERAL_STEPS.some((sign) => command.includes(sign));
}
const MANUAL_OPTIONS = [" --help", " --explain"];
const MANUALS = new Set(["man", "tldr", "info", "help", "pydoc", "pydoc3", "perldoc", "ri"]);
const SEVERAL_STEPS = [";", "&&", "||", "\n"];

/** A manual has several lines, and starts neither with a complaint of the program nor with one of the shell. */
function isManual(first: string, window: TextWindow, command: string): boolean {
  const lines = window.text.slice(window.start, window.end).split("\n", MIN_MANUAL_LINES);
  const [word = ""] = first.toLowerCase().replace(":", " ").split(" ", 1);
  const isComplaint =
    DENIES.has(word) || programsOf(command).includes(word) || rankLine(first, programsOf(command)) >= RANK.labeled;
  return lines.length === MIN_MANUAL_LINES && !isComplaint && findOwnComplaint(window, command) === undefined;
}
const MIN_MANUAL_LINES = 4;
const DENIES = new Set("unknown no invalid unrecognized cannot can't error sorry traceback failed".split(" "));

/** A usage text near the start, below a complaint. */
const USAGE_BELOW = ["\nUsage:", "\nusage:"];
const COMPLAINT_LENGTH = 400;

/** Finds a usage text that was not requested: the call of the program was wrong. */
export function findUsageText({ text, start, end }: TextWindow, command: string | undefined): Signal | undefined {
  if (command === undefined || ASKS_HELP.test(command.slice(0, 600))) {
    return undefined;
  }
  const first = lineAt(text, start, end);
  const isUsage =
    USAGE_LABELS.has(labelAt(first, 0)?.word ?? "") ||
    (USAGE_BELOW.some((words) => text.slice(start, start + COMPLAINT_LENGTH).includes(words)) &&
      categoryOfMessage(first, "program") === "invalid_arguments");
  return isUsage
    ? createSignal("failure", "usage-text", start, first, 0.85, { category: "invalid_arguments" })
    : undefined;
}
