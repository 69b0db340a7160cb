/** Every way in which a call can fail. */
export const FAILURE_KINDS = [
  "unknown_tool",
  "malformed_arguments",
  "missing_parameter",
  "invalid_arguments",
  "execution",
  "timeout",
  "aborted",
  "circuit_open",
  "repeated",
  "limit",
  "denied",
] as const;

export type FailureKind = (typeof FAILURE_KINDS)[number];

/** What is wrong with one argument. Never holds its value. */
export interface ArgumentIssue {
  /** `stops[0].city`; empty for the arguments as a whole. */
  readonly path: string;
  readonly problem: "missing" | "invalid";
  readonly message: string;
}

/** Why a call failed: one text for the model, one for the user, and the cause for nobody but the server. */
export interface ToolFailure {
  readonly kind: FailureKind;
  /** `false`: trying again, by whomever, cannot help. */
  readonly retryable: boolean;
  /** Did the tool run, so that side effects are possible? */
  readonly executed: boolean;
  readonly code?: string;
  readonly issues?: readonly ArgumentIssue[];
  /** Names near the unknown one, best first. */
  readonly suggestions?: readonly string[];
  /** Names that can be called now. */
  readonly available?: readonly string[];
  /** What the tool would ask the user. */
  readonly question?: string;
  /** What the model may read. */
  readonly modelMessage: string;
  /** What an end user may read. */
  readonly userMessage: string;
  /** The tool's own words about the failure, sanitised; absent when it had none that may be shown. */
  readonly detail?: string;
  /** Links the texts to the log. */
  readonly ref: string;
}

// Beside the object, not in it: no spread, no JSON and no inspector can carry it outside.
const causes = new WeakMap<ToolFailure, unknown>();

/** A failure with what really happened, which only {@link causeOf} gives back. */
export function failureOf(failure: ToolFailure, cause?: unknown): ToolFailure {
  if (cause !== undefined) causes.set(failure, cause);
  return failure;
}

/** The same failure with some things said differently. */
export function changedFailure(failure: ToolFailure, changes: Partial<ToolFailure>): ToolFailure {
  return failureOf({ ...failure, ...changes }, causeOf(failure));
}

/**
 * What really happened: the exception, whole. For logs on the server and nothing else.
 *
 * @example
 * if (!outcome.ok) logger.error(causeOf(outcome.failure), outcome.failure.ref);
 */
export function causeOf(failure: ToolFailure): unknown {
  return causes.get(failure);
}
