import type { FailedCall, ToolOutcome } from "../outcome/outcome.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import type { StopReason } from "./events.ts";
import { type StopDecision, stopAtLimit, stopOnFailure, tooManyFailures } from "./run-end.ts";
import { failureMessage } from "./user-messages.ts";

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
    const permanent = failed.find(
      ({ failure }) => failure.executed && !failure.retryable && failure.kind !== "timeout",
    );
    if (permanent !== undefined && onPermanent === "run") return this.#stopOnFailure("permanent-failure", permanent);
    return undefined;
  }

  #stopOnFailure(reason: StopReason, failed: FailedCall): StopDecision {
    return stopOnFailure(reason, failed, failureMessage(failed, this.#policy.showDetail));
  }
}
