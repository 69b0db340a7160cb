import { getErrorSeverity, RETRY_ADVICE } from "../../core/detect/index.ts";
import type { Category, Outcome, Phase } from "../../core/model/outcome.ts";

/** What an agent's own event says about a result, beside its text: the user stopped the tool, or the client answered in its place. */
export type Stage = "interrupted" | "unrun";

/** What a source that made or refused the call itself says of its failure. */
export interface ExplicitFailure {
  readonly category?: Category;
  readonly phase?: Phase;
}

/** The verdict on the text, with what the source states in the place of what its words suggest. */
export function applyExplicitFailure(outcome: Outcome, stated: ExplicitFailure | undefined): Outcome {
  if (stated === undefined) return outcome;
  const { category = outcome.category ?? "error", phase = outcome.phase ?? "run" } = stated;
  return {
    ...failedAs(outcome, phase, category),
    confidence: 1,
    evidence: [{ rule: STATED }, ...outcome.evidence],
  };
}

const STATED = "stated";

/** The verdict on the text, corrected by the event: it is better evidence than words. */
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

/** The client wraps its own complaints about a call in a tag: such a call was wrong, whatever else the words say. */
function outcomeIfNotExecuted(outcome: Outcome): Outcome {
  const isComplaint = outcome.phase === "run" && outcome.evidence.some(({ rule }) => rule === "error-tag");
  return isComplaint ? { ...outcome, phase: "call" } : outcome;
}

/** The same for a call that was in order: then it was refused, whatever the words say of it. An exit status says that it ran after all. */
export function outcomeIfRefused(outcome: Outcome): Outcome | undefined {
  if (outcome.phase === "gate" || outcome.exitCode !== undefined) return undefined;
  return failedAs(outcome, "gate", "permission_denied");
}

/** The rule of a refusal without a known reason. Its words are kept nowhere: they may be a result after all. */
export const UNEXPLAINED_REFUSAL = "answered-without-running";

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
