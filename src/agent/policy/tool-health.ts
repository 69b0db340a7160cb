import type { FailureKind, ToolFailure } from "../outcome/failure.ts";

/** Failures caused by the tool, or by how it is called. */
const COUNTED: ReadonlySet<FailureKind> = new Set([
  "execution",
  "timeout",
  "missing_parameter",
  "invalid_arguments",
  "malformed_arguments",
]);

/** Tools that are disabled for this run after a permanent failure or too many consecutive failures. */
export class ToolHealth {
  readonly #maxFailures: number;
  readonly #failures = new Map<string, number>();
  readonly #disabled = new Map<string, "permanent" | "too-often">();

  constructor(maxFailures: number) {
    this.#maxFailures = maxFailures;
  }

  disabledReason(tool: string): "permanent" | "too-often" | undefined {
    return this.#disabled.get(tool);
  }

  succeeded(tool: string): void {
    this.#failures.delete(tool);
  }

  failed(tool: string, { kind, retryable, executed }: ToolFailure): void {
    if (!COUNTED.has(kind)) return;
    // After a timeout, a tool with side effects must not be retried, but other calls of it are unaffected.
    if (!retryable && executed && kind !== "timeout") this.#disabled.set(tool, "permanent");
    const times = (this.#failures.get(tool) ?? 0) + 1;
    this.#failures.set(tool, times);
    if (times >= this.#maxFailures && !this.#disabled.has(tool)) this.#disabled.set(tool, "too-often");
  }
}
