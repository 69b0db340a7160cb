import { FAILURE_KINDS } from "../outcome/failure.ts";
import { type FailurePolicy, policies } from "./policy.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;

type Check = (value: unknown) => string | undefined;

const count =
  (least: number): Check =>
  (value) =>
    value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= least)
      ? undefined
      : `a whole number from ${least}`;
const milliseconds: Check = (value) =>
  typeof value === "number" && value > 0 && value <= MAX_TIMER_MS ? undefined : `a time from 1 to ${MAX_TIMER_MS} ms`;
const optionalMilliseconds: Check = (value) => (value === undefined ? undefined : milliseconds(value));
const amount: Check = (value) =>
  value === undefined || (typeof value === "number" && value > 0) ? undefined : "a number above 0";
const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.some((allowed) => allowed === value) ? undefined : `one of ${values.join(", ")}`;
const object: Check = (value) => (typeof value === "object" && value !== null ? undefined : "an object");

const CHECKS: Readonly<Record<keyof FailurePolicy, Check>> = {
  maxRounds: count(1),
  maxFailedRounds: count(1),
  maxModelCalls: count(1),
  maxRepeats: count(1),
  maxToolFailures: count(1),
  maxCallsPerRound: count(1),
  maxCallsPerRun: count(1),
  maxTokens: amount,
  maxCost: amount,
  deadlineMs: optionalMilliseconds,
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

/**
 * The balanced policy with changes. Throws for a value that does not limit anything and for an unknown name: otherwise
 * only the costs would reveal a mistyped limit.
 */
export function checkedPolicy(changes: Partial<FailurePolicy> = {}): FailurePolicy {
  const policy: FailurePolicy = {
    ...policies.balanced,
    ...changes,
    history: { ...policies.balanced.history, ...changes.history },
  };
  for (const [name, value] of Object.entries(policy)) {
    if (!Object.hasOwn(CHECKS, name)) throw new TypeError(`policy.${name} is not an option of a policy.`);
    // Checked on the line above.
    const expected = CHECKS[name as keyof FailurePolicy](value);
    if (expected !== undefined) throw new RangeError(`policy.${name} must be ${expected}, but is ${String(value)}.`);
  }
  for (const kind of FAILURE_KINDS) {
    const expected = HISTORY_MODE(policy.history[kind]);
    if (expected !== undefined) throw new RangeError(`policy.history.${kind} must be ${expected}.`);
  }
  return policy;
}
