import type { Outcome } from "../model/outcome.ts";

/** How much of the message is shown. */
const MESSAGE_LENGTH = 100;

/** Below this a duration says nothing about the failure. */
const LONG_MS = 30_000;

/**
 * One line that tells a failure at a glance; nothing for what did not fail.
 *
 * @example
 * formatStatusMessage(outcome, "Bash"); // "[EXIT_CODE] Bash exit=1 - error"
 */
export function formatStatusMessage(outcome: Outcome, tool: string): string | undefined {
  if (outcome.status !== "failed") {
    return undefined;
  }
  const head = [`[${(outcome.category ?? "error").toUpperCase()}]`, tool];
  if (outcome.exitCode !== undefined && outcome.exitCode !== 0) {
    head.push(`exit=${outcome.exitCode}`);
  }
  if (outcome.durationMs !== undefined && outcome.durationMs > LONG_MS) {
    head.push(`duration=${Math.round(outcome.durationMs / 1000)}s`);
  }
  const message = outcome.message ?? "";
  const shown = message.length > MESSAGE_LENGTH ? `${message.slice(0, MESSAGE_LENGTH)}...` : message;
  return shown === "" ? head.join(" ") : `${head.join(" ")} - ${shown}`;
}
