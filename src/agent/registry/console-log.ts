import { ToolError } from "../outcome/tool-error.ts";
import type { Sanitizer } from "../sanitize/safe-text.ts";
import type { LogEntry } from "./hooks.ts";

/** More different problems than a healthy program has; beyond it, problems are printed again. */
const MAX_REMEMBERED = 500;

/**
 * The default log: prints each problem once to the console, without secrets. Otherwise a bug in a tool would stay
 * invisible in a program that configured no log.
 */
export function consoleLog(sanitizer: Sanitizer): (entry: LogEntry) => void {
  const printed = new Set<string>();
  return ({ level, event, message, ref, cause }) => {
    // A failure that a tool reports has another text for each input, so it counts as one problem.
    const error = cause instanceof Error && !ToolError.isInstance(cause) ? cause : undefined;
    const problem = `${event} ${message} ${error?.message ?? ""}`.slice(0, 2000);
    if (printed.has(problem)) return;
    if (printed.size >= MAX_REMEMBERED) printed.clear();
    printed.add(problem);
    const detail = error === undefined ? "" : `\n${sanitizer.forModel(String(error.stack ?? error))}`;
    globalThis.console[level](`[toolmend] ${message}${ref === undefined ? "" : ` (ref ${ref})`}${detail}`);
  };
}
