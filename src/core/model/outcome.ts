/** Did it work? `unknown` is an answer: some clients put no exit status on the wire. */
export type Status = "ok" | "failed" | "unknown";

/** Where it failed: the model called it wrong, somebody refused it, or it ran and failed. */
export const PHASES = ["call", "gate", "run"] as const;
export type Phase = (typeof PHASES)[number];

/** Every kind of failure, worst habits of ten years of tool output included. */
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

/** May the same call be tried again? */
export type Retryable = "yes" | "after-change" | "no";

/** What the protocol said: a flag, or an exit status stated by the harness. */
export type FlagStatus = "failed" | "ok" | "absent";

/** What the text says to a sensible engineer. */
export type ReportedStatus = "failed" | "ok" | "unknown";

/** Why we think so: which rule fired, and on which words. */
export interface Evidence {
  readonly rule: string;
  readonly excerpt?: string;
  /** Where the excerpt starts in the result's text, in UTF-16 units. */
  readonly position?: number;
}

/** The verdict on one tool result. The two verdicts `flag` and `reported` are never merged. */
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
  /** 0 to 1: how often a verdict reached this way is right. */
  readonly confidence: number;
  /** Only where it was measured: a hook or the library. */
  readonly durationMs?: number;
}
