import type { Outcome } from "../model/outcome.ts";
import { shortenMessage } from "./shorten-message.ts";

/** Maximum length of the message. */
const MESSAGE_LENGTH = 100;

/** Shorter durations are not worth showing. */
const LONG_MS = 30_000;

/** The parts of an outcome that a status message shows. Without `message`, it contains no text of the result. */
export type StatusFacts = Pick<Outcome, "status" | "category" | "exitCode" | "durationMs" | "message">;

/**
 * Summarizes a failure in one line; undefined if the call did not fail.
 *
 * @example
 * formatStatusMessage(outcome, "Bash"); // "[EXIT_CODE] Bash exit=1 - error"
 */
export function formatStatusMessage(outcome: StatusFacts, tool: string): string | undefined {
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
  const message = shortenMessage(outcome.message ?? "", MESSAGE_LENGTH, outcome.category === "test_failure");
  const shown = message.length > MESSAGE_LENGTH ? `${message.slice(0, MESSAGE_LENGTH)}...` : message;
  return shown === "" ? head.join(" ") : `${head.join(" ")} - ${shown}`;
}
