import { getErrorSeverity, RETRY_ADVICE } from "../../core/detect/index.ts";
import type { Category, Outcome, Phase } from "../../core/model/outcome.ts";

/**
 * What a hook event implies about a result: the user interrupted the tool, or the client returned a result without
 * running it.
 */
export type Stage = "interrupted" | "unrun";

/** The failure as given by a source that ran or refused the call itself. */
export interface ExplicitFailure {
  readonly category?: Category;
  readonly phase?: Phase;
}

/** Replaces category and phase, derived from the text, by those the source gives. */
export function applyExplicitFailure(outcome: Outcome, explicit: ExplicitFailure | undefined): Outcome {
  if (explicit === undefined) return outcome;
  const { category = outcome.category ?? "error", phase = outcome.phase ?? "run" } = explicit;
  return {
    ...failedAs(outcome, phase, category),
    confidence: 1,
    evidence: [{ rule: STATED }, ...outcome.evidence],
  };
}

const STATED = "stated";

/** Corrects the outcome of the text by the hook event, which is stronger evidence. */
export function outcomeForStage(outcome: Outcome, stage: Stage | undefined): Outcome {
  switch (stage) {
    case "interrupted":
      return failedAs(outcome, "run", "cancelled");
    case "unrun":
      return outcome.status === "failed" ? outcomeIfNotExecuted(outcome) : REFUSED;
    case undefined:
      return outcome;
  }
}

/** The client wraps its own errors about a call in a tag. Such a call was invalid, whatever its text looks like. */
function outcomeIfNotExecuted(outcome: Outcome): Outcome {
  const isComplaint = outcome.phase === "run" && outcome.evidence.some(({ rule }) => rule === "error-tag");
  return isComplaint ? { ...outcome, phase: "call" } : outcome;
}

/**
 * The outcome if the call was valid: then it was refused, whatever its text. An exit code proves that it ran after all.
 */
export function outcomeIfRefused(outcome: Outcome): Outcome | undefined {
  if (outcome.phase === "gate" || outcome.exitCode !== undefined) return undefined;
  return failedAs(outcome, "gate", "permission_denied");
}

/** Rule of a refusal without a known reason. Its text is never stored, because it may be a real result. */
export const UNEXPLAINED_REFUSAL = "answered-without-running";

/** Outcome of a call that did not run, without a known reason: the user or a policy refused it. */
const REFUSED: Outcome = {
  status: "failed",
  flag: "absent",
  reported: "unknown",
  soft: false,
  phase: "gate",
  category: "permission_denied",
  severity: getErrorSeverity("permission_denied"),
  retryable: RETRY_ADVICE.permission_denied,
  evidence: [{ rule: UNEXPLAINED_REFUSAL }],
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
