import {
  asksServer,
  closingEcho,
  commandOf,
  headLimit,
  hidesExitStatus,
  isAnswerByExit,
  openingEcho,
  printsItself,
  redirectsLast,
  redirectsOutput,
  runsInBackground,
} from "./call/shell-command.ts";
import { type ToolKind, toolKind } from "./call/tool-kind.ts";
import type { ClientProfile } from "./clients/client-profile.ts";
import { purposeOf } from "./reason/run-category.ts";
import { createSignal, type Signal } from "./signal.ts";
import { exitSignal } from "./structure/exit-marker.ts";
import { lineAt, type TextWindow } from "./text/text-window.ts";
import type { DetectCall, DetectContext } from "./types.ts";
import type { UserRule } from "./user-rules.ts";

/** The signals found in the text of a result. */
export interface TextSignals {
  readonly kind: "reading";
  /** The client's own statement in the text: an exit code, or a flag inside an envelope. */
  readonly stated?: Signal | undefined;
  /** What the tool's own text reports. */
  readonly report?: Signal | undefined;
  /** The output without envelopes, header and footer: the reason of a failure is searched here. */
  readonly body?: TextWindow;
}

/** No signals, as for most results. */
const SILENT: TextSignals = { kind: "reading" };

/** What rules know about a result in addition to its text. */
export class TextContext {
  readonly toolName: string | undefined;
  readonly kind: ToolKind;
  readonly profile: ClientProfile;
  readonly rules: readonly UserRule[] | undefined;
  readonly heuristics: boolean;
  /** The protocol says that the call succeeded, and this client sets that flag reliably. */
  readonly isFlaggedOk: boolean;
  /** The exit code that came with the result, apart from its text. */
  readonly exit: Signal | undefined;
  /** The call's arguments. Used only if needed, because they may have to be parsed. */
  readonly arguments: unknown;
  #command: string | false | undefined;

  constructor(
    call: DetectCall | undefined,
    profile: ClientProfile,
    { isError, exitCode }: { readonly isError: unknown; readonly exitCode: unknown },
    { rules, heuristics }: DetectContext,
  ) {
    this.toolName = typeof call?.name === "string" ? call.name : undefined;
    this.kind = toolKind(this.toolName, call?.arguments);
    this.profile = profile;
    this.rules = rules;
    this.heuristics = heuristics !== false;
    this.isFlaggedOk = isError === false && profile.okFlag === "ok";
    this.exit = Number.isInteger(exitCode) ? exitSignal(exitCode as number, -1, `exit code ${exitCode}`) : undefined;
    this.arguments = call?.arguments;
  }

  /** The command line of the call. Read once, because most rules for shells ask for it. */
  get command(): string | undefined {
    this.#command ??= commandOf(this.arguments) ?? false;
    return this.#command === false ? undefined : this.#command;
  }
}

/** Rules that match text of the client, not of the program. */
const HARNESS_RULES = new Set(["harness-sentence", "error-tag"]);

/** Handles text without an exit code: the command may reveal that the client saw a success. */
export function withoutStatus(report: Signal | undefined, context: TextContext, body: TextWindow): TextSignals {
  if (report?.denied === true) {
    return { kind: "reading", stated: createSignal("success", "field-denies", report.at, "", 0.75), report };
  }
  if (context.kind === "shell" && report?.says === "failure" && !HARNESS_RULES.has(report.rule)) {
    if (printsItself(report.words, context.command)) {
      return { kind: "reading", stated: createSignal("success", "printed-by-command", -1, "", 0.7), report };
    }
    const command = context.command;
    if (command !== undefined && hidesExitStatus(command)) {
      return {
        kind: "reading",
        stated: createSignal("success", "exit-hidden-by-command", -1, command.slice(-80), 0.7),
        report,
      };
    }
  }
  if (report === undefined && (context.kind === "shell" || context.kind === "agent")) {
    const rule = wentToBackground(body, context.kind) ? "still-running" : silenceOf(context, body);
    if (rule !== undefined) {
      return { kind: "reading", report: createSignal("open", rule, -1, "", 0.8) };
    }
  }
  if (report === undefined && context.profile.hidesExitStatus.includes(context.kind)) {
    return { kind: "reading", report: createSignal("open", "exit-status-hidden", -1, "", 0.9) };
  }
  return report === undefined ? SILENT : { kind: "reading", report };
}

/** Why a text without a failure reveals nothing about the program; undefined if the text is the program's own. */
function silenceOf(context: TextContext, { text, start, end }: TextWindow): string | undefined {
  const command = context.kind === "shell" ? context.command : undefined;
  if (command === undefined) {
    return undefined;
  }
  if (runsInBackground(context.arguments)) {
    return "still-running";
  }
  if (redirectsOutput(command)) {
    return "output-redirected";
  }
  // What the command's own `echo` prints reveals nothing about the program before it.
  const echoes = command.includes("echo ");
  const printed = echoes ? text.slice(start, Math.min(end, start + MAX_ECHO)) : "";
  if (echoes && printed === closingEcho(command)) {
    return "only-echo";
  }
  if (echoes && redirectsLast(command) && printed === openingEcho(command)) {
    return "output-redirected";
  }
  // A test runner or a build tells at its end how it went; `head` cuts that off.
  const limit = command.includes("help") ? undefined : headLimit(command);
  // `head` counts blank lines at both ends too.
  if (limit !== undefined && purposeOf(command) !== undefined && hasLines(text, 0, text.length, limit)) {
    return "cut";
  }
  return isUnfinished(lineAt(text, Math.max(start, text.lastIndexOf("\n", end - 1) + 1), end))
    ? "unfinished"
    : undefined;
}

/** Longer output is more than the words of an `echo`. */
const MAX_ECHO = 200;

/** Words in front of a step of a program's own progress. */
const STEPS = new Set(["epoch", "step", "batch", "chunk", "iteration", "migration", "migrations"]);

/** Whether the last line is progress that goes on: `epoch 2/50: …`, `Applying migrations (3 of 41) ...`. */
function isUnfinished(line: string): boolean {
  if (!line.includes("/") && !line.includes(" of ")) {
    return false;
  }
  const words = line.toLowerCase().split(" ", 8);
  const at = words.findIndex((word) => STEPS.has(word));
  const [done = "", all = ""] =
    words[at + 2] === "of" ? [words[at + 1], words[at + 3]] : (words[at + 1] ?? "").split("/", 2);
  return at !== -1 && numberIn(done) > 0 && numberIn(done) < numberIn(all);
}

function numberIn(word: string): number {
  return Number.parseInt(word.startsWith("(") ? word.slice(1) : word, 10);
}

/** Whether a text has at least so many lines. */
function hasLines(text: string, start: number, end: number, count: number): boolean {
  let at = start;
  for (let line = 1; line < count; line += 1) {
    at = text.indexOf("\n", at) + 1;
    if (at === 0 || at > end) {
      return false;
    }
  }
  return true;
}

/** How clients say that a process goes on without them, in lower case. */
const BACKGROUND = [
  "background",
  "hintergrund",
  "arri\u00e8re-plan",
  "segundo plano",
  "sfondo",
  "\u0444\u043e\u043d\u043e\u0432",
  "\u30d0\u30c3\u30af\u30b0\u30e9\u30a6\u30f3\u30c9",
  "\u540e\u53f0",
  "\ubc31\uadf8\ub77c\uc6b4\ub4dc",
];
const NOTICE_LENGTH = 160;

/** Whether the whole text is a short notice that the process goes on in the background. */
function wentToBackground({ text, start, end }: TextWindow, kind: ToolKind): boolean {
  if (end - start > NOTICE_LENGTH || hasLines(text, start, end, 3)) {
    return false;
  }
  const lower = text.slice(start, end).toLowerCase();
  return BACKGROUND.some((words) => lower.includes(words)) || (kind === "agent" && hasOnlyStarted(lower));
}

/** Whether a client says that an agent was started, and that its result comes later. */
function hasOnlyStarted(lower: string): boolean {
  const isStarted = lower.includes(" started") || lower.includes(" launched") || lower.includes(" queued");
  return isStarted && (lower.endsWith(" started") || lower.includes(" will be ") || lower.includes(" later"));
}

/** Handles text with an exit code, which decides, except for a 1 that only means "no match". */
export function withStatus(
  stated: Signal,
  report: Signal | undefined,
  context: TextContext,
  nothingToDo = false,
): TextSignals {
  const code = stated.exitCode;
  const mayAnswer = report === undefined || report.says === "open" || (code === 5 && report.rule === "wording");
  if (code !== undefined && (code === 1 || code === 4 || code === 5) && mayAnswer) {
    const command = context.command;
    if (command !== undefined && (isAnswerByExit(command, code) || (code === 1 && nothingToDo))) {
      const benign = createSignal("success", "benign-exit", stated.at, stated.words, 0.85, {
        stated: true,
        exitCode: code,
      });
      return { kind: "reading", stated: benign };
    }
  }
  return report === undefined ? { kind: "reading", stated } : { kind: "reading", stated, report };
}

/**
 * Whether a status says that the call succeeded, so that words alone do not outweigh it: the flag of a tool that shows
 * files, or the status of the program whose output is shown, unless the command asks a server or hides the status.
 */
export function hasSucceeded(context: TextContext, stated: Signal | undefined): boolean {
  const { kind, isFlaggedOk } = context;
  if (kind === "read" || kind === "search") {
    return isFlaggedOk;
  }
  if (kind !== "shell" || (stated?.exitCode !== 0 && !isFlaggedOk)) {
    return false;
  }
  const { command } = context;
  return command !== undefined && !hidesExitStatus(command) && !asksServer(command);
}
