import type { SafeError } from "../model/message.ts";
import type { FailedCall } from "../outcome/outcome.ts";
import type { StopReason } from "./events.ts";
import { safeError } from "./round-history.ts";
import { failureSentence, isCallFault, limitSentence } from "./sentences.ts";

type ErrorKind = "tool_execution_error" | "tool_validation_error" | "tool_loop_limit" | "model_error";

/** How a run ends: with nothing more to say, with a sentence to the user, or with a question. */
export type Ending =
  | { readonly reason: StopReason }
  | { readonly reason: StopReason; readonly say: ErrorKind; readonly error: SafeError }
  | { readonly reason: "clarify"; readonly callId: string; readonly question: string }
  /** May still become one last answer without tools. */
  | { readonly reason: StopReason; readonly limit: Ending };

export function saying(reason: StopReason, say: ErrorKind, message: string, category: string): Ending {
  return { reason, say, error: { category, message, retryable: true } };
}

/** A limit is reached. */
export function atLimit(reason: StopReason): Ending {
  return { reason, limit: saying(reason, "tool_loop_limit", limitSentence(reason), "limit") };
}

/** A failed call ends it. */
export function failedWith(reason: StopReason, { call, failure }: FailedCall, message: string): Ending {
  const say = isCallFault(failure.kind) ? "tool_validation_error" : "tool_execution_error";
  return { reason, say, error: { ...safeError(call, failure), message } };
}

/** Too many rounds in a row came to nothing; `last` is what failed, if it was a call. */
export function tooManyFailures(last: FailedCall | undefined, showDetail: boolean): Ending {
  const reason = "failed-rounds";
  const limit =
    last === undefined
      ? saying(reason, "model_error", limitSentence(reason), "no_answer")
      : failedWith(reason, last, failureSentence(last, showDetail));
  return { reason, limit };
}
