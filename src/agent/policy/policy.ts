import type { FailureKind } from "../outcome/failure.ts";
import { voyageRequiredRule } from "../outcome/returned-error.ts";
import type { FailureParser } from "../registry/failures.ts";

/**
 * How a failed call enters the model's history. `report`: the call stays, the error text is its result. `drop`: call and
 * result are both taken out. `summarise`: both are taken out, and one short note at the end says what failed.
 */
export type HistoryMode = "report" | "drop" | "summarise";

/** What a loop does about failures, and when it ends. */
export interface FailurePolicy {
  /** Rounds with at least one success. */
  readonly maxRounds: number;
  /** Rounds in a row without any. */
  readonly maxFailedRounds: number;
  /** Questions to the model in all, whatever the mix of rounds, retries and the final answer. */
  readonly maxModelCalls: number;
  /** So often the same call may run with the same result. */
  readonly maxRepeats: number;
  /** So often in a row one tool may fail before it is switched off for this run. */
  readonly maxToolFailures: number;
  readonly maxCallsPerRound: number;
  readonly maxCallsPerRun: number;
  /** For the whole run. */
  readonly deadlineMs?: number;
  /** Calls of one round that run at the same time. */
  readonly concurrency: number;
  /** Further tries when the provider fails before it has said anything. */
  readonly modelRetries: number;
  /** A model that says nothing for so long has failed. */
  readonly modelIdleMs: number;
  readonly history: Readonly<Record<FailureKind, HistoryMode>>;
  /** A required parameter is missing, and nothing helped. `stop`: the user is told, or asked where the tool has a question. */
  readonly onMissing: "report" | "stop";
  /** A failure that cannot be mended: the end of that tool, or of the run. */
  readonly onPermanent: "tool" | "run";
  /** At a limit: say so, or one more turn of the model without tools. */
  readonly onLimit: "stop" | "final-answer";
  readonly onUnknown: "report" | "throw";
  /** Calls taken out of the history are kept for the page. */
  readonly keepDropped: boolean;
  /** The user reads the tool's own words, sanitised, inside the standard sentence. */
  readonly showDetail: boolean;
  readonly reading: FailureParser;
}

const REPORT_ALL: Readonly<Record<FailureKind, HistoryMode>> = {
  unknown_tool: "report",
  malformed_arguments: "report",
  missing_parameter: "report",
  invalid_arguments: "report",
  execution: "report",
  timeout: "report",
  aborted: "report",
  circuit_open: "report",
  repeated: "report",
  limit: "report",
  denied: "report",
};

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
  history: { ...REPORT_ALL, execution: "summarise", timeout: "summarise" },
  onMissing: "report",
  onPermanent: "tool",
  onLimit: "final-answer",
  onUnknown: "report",
  keepDropped: true,
  showDetail: false,
  reading: {},
};

/** The original chat agent, failure by failure; see docs/agent.md for what it gets wrong. */
const voyage: FailurePolicy = {
  ...balanced,
  maxModelCalls: 30,
  maxRepeats: Number.POSITIVE_INFINITY,
  maxToolFailures: Number.POSITIVE_INFINITY,
  concurrency: 1,
  modelRetries: 0,
  history: {
    unknown_tool: "drop",
    malformed_arguments: "drop",
    missing_parameter: "drop",
    invalid_arguments: "drop",
    execution: "drop",
    timeout: "drop",
    aborted: "drop",
    circuit_open: "drop",
    repeated: "drop",
    limit: "drop",
    denied: "drop",
  },
  onMissing: "stop",
  onPermanent: "run",
  onLimit: "stop",
  keepDropped: false,
  showDetail: true,
  reading: { isRequired: voyageRequiredRule, rateLimits: "permanent" },
};

/** Everything is reported, and an unknown name throws. */
const strict: FailurePolicy = { ...balanced, history: REPORT_ALL, onLimit: "stop", onUnknown: "throw" };

/**
 * Ready-made policies; a run may change any part: `{ ...policies.balanced, maxRounds: 4 }`.
 */
export const policies = { balanced, voyage, strict } as const;
