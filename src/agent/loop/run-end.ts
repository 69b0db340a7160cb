import type { SafeError } from "../model/message.ts";
import type { FailureKind } from "../outcome/failure.ts";
import type { FailedCall, ToolOutcome } from "../outcome/outcome.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import { shownName } from "../sanitize/user-texts.ts";
import type { StopReason } from "./events.ts";
import { safeError } from "./history.ts";

type ErrorKind = "tool_execution_error" | "tool_validation_error" | "tool_loop_limit" | "model_error";

/** How a run ends: without further output, with a message to the user, or with a question. */
export type StopDecision =
  | { readonly reason: StopReason }
  | {
      readonly reason: StopReason;
      readonly eventKind: ErrorKind;
      readonly error: SafeError;
      /** The call whose failure ends the run. */
      readonly failed?: FailedCall;
    }
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
export function stopOnFailure(reason: StopReason, failed: FailedCall, message: string): StopDecision {
  const { call, failure } = failed;
  const eventKind = isCallFault(failure.kind) ? "tool_validation_error" : "tool_execution_error";
  return { reason, eventKind, error: { ...safeError(call, failure), message }, failed };
}

/**
 * The errors of failed executions after which the run continues, if the policy wants one for each. The failure that
 * ends the run is reported at its end.
 */
export function executionErrors(
  outcomes: readonly ToolOutcome[],
  ending: StopDecision | undefined,
  { executionErrors: mode, onLimit, showDetail }: FailurePolicy,
): { readonly callId: string; readonly error: SafeError }[] {
  if (mode === "end") return [];
  const last = ending !== undefined && "limit" in ending && onLimit === "stop" ? ending.limit : ending;
  const ended = last !== undefined && "failed" in last ? last.failed : undefined;
  return outcomes.flatMap((outcome) => {
    if (outcome.ok || outcome === ended || isCallFault(outcome.failure.kind) || !outcome.failure.executed) return [];
    const error = { ...safeError(outcome.call, outcome.failure), message: failureMessage(outcome, showDetail) };
    return [{ callId: outcome.call.id, error }];
  });
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

/** Failures caused by the call, not by the tool. */
const CALL_FAULTS: ReadonlySet<FailureKind> = new Set([
  "unknown_tool",
  "malformed_arguments",
  "missing_parameter",
  "invalid_arguments",
]);

export function isCallFault(kind: FailureKind): boolean {
  return CALL_FAULTS.has(kind);
}

/** Message to the user when a failure ends the run. */
export function failureMessage({ call, failure }: FailedCall, showDetail: boolean): string {
  const tool = shownName(call.name);
  const issues = failure.issues?.filter(({ problem }) => problem === "missing").map(({ path }) => path);
  const detail =
    failure.detail ?? (issues !== undefined && issues.length > 0 ? `${issues.join(", ")} required` : undefined);
  const inside = showDetail ? ` (${detail ?? "Tool execution failed"})` : "";
  return failure.kind === "missing_parameter"
    ? `The assistant attempted to call '${tool}' without required arguments${inside}. Please try your message again with more specific details.`
    : `The assistant could not complete '${tool}'${inside}. Please try again in a moment or adjust your request.`;
}

/** Message to the user when a limit ends the run. */
export function limitMessage(reason: StopReason): string {
  if (reason === "repeated-call") {
    return "The assistant kept repeating the same step and was stopped. Please try again with a more specific request.";
  }
  if (reason === "deadline") return "The assistant ran out of time. Please try again with a more specific request.";
  if (reason === "token-limit" || reason === "cost-limit") {
    return "The assistant used up what is allowed for one request. Please try again with a more specific request.";
  }
  if (reason === "failed-rounds") return "The assistant gave no usable answer. Please try again in a moment.";
  return "The assistant stopped after too many tool calls. Please try again with a more specific request.";
}

export const REFUSAL = "The assistant declined to answer this.";
export const CUT_OFF = "The answer was cut off before it began. Please try again with a more specific request.";

/** Counts rounds and decides when a run without progress ends. */
export class Progress {
  readonly #policy: FailurePolicy;
  #successRounds = 0;
  #failedRounds = 0;

  constructor(policy: FailurePolicy) {
    this.#policy = policy;
  }

  /** Called after a round of calls. `blockedRepeats` is the number of repeated calls that were rejected. */
  afterCalls(outcomes: readonly ToolOutcome[], blockedRepeats: number): StopDecision | undefined {
    const failed = outcomes.filter((outcome): outcome is FailedCall => !outcome.ok);
    const ending = this.#endingOf(failed);
    if (ending !== undefined) return ending;
    if (blockedRepeats > 1) return stopAtLimit("repeated-call");
    if (failed.length === outcomes.length) return this.afterFailedRound(failed.at(-1));
    this.#failedRounds = 0;
    this.#successRounds += 1;
    return this.#successRounds >= this.#policy.maxRounds ? stopAtLimit("round-limit") : undefined;
  }

  /** Called after a round without success; `last` is the last failed call, if any. */
  afterFailedRound(last?: FailedCall): StopDecision | undefined {
    this.#failedRounds += 1;
    if (this.#failedRounds < this.#policy.maxFailedRounds) return undefined;
    return tooManyFailures(last, this.#policy.showDetail);
  }

  /** The decision if one of these failures ends the run by itself. */
  #endingOf(failed: readonly FailedCall[]): StopDecision | undefined {
    const { onMissing, onPermanent } = this.#policy;
    const withQuestion = failed.find(({ failure }) => failure.question !== undefined);
    if (withQuestion?.failure.question !== undefined) {
      return { reason: "clarify", callId: withQuestion.call.id, question: withQuestion.failure.question };
    }
    const missing = failed.find(({ failure }) => failure.kind === "missing_parameter");
    if (missing !== undefined && onMissing === "stop") return this.#stopOnFailure("missing-parameter", missing);
    const permanent = failed.find(({ failure }) => failure.permanent === true);
    if (permanent !== undefined && onPermanent === "run") return this.#stopOnFailure("permanent-failure", permanent);
    return undefined;
  }

  #stopOnFailure(reason: StopReason, failed: FailedCall): StopDecision {
    return stopOnFailure(reason, failed, failureMessage(failed, this.#policy.showDetail));
  }
}
