import type { ModelCall } from "../model/message.ts";
import type { FailureKind, ToolFailure } from "../outcome/failure.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import { fingerprint, RepeatGuard } from "../policy/repeats.ts";
import { abortedFailure, endedEarly, failureContext, failureIn, malformedFailure } from "../registry/failures.ts";
import { ignoreErrors } from "../registry/hooks.ts";
import { shownName } from "../sanitize/user-texts.ts";
import type { LoopOptions } from "./tool-loop.ts";

export interface RoundGate {
  start(call: ModelCall): Promise<ToolOutcome>;
}

/** Passes calls to the registry, or returns a failure for those that must not run. Every call gets an outcome. */
export class CallGate {
  readonly #options: LoopOptions;
  readonly #policy: FailurePolicy;
  readonly #signal: AbortSignal;
  readonly #repeats: RepeatGuard;
  readonly #health: ToolHealth;
  calls = 0;

  constructor(options: LoopOptions, policy: FailurePolicy, signal: AbortSignal) {
    this.#options = options;
    this.#policy = policy;
    this.#signal = signal;
    this.#repeats = new RepeatGuard(policy.maxRepeats);
    this.#health = new ToolHealth(policy.maxToolFailures);
  }

  get blockedRepeats(): number {
    return this.#repeats.blocked;
  }

  /** `isCut`: the turn was truncated, so its calls cannot be trusted. */
  newRound(scope: string, isCut: boolean, onRetry: (id: string, attempt: number, delayMs: number) => void): RoundGate {
    let inRound = 0;
    let isHalted = false;
    return {
      start: async (call) => {
        this.calls += 1;
        inRound += 1;
        const rejection = this.#rejection(call, { inRound, isHalted, isCut });
        if (rejection !== undefined) return this.#report(rejection);
        const outcome = await this.#run(call, scope, onRetry);
        isHalted ||= this.#endsRound(outcome);
        return outcome;
      },
    };
  }

  /** Outcomes of rejected calls are reported to the hooks too. */
  #report(outcome: ToolOutcome): ToolOutcome {
    ignoreErrors(() => this.#options.registry.environment.hooks.onOutcome?.(outcome));
    return outcome;
  }

  #rejection(
    call: ModelCall,
    { inRound, isHalted, isCut }: { inRound: number; isHalted: boolean; isCut: boolean },
  ): ToolOutcome | undefined {
    const tool = this.#options.registry.find(call.name);
    const failureScope = failureContext(this.#options.registry.environment, call.name, call.arguments);
    const reject = (kind: FailureKind, retryable: boolean, modelMessage: string): ToolOutcome =>
      endedEarly(call, failureIn(failureScope, kind, { retryable, modelMessage }));
    const name = shownName(call.name);
    if (this.#signal.aborted || isHalted) return endedEarly(call, abortedFailure(failureScope, false));
    if (isCut) return endedEarly(call, malformedFailure(failureScope, "your message was cut off at its length limit"));
    if (inRound > this.#policy.maxCallsPerRound || this.calls > this.#policy.maxCallsPerRun) {
      return reject("limit", false, `Error: Tool '${name}' was not run: too many tool calls.`);
    }
    const disabled = this.#health.disabledReason(this.#toolName(call));
    if (disabled !== undefined) {
      const why = disabled === "permanent" ? "it failed for good" : "it failed too often";
      return reject(
        "circuit_open",
        false,
        `Error: Tool '${name}' was not run: ${why} in this conversation. Continue without it.`,
      );
    }
    if (tool?.repeatable !== true && !this.#repeats.enter(fingerprint(this.#toolName(call), call.arguments))) {
      return reject(
        "repeated",
        false,
        `Error: Tool '${name}' was not run: the same call was already made, with the same result each time. Change your approach, or answer with what you have.`,
      );
    }
    return undefined;
  }

  /** Resolves aliases, so that limits apply to the tool. */
  #toolName({ name }: ModelCall): string {
    return this.#options.registry.find(name)?.name ?? name;
  }

  async #run(
    call: ModelCall,
    scope: string,
    onRetry: (id: string, attempt: number, delayMs: number) => void,
  ): Promise<ToolOutcome> {
    const { registry, context, ledger } = this.#options;
    const outcome = await registry.call(call, {
      signal: this.#signal,
      reading: this.#policy.reading,
      onUnknown: this.#policy.onUnknown,
      scope,
      onRetry: (attempt, delayMs) => onRetry(call.id, attempt, delayMs),
      ...(context !== undefined && { context }),
      ...(ledger !== undefined && { ledger }),
    });
    this.#repeats.ended(
      fingerprint(this.#toolName(call), call.arguments),
      outcome.ok ? outcome.modelText : outcome.failure.kind,
    );
    if (outcome.ok) this.#health.succeeded(this.#toolName(call));
    else this.#health.failed(this.#toolName(call), outcome.failure);
    return outcome;
  }

  /** Whether this outcome ends the round: no further calls of it are started. */
  #endsRound(outcome: ToolOutcome): boolean {
    if (outcome.ok) return false;
    const { kind, executed, retryable } = outcome.failure;
    if (kind === "missing_parameter") return this.#policy.onMissing === "stop";
    return this.#policy.onPermanent === "run" && executed && !retryable && kind !== "timeout";
  }
}

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
