/** `unknown` is needed because some clients send no exit status. */
export type Status = "ok" | "failed" | "unknown";

/** Where a call failed: `call` (invalid), `gate` (refused by the user or a policy), `run` (failed while running). */
export const PHASES = ["call", "gate", "run"] as const;
export type Phase = (typeof PHASES)[number];

export const CATEGORIES = [
  "permission_denied",
  "incomplete",
  "exit_code",
  "timeout",
  "http_server_error",
  "error",
  "http_client_error",
  "failed",
  "not_found",
  "cancelled",
  "auth",
  "network",
  "crash",
  "unknown_tool",
  "invalid_arguments",
  "rate_limited",
  "precondition",
  "oversized",
  "test_failure",
  "build_failure",
] as const;

export type Category = (typeof CATEGORIES)[number];

/** Whether the same call may be retried. */
export type Retryable = "yes" | "after-change" | "no";

/** From the protocol: a flag, or an exit status added by the client. */
export type FlagStatus = "failed" | "ok" | "absent";

/** What the text reports. */
export type ReportedStatus = "failed" | "ok" | "unknown";

/** The rule that matched, and the text it matched. */
export interface Evidence {
  readonly rule: string;
  readonly excerpt?: string;
  /** Where the excerpt starts in the result's text, in UTF-16 units. */
  readonly position?: number;
}

/** The classification of one tool result. `flag` and `reported` are never merged into one. */
export interface Outcome {
  readonly status: Status;
  readonly flag: FlagStatus;
  readonly reported: ReportedStatus;
  /** The text reports a failure that the flag denies. */
  readonly soft: boolean;
  readonly phase?: Phase;
  readonly category?: Category;
  /** 0 to 1; only on failures. */
  readonly severity?: number;
  readonly retryable?: Retryable;
  readonly exitCode?: number;
  /** The line of the result that names the failure; only on failures. */
  readonly message?: string;
  readonly evidence: readonly Evidence[];
  /** 0 to 1: the share of correct outcomes among those reached this way. */
  readonly confidence: number;
  /** Only if a hook or the library measured it. */
  readonly durationMs?: number;
}
