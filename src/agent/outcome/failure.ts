/** All kinds of failure. */
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

/** A problem with one argument. Never contains its value. */
export interface ArgumentIssue {
  /** `stops[0].city`; empty for the arguments as a whole. */
  readonly path: string;
  readonly problem: "missing" | "invalid";
  readonly message: string;
}

/** Why a call failed: a text for the model, one for the user, and the cause for the server only. */
export interface ToolFailure {
  readonly kind: FailureKind;
  /** `false`: the same call, with the same arguments, cannot succeed or must not be repeated. */
  readonly retryable: boolean;
  /** The tool cannot succeed again in this run, whatever its arguments. */
  readonly permanent?: true;
  /** An exception that was not meant for the model: a bug, or a service that is down. */
  readonly unexpected?: true;
  /** Whether the tool ran, so that side effects are possible. */
  readonly executed: boolean;
  readonly code?: string;
  readonly issues?: readonly ArgumentIssue[];
  /** Similar names for an unknown one, best first. */
  readonly suggestions?: readonly string[];
  /** Names of tools that can be called now. */
  readonly available?: readonly string[];
  /** Question the tool wants to ask the user. */
  readonly question?: string;
  /** Text for the model. */
  readonly modelMessage: string;
  /** Text for the user. */
  readonly userMessage: string;
  /** The tool's own error text, sanitized; absent if it has no text that may be shown. */
  readonly detail?: string;
  /** Links the texts to the log. */
  readonly ref: string;
}

/** Whether the tool itself broke down, as opposed to a failure that it reported or that the call caused. */
export function isBreakdown({ kind, unexpected }: ToolFailure): boolean {
  return kind === "timeout" || unexpected === true;
}

// Stored outside the object, so that no spread, JSON or inspector can expose it.
const causes = new WeakMap<ToolFailure, unknown>();

/** Creates a failure whose cause only {@link causeOf} returns. */
export function failureOf(failure: ToolFailure, cause?: unknown): ToolFailure {
  if (cause !== undefined) causes.set(failure, cause);
  return failure;
}

/** Copies a failure with changes and keeps its cause. */
export function changedFailure(failure: ToolFailure, changes: Partial<ToolFailure>): ToolFailure {
  return failureOf({ ...failure, ...changes }, causeOf(failure));
}

/**
 * Returns the original exception. For server logs only.
 *
 * @example
 * if (!outcome.ok) logger.error(causeOf(outcome.failure), outcome.failure.ref);
 */
export function causeOf(failure: ToolFailure): unknown {
  return causes.get(failure);
}
