import { commandOf, exitOneMeansNoMatch, hidesExitStatus, printsItself } from "./call/shell-command.ts";
import type { ToolKind } from "./call/tool-kind.ts";
import type { ClientProfile } from "./clients/client-profile.ts";
import { createSignal, type Signal } from "./signal.ts";
import type { TextWindow } from "./text/text-window.ts";
import type { UserRule } from "./user-rules.ts";

/** What the text of a result says: its harness's word, and its own. */
export interface TextSignals {
  readonly kind: "reading";
  /** What the harness stated in the text: an exit status, a flag inside an envelope. */
  readonly stated?: Signal;
  /** What the text reports to a person. */
  readonly report?: Signal;
  /** The last line of an output whose status is bad and that no rule reads: often the reason. */
  readonly lastLine?: string;
}

/** Nothing stated, nothing reported: most results. */
const SILENT: TextSignals = { kind: "reading" };

/** What the reading may know besides the text. */
export interface TextContext {
  readonly toolName: string | undefined;
  readonly kind: ToolKind;
  readonly profile: ClientProfile;
  readonly rules: readonly UserRule[] | undefined;
  readonly heuristics: boolean;
  /** The call's arguments; read only when something hangs on them, for they may have to be parsed first. */
  readonly arguments: unknown;
}

/** Rules that read the harness's words, not the program's. */
const HARNESS_LINES = new Set(["output-timeout-line", "output-abort-line", "lead-timeout", "lead-cancelled"]);

/** Nobody stated a status: does the command itself tell what the harness saw? */
export function withoutStatus(report: Signal | undefined, context: TextContext): TextSignals {
  if (report?.denied === true) {
    return { kind: "reading", stated: createSignal("success", "field-denies", report.at, "", 0.75), report };
  }
  if (context.kind === "shell" && report?.says === "failure" && !HARNESS_LINES.has(report.rule)) {
    if (printsItself(report.words, context.arguments)) {
      return { kind: "reading", stated: createSignal("success", "printed-by-command", -1, "", 0.7), report };
    }
    const command = report.rule.startsWith("output-") ? commandOf(context.arguments) : undefined;
    if (command !== undefined && hidesExitStatus(command)) {
      return {
        kind: "reading",
        stated: createSignal("success", "exit-hidden-by-command", -1, command.slice(-80), 0.7),
        report,
      };
    }
  }
  if (report === undefined && context.profile.hidesExitStatus.includes(context.kind)) {
    return { kind: "reading", report: createSignal("open", "exit-status-hidden", -1, "", 0.9) };
  }
  return report === undefined ? SILENT : { kind: "reading", report };
}

/** A stated status decides, but for the 1 that only means "nothing found". */
export function withStatus(
  stated: Signal,
  report: Signal | undefined,
  context: TextContext,
  body?: TextWindow,
): TextSignals {
  if (stated.exitCode === 1 && (report === undefined || report.says === "open")) {
    const command = commandOf(context.arguments);
    if (command !== undefined && exitOneMeansNoMatch(command)) {
      const benign = createSignal("success", "benign-exit", stated.at, stated.words, 0.85, {
        stated: true,
        exitCode: 1,
      });
      return { kind: "reading", stated: benign };
    }
  }
  if (report !== undefined) {
    return { kind: "reading", stated, report };
  }
  const line = stated.says === "failure" && body !== undefined ? lastLine(body) : "";
  return line === "" ? { kind: "reading", stated } : { kind: "reading", stated, lastLine: line };
}

/** The last line that says something: `Error: (none)` of a block does not. */
function lastLine({ text, start, end }: TextWindow): string {
  const lines = text.slice(Math.max(start, end - 2000), end).split("\n");
  const line = lines.findLast((part) => part.trim() !== "" && !/\((?:none|empty)\)\s*$/.test(part));
  return line?.trim().slice(0, 500) ?? "";
}
