import { getErrorSeverity, RETRY_ADVICE } from "../../core/detect/index.ts";
import type { Category, Outcome, Phase } from "../../core/model/outcome.ts";

/** What an agent's own event says about a result, beside its text: the user stopped the tool, or the client answered in its place. */
export type Stage = "interrupted" | "unrun";

/** The verdict on the text, corrected by the event: it is better evidence than words. */
export function stagedOutcome(outcome: Outcome, stage: Stage | undefined): Outcome {
  switch (stage) {
    case "interrupted":
      return failedAs(outcome, "run", "cancelled");
    case "unrun":
      return outcome.status === "failed" ? outcome : REFUSED;
    case undefined:
      return outcome;
  }
}

/** The same for a call that was in order: then it was refused, whatever the words say of it. */
export function gatedOutcome(outcome: Outcome): Outcome | undefined {
  return outcome.phase === "call" ? failedAs(outcome, "gate", "permission_denied") : undefined;
}

/** The rule of a refusal without a known reason. Its words are kept nowhere: they may be a result after all. */
export const NO_REASON = "answered-without-running";

/** A tool that did not run and gave no reason that is known: somebody did not let it. */
const REFUSED: Outcome = {
  status: "failed",
  flag: "absent",
  reported: "unknown",
  soft: false,
  phase: "gate",
  category: "permission_denied",
  severity: getErrorSeverity("permission_denied"),
  retryable: RETRY_ADVICE.permission_denied,
  evidence: [{ rule: NO_REASON }],
  confidence: 0.6,
};

function failedAs(outcome: Outcome, phase: Phase, category: Category): Outcome {
  return {
    ...outcome,
    status: "failed",
    soft: false,
    phase,
    category,
    severity: getErrorSeverity(category),
    retryable: RETRY_ADVICE[category],
  };
}
