import { commandOf, exitOneMeansNoMatch, hidesExitStatus, printsItself } from "./call/shell-command.ts";
import type { ToolKind } from "./call/tool-kind.ts";
import type { ClientProfile } from "./clients/client-profile.ts";
import { createSignal, type Signal } from "./signal.ts";
import type { TextWindow } from "./text/text-window.ts";
import type { UserRule } from "./user-rules.ts";

/** The signals found in the text of a result. */
export interface TextSignals {
  readonly kind: "reading";
  /** The client's own statement in the text: an exit code, or a flag inside an envelope. */
  readonly stated?: Signal;
  /** What the tool's own text reports. */
  readonly report?: Signal;
  /** The last line of failed output that no rule matches: often the reason. */
  readonly lastLine?: string;
}

/** No signals, as for most results. */
const SILENT: TextSignals = { kind: "reading" };

/** What rules know about a result in addition to its text. */
export interface TextContext {
  readonly toolName: string | undefined;
  readonly kind: ToolKind;
  readonly profile: ClientProfile;
  readonly rules: readonly UserRule[] | undefined;
  readonly heuristics: boolean;
  /** The call's arguments. Used only if needed, because they may have to be parsed. */
  readonly arguments: unknown;
}

/** Rules that match text of the client, not of the program. */
const HARNESS_LINES = new Set(["output-timeout-line", "output-abort-line", "lead-timeout", "lead-cancelled"]);

/** Handles text without an exit code: the command may reveal that the client saw a success. */
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

/** Handles text with an exit code, which decides, except for a 1 that only means "no match". */
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

/** Returns the last line with content. `Error: (none)` in a block has none. */
function lastLine({ text, start, end }: TextWindow): string {
  const lines = text.slice(Math.max(start, end - 2000), end).split("\n");
  const line = lines.findLast((part) => part.trim() !== "" && !/\((?:none|empty)\)\s*$/.test(part));
  return line?.trim().slice(0, 500) ?? "";
}
