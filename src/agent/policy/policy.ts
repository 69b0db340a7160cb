import { FAILURE_KINDS, type FailureKind } from "../outcome/failure.ts";
import { voyageRequiredRule } from "../outcome/tool-error.ts";
import type { FailureParser } from "../registry/failures.ts";

/**
 * How a failed call appears in the model's history. `report`: the call stays, with the error text as its result.
 * `drop`: call and result are removed. `summarise` or `summarize`: both are removed, and one short note lists what
 * failed.
 */
export type HistoryMode = "report" | "drop" | "summarise" | "summarize";

/** How a loop handles failures, and when it ends. */
export interface FailurePolicy {
  /** Maximum number of rounds with at least one success. */
  readonly maxRounds: number;
  /** Maximum number of consecutive rounds without any success. */
  readonly maxFailedRounds: number;
  /** Maximum number of model calls, including retries and the final response. */
  readonly maxModelCalls: number;
  /** How often the same call may run with the same result. */
  readonly maxRepeats: number;
  /** Consecutive exceptions and timeouts after which a tool is disabled for this run. */
  readonly maxToolFailures: number;
  readonly maxCallsPerRound: number;
  readonly maxCallsPerRun: number;
  /** Maximum number of input and output tokens of the whole run, as far as the model reports them. */
  readonly maxTokens?: number | undefined;
  /** Maximum cost of the whole run, in the unit of the prices; needs the option `prices`. */
  readonly maxCost?: number | undefined;
  /** Time limit of the whole run. */
  readonly deadlineMs?: number | undefined;
  /** Calls of one round that run concurrently. */
  readonly concurrency: number;
  /** Retries if the provider fails before any output. */
  readonly modelRetries: number;
  /** Idle timeout of the model. */
  readonly modelIdleMs: number;
  readonly history: Readonly<Record<FailureKind, HistoryMode>>;
  /**
   * When a required parameter is missing and no fallback helped. `stop`: the user gets a message, or the tool's
   * question.
   */
  readonly onMissing: "report" | "stop";
  /** A failure marked `permanent` ends the use of that tool, or the run. */
  readonly onPermanent: "tool" | "run";
  /** At a limit: stop with a message, or request a final response without tools. */
  readonly onLimit: "stop" | "final-answer";
  readonly onUnknown: "report" | "throw";
  /** Keep calls removed from the history for the page. */
  readonly keepDropped: boolean;
  /** Include the tool's own error text, sanitized, in the standard message to the user. */
  readonly showDetail: boolean;
  /**
   * When `tool_execution_error` is emitted: for the failure that ends the run, or for each failed execution, with the
   * `callId` of those that do not end it.
   */
  readonly executionErrors: "end" | "each";
  readonly reading: FailureParser;
}

function everyKind(mode: HistoryMode): FailurePolicy["history"] {
  // The entries of all kinds, whose names `fromEntries` does not keep.
  return Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, mode])) as FailurePolicy["history"];
}

const balanced: FailurePolicy = {
  maxRounds: 10,
  maxFailedRounds: 3,
  maxModelCalls: 20,
  maxRepeats: 3,
  maxToolFailures: 3,
  maxCallsPerRound: 100,
  maxCallsPerRun: 1000,
  concurrency: 4,
  modelRetries: 2,
  modelIdleMs: 120_000,
  history: everyKind("report"),
  onMissing: "report",
  onPermanent: "tool",
  onLimit: "final-answer",
  onUnknown: "report",
  keepDropped: true,
  showDetail: false,
  executionErrors: "end",
  reading: {},
};

/** Behaves like the original chat agent; docs/agent.md lists its errors. */
const voyage: FailurePolicy = {
  ...balanced,
  maxModelCalls: 30,
  maxRepeats: Number.POSITIVE_INFINITY,
  maxToolFailures: Number.POSITIVE_INFINITY,
  concurrency: 1,
  modelRetries: 0,
  history: everyKind("drop"),
  onMissing: "stop",
  onPermanent: "run",
  onLimit: "stop",
  keepDropped: false,
  showDetail: true,
  executionErrors: "each",
  reading: { isRequired: voyageRequiredRule, rateLimits: "permanent", notRetryable: "permanent" },
};

/** Stops at limits; an unknown name throws. */
const strict: FailurePolicy = { ...balanced, onLimit: "stop", onUnknown: "throw" };

/** Ready-made policies. A run can override any part: `{ ...policies.balanced, maxRounds: 4 }`. */
export const policies = { balanced, voyage, strict } as const;
