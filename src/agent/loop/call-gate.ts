import { ignoreErrors } from "../ignore-errors.ts";
import type { ModelCall } from "../model/message.ts";
import { type FailureKind, isBreakdown, type ToolFailure } from "../outcome/failure.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import { fingerprint, RepeatGuard } from "../policy/repeats.ts";
import {
  abortedFailure,
  endedEarly,
  failureContext,
  failureIn,
  isPending,
  malformedFailure,
} from "../registry/failures.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import { shownName } from "../sanitize/user-texts.ts";
import type { LoopOptions } from "./loop-options.ts";

export interface RoundGate {
  start(call: ModelCall): Promise<ToolOutcome>;
}

/** Values shared by the calls of one round. */
export interface RoundCalls {
  /** The tools of this round. */
  readonly registry: ToolRegistry;
  readonly scope: string;
  /** The turn was truncated, so its calls cannot be trusted. */
  readonly isCut: boolean;
  /** Decisions on calls that were pending, by id. */
  readonly approvals: NonNullable<LoopOptions["approvals"]>;
  onRetry(call: ModelCall, attempt: number, delayMs: number): void;
  onProgress(call: ModelCall, value: unknown): void;
}

/** Passes calls to the registry, or returns a failure for those that must not run. Every call gets an outcome. */
export class CallGate {
  readonly #options: LoopOptions;
  readonly #policy: FailurePolicy;
  readonly #signal: AbortSignal;
  readonly #repeats: RepeatGuard;
  readonly #health: ToolHealth;
  /** Calls that cannot succeed with the same arguments. */
  readonly #hopeless = new Set<string>();
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

  newRound(round: RoundCalls): RoundGate {
    let inRound = 0;
    let isHalted = false;
    return {
      start: async (call) => {
        this.calls += 1;
        inRound += 1;
        const rejection = this.#rejection(call, { inRound, isHalted, isCut: round.isCut });
        if (rejection !== undefined) return this.#report(rejection);
        const outcome = await this.#run(call, round);
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
      const why = disabled === "permanent" ? "it failed permanently" : "it failed too often";
      return reject(
        "circuit_open",
        false,
        `Error: Tool '${name}' was not run: ${why} in this conversation. Continue without it.`,
      );
    }
    if (this.#hopeless.has(fingerprint(this.#toolName(call), call.arguments))) {
      this.#repeats.blocked += 1;
      return reject(
        "repeated",
        false,
        `Error: Tool '${name}' was not run: the same call failed before and cannot succeed with these arguments. Change them, or continue without it.`,
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

  async #run(call: ModelCall, { registry, scope, approvals, onRetry, onProgress }: RoundCalls): Promise<ToolOutcome> {
    const { context, ledger } = this.#options;
    const approval = Object.hasOwn(approvals, call.id) ? approvals[call.id] : undefined;
    const outcome = await registry.call(call, {
      signal: this.#signal,
      reading: this.#policy.reading,
      onUnknown: this.#policy.onUnknown,
      scope,
      onRetry: (attempt, delayMs) => onRetry(call, attempt, delayMs),
      onProgress: (value) => onProgress(call, value),
      ...(approval !== undefined && { approval }),
      ...(context !== undefined && { context }),
      ...(ledger !== undefined && { ledger }),
    });
    if (isPending(outcome)) return outcome;
    this.#repeats.ended(
      fingerprint(this.#toolName(call), call.arguments),
      outcome.ok ? outcome.modelText : outcome.failure.kind,
    );
    if (outcome.ok) this.#health.succeeded(this.#toolName(call));
    else {
      this.#health.failed(this.#toolName(call), outcome.failure);
      const { kind, retryable } = outcome.failure;
      if (kind === "execution" && !retryable && outcome.attempts > 0) {
        this.#hopeless.add(fingerprint(this.#toolName(call), call.arguments));
      }
    }
    return outcome;
  }

  /** Whether this outcome ends the round: no further calls of the round are started. */
  #endsRound(outcome: ToolOutcome): boolean {
    if (outcome.ok) return false;
    const { kind, permanent } = outcome.failure;
    if (kind === "missing_parameter") return this.#policy.onMissing === "stop";
    return this.#policy.onPermanent === "run" && permanent === true;
  }
}

/** Tools that are disabled for this run after a permanent failure, or after too many consecutive breakdowns. */
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

  failed(tool: string, failure: ToolFailure): void {
    if (failure.permanent === true) this.#disabled.set(tool, "permanent");
    if (!isBreakdown(failure)) return;
    const times = (this.#failures.get(tool) ?? 0) + 1;
    this.#failures.set(tool, times);
    if (times >= this.#maxFailures && !this.#disabled.has(tool)) this.#disabled.set(tool, "too-often");
  }
}
