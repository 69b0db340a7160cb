import type { ModelCall } from "../model/message.ts";
import type { ToolFailure } from "../outcome/failure.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { canonicalText } from "../outcome/result-text.ts";
import { Circuit, type CircuitOptions } from "../policy/circuit.ts";
import { callTool } from "./call-tool.ts";
import type { Tool } from "./define-tool.ts";
import {
  abortedFailure,
  deniedFailure,
  endedEarly,
  type FailureContext,
  failureIn,
  interruptedFailure,
  openFailure,
  UNEXPECTED,
} from "./failures.ts";
import type { Ledger, LedgerEntry } from "./hooks.ts";
import { ignoreErrors, logSafely } from "./hooks.ts";
import type { AgentEnvironment, CallOptions, RegistryOptions } from "./registry.ts";
import { runOnce } from "./run-once.ts";

const TIMEOUT = 60_000;
const RESULT_BYTES = 32_768;
const MAX_TIMER_MS = 2 ** 31 - 1;
const NEVER = new AbortController().signal;
const BREAKER: CircuitOptions = { failures: 5, cooldownMs: 30_000 };

/** Runs the call of a known tool, subject to approval, the ledger and the circuit breaker. */
export class CallDispatcher {
  readonly #environment: AgentEnvironment;
  readonly #options: RegistryOptions;
  readonly #circuits = new Map<string, Circuit>();

  constructor(environment: AgentEnvironment, options: RegistryOptions) {
    this.#environment = environment;
    this.#options = options;
  }

  async make(scene: FailureContext, tool: Tool, call: ModelCall, options: CallOptions): Promise<ToolOutcome> {
    const refusal = await this.#refusal(scene, tool, call, options.signal);
    return refusal === undefined ? this.#remembered(scene, tool, call, options) : endedEarly(call, refusal);
  }

  /** Resets the circuit: another tool may now have this name. */
  forget(name: string): void {
    this.#circuits.delete(name);
  }

  /** Asks the approval hook. A hook that throws counts as a refusal. */
  async #refusal(
    scene: FailureContext,
    tool: Tool,
    call: ModelCall,
    signal: AbortSignal | undefined,
  ): Promise<ToolFailure | undefined> {
    const { approve } = this.#environment.hooks;
    if (approve === undefined) return undefined;
    // Approval by a person has no time limit, but an abort ends the wait.
    const limits = { timeoutMs: MAX_TIMER_MS, signal: signal ?? NEVER, clock: this.#environment.clock };
    const end = await runOnce(async () => approve.call(this.#environment.hooks, call, tool), limits);
    if (end.kind === "aborted") return abortedFailure(scene, false);
    if (end.kind !== "value") return deniedFailure(scene, "", end.kind === "threw" ? end.error : undefined);
    if (end.value === undefined || end.value === true) return undefined;
    const why =
      typeof end.value === "object" ? this.#environment.sanitizer.forModel(end.value.reason, scene.known) : "";
    return deniedFailure(scene, why);
  }

  async #remembered(scene: FailureContext, tool: Tool, call: ModelCall, options: CallOptions): Promise<ToolOutcome> {
    const { ledger } = options;
    if (ledger === undefined) return this.#guarded(scene, tool, call, options);
    if (call.id === "") return endedEarly(call, deniedFailure(scene, "A call without an id cannot be remembered."));
    const key = `${options.scope ?? ""}/${call.id}`;
    const fingerprint = `${tool.name} ${canonicalText(call.arguments)}`;
    try {
      const entry = await ledger.get(key);
      if (entry !== undefined && entry.fingerprint !== fingerprint) {
        return endedEarly(call, deniedFailure(scene, "Another call with the same id was made before."));
      }
      if (entry?.outcome !== undefined) return { ...entry.outcome, replayed: true };
      if (entry !== undefined && tool.idempotent !== true) return endedEarly(call, interruptedFailure(scene));
      await ledger.set(key, { fingerprint });
      const outcome = await this.#guarded(scene, tool, call, options);
      await this.#remember(ledger, key, { fingerprint, outcome });
      return entry === undefined ? outcome : { ...outcome, notes: [...outcome.notes, { kind: "possible-duplicate" }] };
    } catch (error) {
      // Whether the call was already made is unknown, so it is not made.
      return endedEarly(call, failureIn(scene, "execution", { code: "ledger", modelMessage: UNEXPECTED }, error));
    }
  }

  /** A failure to store the outcome does not change it: the call is over. */
  async #remember(ledger: Ledger, key: string, entry: LedgerEntry): Promise<void> {
    try {
      await ledger.set(key, entry);
    } catch (cause) {
      logSafely(this.#environment.hooks, {
        level: "error",
        event: "ledger",
        message: "An outcome could not be stored in the ledger.",
        cause,
      });
    }
  }

  async #guarded(scene: FailureContext, tool: Tool, call: ModelCall, options: CallOptions): Promise<ToolOutcome> {
    const circuit = this.#circuit(tool.name);
    if (circuit?.enter() === false) return endedEarly(call, openFailure(scene));
    const own = tool.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT;
    const outcome = await callTool(tool, call, {
      ...scene,
      clock: this.#environment.clock,
      signal: options.signal ?? NEVER,
      context: options.context ?? this.#options.context,
      timeoutMs: Math.max(1, Math.min(own, options.timeoutMs ?? own)),
      maxResultBytes: tool.maxResultBytes ?? this.#options.maxResultBytes ?? RESULT_BYTES,
      onRetry: (attempt, delayMs) => ignoreErrors(() => options.onRetry?.(attempt, delayMs)),
    });
    if (outcome.ok) circuit?.succeeded();
    else if (outcome.failure.kind === "execution" || outcome.failure.kind === "timeout") circuit?.failed();
    else circuit?.left();
    return outcome;
  }

  #circuit(name: string): Circuit | undefined {
    const { breaker = BREAKER } = this.#options;
    if (breaker === false) return undefined;
    let circuit = this.#circuits.get(name);
    if (circuit === undefined) {
      circuit = new Circuit(breaker, () => this.#environment.clock.now());
      this.#circuits.set(name, circuit);
    }
    return circuit;
  }
}
