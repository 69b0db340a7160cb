import {
  type Checks,
  checkOption,
  checkOptions,
  count,
  flag,
  milliseconds,
  object,
  oneOf,
  positive,
} from "../check-options.ts";
import { FAILURE_KINDS } from "../outcome/failure.ts";
import { type FailurePolicy, policies } from "./policy.ts";

const CHECKS: Checks<keyof FailurePolicy> = {
  maxRounds: count(1),
  maxFailedRounds: count(1),
  maxModelCalls: count(1),
  maxRepeats: count(1),
  maxToolFailures: count(1),
  maxCallsPerRound: count(1),
  maxCallsPerRun: count(1),
  maxTokens: positive,
  maxCost: positive,
  deadlineMs: milliseconds,
  concurrency: count(1),
  modelRetries: count(0),
  modelIdleMs: milliseconds,
  history: object,
  onMissing: oneOf("report", "stop"),
  onPermanent: oneOf("tool", "run"),
  onLimit: oneOf("stop", "final-answer"),
  onUnknown: oneOf("report", "throw"),
  keepDropped: flag,
  showDetail: flag,
  executionErrors: oneOf("end", "each"),
  reading: object,
};
const HISTORY_MODE = oneOf("report", "drop", "summarise", "summarize");
const HISTORY_CHECKS: Checks = Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, HISTORY_MODE]));

/**
 * The balanced policy with changes. Throws for a value that does not limit anything and for an unknown name: otherwise
 * only the costs would reveal a mistyped limit.
 */
export function checkedPolicy(changes: Partial<FailurePolicy> = {}): FailurePolicy {
  const { balanced } = policies;
  // Their parts are checked together with those of the balanced policy.
  for (const [name, value] of [
    ["policy", changes],
    ["policy.history", changes?.history ?? {}],
  ] as const)
    checkOption("", name, value, object);
  const policy: FailurePolicy = { ...balanced, ...changes, history: { ...balanced.history, ...changes.history } };
  checkOptions("", policy, CHECKS, "policy", Object.keys(balanced));
  checkOptions("", policy.history, HISTORY_CHECKS, "policy.history", FAILURE_KINDS);
  return policy;
}
