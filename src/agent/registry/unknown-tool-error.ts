import type { ToolFailure } from "../outcome/failure.ts";

/** Thrown for an unknown name in strict mode, and for nothing else. */
export class UnknownToolError extends Error {
  override readonly name = "UnknownToolError";
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure) {
    super(failure.modelMessage);
    this.failure = failure;
  }
}
