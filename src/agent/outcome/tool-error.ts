import type { FailureKind } from "./failure.ts";

const MARK = Symbol.for("toolmend.ToolError");

export interface ToolErrorOptions {
  /** `execution` unless said otherwise. */
  readonly kind?: FailureKind;
  /** `false`: permanent. */
  readonly retryable?: boolean;
  /** For programs; reaches logs and events. */
  readonly code?: string;
  /** What the user reads instead of the standard sentence. */
  readonly userMessage?: string;
  readonly cause?: unknown;
}

/**
 * Throw it inside a tool to say something to the model: its message is the only one of an exception that passes
 * (redacted).
 *
 * @example
 * throw new ToolError("No such city: check the spelling.", { retryable: false });
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly [MARK] = true;
  readonly options: ToolErrorOptions;

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.options = options;
  }

  /** Also true for the class of another copy of this package. */
  static isInstance(value: unknown): value is ToolError {
    return typeof value === "object" && value !== null && (value as { [MARK]?: unknown })[MARK] === true;
  }
}
