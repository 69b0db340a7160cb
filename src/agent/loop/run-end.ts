import type { SafeError } from "../model/message.ts";
import type { FailedCall } from "../outcome/outcome.ts";
import type { StopReason } from "./events.ts";
import { safeError } from "./history.ts";
import { failureMessage, isCallFault, limitMessage } from "./user-messages.ts";

type ErrorKind = "tool_execution_error" | "tool_validation_error" | "tool_loop_limit" | "model_error";

/** How a run ends: without further output, with a message to the user, or with a question. */
export type StopDecision =
  | { readonly reason: StopReason }
  | { readonly reason: StopReason; readonly eventKind: ErrorKind; readonly error: SafeError }
  | { readonly reason: "clarify"; readonly callId: string; readonly question: string }
  /** May still become a final response without tools. */
  | { readonly reason: StopReason; readonly limit: StopDecision };

export function stopWithMessage(
  reason: StopReason,
  eventKind: ErrorKind,
  message: string,
  category: string,
): StopDecision {
  return { reason, eventKind, error: { category, message, retryable: true } };
}

/** Stops at a limit. */
export function stopAtLimit(reason: StopReason): StopDecision {
  return { reason, limit: stopWithMessage(reason, "tool_loop_limit", limitMessage(reason), "limit") };
}

/** Stops because of a failed call. */
export function stopOnFailure(reason: StopReason, { call, failure }: FailedCall, message: string): StopDecision {
  const eventKind = isCallFault(failure.kind) ? "tool_validation_error" : "tool_execution_error";
  return { reason, eventKind, error: { ...safeError(call, failure), message } };
}

/** Stops after too many failed rounds in a row; `last` is the last failed call, if any. */
export function tooManyFailures(last: FailedCall | undefined, showDetail: boolean): StopDecision {
  const reason = "failed-rounds";
  const limit =
    last === undefined
      ? stopWithMessage(reason, "model_error", limitMessage(reason), "no_answer")
      : stopOnFailure(reason, last, failureMessage(last, showDetail));
  return { reason, limit };
}
