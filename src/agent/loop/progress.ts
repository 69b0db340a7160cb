import type { FailedCall, ToolOutcome } from "../outcome/outcome.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import { atLimit, type Ending, failedWith, tooManyFailures } from "./endings.ts";
import type { StopReason } from "./events.ts";
import { failureSentence } from "./sentences.ts";

/** Does a run get anywhere? Counts its rounds, and says when enough is enough. */
export class Progress {
  readonly #policy: FailurePolicy;
  #successRounds = 0;
  #failedRounds = 0;

  constructor(policy: FailurePolicy) {
    this.#policy = policy;
  }

  /** A round of calls is over; `blockedRepeats`: how often the run has tried what it had tried before. */
  afterCalls(outcomes: readonly ToolOutcome[], blockedRepeats: number): Ending | undefined {
    const failed = outcomes.filter((outcome): outcome is FailedCall => !outcome.ok);
    const ending = this.#endingOf(failed);
    if (ending !== undefined) return ending;
    if (blockedRepeats > 1) return atLimit("repeated-call");
    if (failed.length === outcomes.length) return this.afterNothing(failed.at(-1));
    this.#failedRounds = 0;
    this.#successRounds += 1;
    return this.#successRounds >= this.#policy.maxRounds ? atLimit("round-limit") : undefined;
  }

  /** A round came to nothing; `last` is what failed, if it was a call. */
  afterNothing(last?: FailedCall): Ending | undefined {
    this.#failedRounds += 1;
    if (this.#failedRounds < this.#policy.maxFailedRounds) return undefined;
    return tooManyFailures(last, this.#policy.showDetail);
  }

  /** Is one of these failures the end by itself? */
  #endingOf(failed: readonly FailedCall[]): Ending | undefined {
    const { onMissing, onPermanent } = this.#policy;
    const asking = failed.find(({ failure }) => failure.question !== undefined);
    if (asking?.failure.question !== undefined) {
      return { reason: "clarify", callId: asking.call.id, question: asking.failure.question };
    }
    const missing = failed.find(({ failure }) => failure.kind === "missing_parameter");
    if (missing !== undefined && onMissing === "stop") return this.#failedWith("missing-parameter", missing);
    const permanent = failed.find(
      ({ failure }) => failure.executed && !failure.retryable && failure.kind !== "timeout",
    );
    if (permanent !== undefined && onPermanent === "run") return this.#failedWith("permanent-failure", permanent);
    return undefined;
  }

  #failedWith(reason: StopReason, failed: FailedCall): Ending {
    return failedWith(reason, failed, failureSentence(failed, this.#policy.showDetail));
  }
}
