import { commandOf } from "../detect/call/shell-command.ts";
import { matchesGlob } from "../repair/repair-policy.ts";
import { canonicalArguments } from "./find-loops.ts";

/** Whether the guard ignores a call. */
export type IsIgnored = (tool: string, args: unknown) => boolean;

/** A name, or a name and a pattern for the command in brackets. */
const WITH_ARGUMENTS = /^([^()]{1,200})\((.{0,500})\)$/s;

/**
 * Parses patterns of calls that may repeat: `TaskOutput`, `mcp__jobs__*`, `Bash(sleep *)`. The part in parentheses is
 * compared with the command of a shell call, otherwise with the arguments as JSON. `*` matches any text.
 */
export function ignoredBy(patterns: readonly string[]): IsIgnored {
  const rules = patterns.map((pattern) => {
    const [, tool = pattern, args] = WITH_ARGUMENTS.exec(pattern) ?? [];
    return { tool, args };
  });
  return (tool, args) =>
    rules.some(
      (rule) => matchesGlob(tool, rule.tool) && (rule.args === undefined || matchesGlob(textOf(args), rule.args)),
    );
}

function textOf(args: unknown): string {
  let value = args;
  if (typeof args === "string") {
    try {
      value = JSON.parse(args);
    } catch {
      return args;
    }
  }
  return commandOf(value) ?? canonicalArguments(value);
}
