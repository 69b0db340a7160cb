import { ToolError } from "../outcome/tool-error.ts";
import type { Sanitizer } from "../sanitize/safe-text.ts";
import type { LogEntry } from "./hooks.ts";

/** More different problems than a healthy program has; beyond it, problems are printed again. */
const MAX_REMEMBERED = 500;

/**
 * The log of programs that configure none: prints each problem once to the console, without secrets. A bug in a tool
 * must not stay invisible only because nothing was set up.
 */
export function consoleLog(sanitizer: Sanitizer): (entry: LogEntry) => void {
  const printed = new Set<string>();
  return ({ level, event, message, ref, cause }) => {
    // A failure that a tool reports has a new text for each input: it is one problem.
    const error = cause instanceof Error && !ToolError.isInstance(cause) ? cause : undefined;
    const problem = `${event} ${message} ${error?.message ?? ""}`.slice(0, 2000);
    if (printed.has(problem)) return;
    if (printed.size >= MAX_REMEMBERED) printed.clear();
    printed.add(problem);
    const detail = error === undefined ? "" : `\n${sanitizer.forModel(String(error.stack ?? error))}`;
    globalThis.console[level](`[toolmend] ${message}${ref === undefined ? "" : ` (ref ${ref})`}${detail}`);
  };
}
