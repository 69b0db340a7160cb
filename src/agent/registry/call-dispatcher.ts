import { ignoreErrors } from "../ignore-errors.ts";
import type { ModelCall } from "../model/message.ts";
import { isBreakdown, type ToolFailure } from "../outcome/failure.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { Circuit } from "../policy/circuit.ts";
import { fingerprint } from "../policy/repeats.ts";
import { type CallContext, callTool, runOnce } from "./call-tool.ts";
import type { Tool } from "./define-tool.ts";
import {
  abortedFailure,
  circuitOpenFailure,
  deniedFailure,
  endedEarly,
  type FailureContext,
  interruptedFailure,
  ledgerFailure,
  pendingFailure,
} from "./failures.ts";
import type { Approval, Ledger, LedgerEntry } from "./hooks.ts";
import { logSafely } from "./hooks.ts";
import type { AgentEnvironment, CallOptions, RegistryOptions } from "./registry.ts";

const TIMEOUT_MS = 60_000;
const MAX_RESULT_BYTES = 32_768;
const MAX_TIMER_MS = 2 ** 31 - 1;
const NEVER = new AbortController().signal;

/** The ledger entry of a call. */
interface LedgerRecord {
  readonly ledger: Ledger;
  readonly key: string;
  readonly fingerprint: string;
}

/** Runs the call of a known tool, subject to approval, the ledger and the circuit breaker. */
export class CallDispatcher {
  readonly #environment: AgentEnvironment;
  readonly #options: RegistryOptions;
  readonly #circuits = new Map<string, Circuit>();

  constructor(environment: AgentEnvironment, options: RegistryOptions) {
    this.#environment = environment;
    this.#options = options;
  }

  async make(context: FailureContext, tool: Tool, call: ModelCall, options: CallOptions): Promise<ToolOutcome> {
    const { ledger } = options;
    if (ledger === undefined) return this.#run(context, tool, call, options);
    if (call.id === "") return endedEarly(call, deniedFailure(context, "A call without an id cannot be remembered."));
    const record: LedgerRecord = {
      ledger,
      key: `${options.scope ?? ""}/${call.id}`,
      fingerprint: fingerprint(tool.name, call.arguments),
    };
    try {
      const entry = await ledger.get(record.key);
      if (entry !== undefined && entry.fingerprint !== record.fingerprint) {
        return endedEarly(call, deniedFailure(context, "Another call with the same id was made before."));
      }
      if (entry?.outcome !== undefined) return { ...entry.outcome, replayed: true };
      if (entry !== undefined && tool.idempotent !== true) return endedEarly(call, interruptedFailure(context));
      const outcome = await this.#run(context, tool, call, options, record);
      return entry === undefined ? outcome : { ...outcome, notes: [...outcome.notes, { kind: "possible-duplicate" }] };
    } catch (error) {
      // It is unknown whether the call was already made, so it is not made.
      return endedEarly(call, ledgerFailure(context, error));
    }
  }

  /** Resets the circuit: another tool may now have this name. */
  forget(name: string): void {
    this.#circuits.delete(name);
  }

  /** Asks the approval hook. A hook that throws counts as a refusal. */
  async #refusal(
    context: FailureContext,
    tool: Tool,
    call: ModelCall,
    { signal, approval }: CallOptions,
  ): Promise<ToolFailure | undefined> {
    const { approve } = this.#environment.hooks;
    if (approval !== undefined) return this.#decision(context, approval);
    if (approve === undefined) return undefined;
    // Approval by a person has no time limit, but an abort ends the wait.
    const limits = { timeoutMs: MAX_TIMER_MS, signal: signal ?? NEVER, clock: this.#environment.clock };
    const end = await runOnce(async () => approve.call(this.#environment.hooks, call, tool), limits);
    if (end.kind === "aborted") return abortedFailure(context, false);
    if (end.kind !== "value") return deniedFailure(context, "", end.kind === "threw" ? end.error : undefined);
    return this.#decision(context, end.value);
  }

  #decision(context: FailureContext, approval: Approval): ToolFailure | undefined {
    if (approval === undefined || approval === true) return undefined;
    if (approval === "suspend") return pendingFailure(context);
    const why =
      typeof approval === "object" ? this.#environment.sanitizer.forModel(approval.reason, context.known) : "";
    return deniedFailure(context, why);
  }

  /** A failure to store the outcome does not change it: the call has ended. */
  async #storeOutcome(ledger: Ledger, key: string, entry: LedgerEntry): Promise<void> {
    try {
      await ledger.set(key, entry);
    } catch (cause) {
      logSafely(this.#environment, {
        level: "error",
        event: "ledger",
        message: "An outcome could not be stored in the ledger.",
        cause,
      });
    }
  }

  /** Runs the call. Approval, circuit and ledger come after the arguments were read, right before the tool starts. */
  async #run(
    context: FailureContext,
    tool: Tool,
    call: ModelCall,
    options: CallOptions,
    record?: LedgerRecord,
  ): Promise<ToolOutcome> {
    const circuit = this.#circuit(tool.name);
    let isStarted = false;
    const beforeRun = async (input: unknown): Promise<ToolFailure | undefined> => {
      const refusal = await this.#refusal(context, tool, { ...call, arguments: input }, options);
      if (refusal !== undefined || isStarted) return refusal;
      if (circuit?.enter() === false) return circuitOpenFailure(context);
      isStarted = true;
      try {
        await record?.ledger.set(record.key, { fingerprint: record.fingerprint });
      } catch (error) {
        circuit?.left();
        return ledgerFailure(context, error);
      }
      return undefined;
    };
    const outcome = await callTool(tool, call, { ...this.#callContext(context, tool, options), beforeRun });
    if (!isStarted) return outcome;
    if (outcome.ok) circuit?.succeeded();
    else if (isBreakdown(outcome.failure)) circuit?.failed();
    else circuit?.left();
    if (record !== undefined && outcome.attempts > 0) {
      await this.#storeOutcome(record.ledger, record.key, { fingerprint: record.fingerprint, outcome });
    }
    return outcome;
  }

  #callContext(context: FailureContext, tool: Tool, options: CallOptions): Omit<CallContext, "beforeRun"> {
    const toolTimeoutMs = tool.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    return {
      ...context,
      clock: this.#environment.clock,
      signal: options.signal ?? NEVER,
      context: options.context ?? this.#options.context,
      timeoutMs: Math.max(1, Math.min(toolTimeoutMs, options.timeoutMs ?? toolTimeoutMs)),
      maxResultBytes: tool.maxResultBytes ?? this.#options.maxResultBytes ?? MAX_RESULT_BYTES,
      onProgress: (value) => ignoreErrors(() => options.onProgress?.(value)),
      onRetry: (attempt, delayMs) => ignoreErrors(() => options.onRetry?.(attempt, delayMs)),
    };
  }

  #circuit(name: string): Circuit | undefined {
    const { breaker = false } = this.#options;
    if (breaker === false) return undefined;
    let circuit = this.#circuits.get(name);
    if (circuit === undefined) {
      circuit = new Circuit(breaker, () => this.#environment.clock.now());
      this.#circuits.set(name, circuit);
    }
    return circuit;
  }
}
