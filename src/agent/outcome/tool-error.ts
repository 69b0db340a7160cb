import type { FailureKind } from "./failure.ts";

const MARK = Symbol.for("toolmend.ToolError");

export interface ToolErrorOptions {
  /** Default: `execution`. */
  readonly kind?: FailureKind;
  /** `false`: permanent. */
  readonly retryable?: boolean;
  /** For programs; included in logs and events. */
  readonly code?: string;
  /** Shown to the user instead of the standard message. */
  readonly userMessage?: string;
  readonly cause?: unknown;
}

/**
 * Throw this inside a tool to send a message to the model. It is the only exception whose message is forwarded
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

  /** Also true for instances from another copy of this package. */
  static isInstance(value: unknown): value is ToolError {
    return typeof value === "object" && value !== null && (value as { [MARK]?: unknown })[MARK] === true;
  }
}
