import type { StandardSchemaV1 } from "@standard-schema/spec";
import { addTokenUsage, hasTokens } from "../../core/model/token-usage.ts";
import type { Message, ModelCall } from "../model/message.ts";
import type { FailedCall, ToolOutcome } from "../outcome/outcome.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import { runOnce } from "../registry/call-tool.ts";
import type { Tool } from "../registry/define-tool.ts";
import { isPending } from "../registry/failures.ts";
import { type LogEntry, logSafely } from "../registry/hooks.ts";
import { UnknownToolError } from "../registry/names.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import { providerError } from "../sanitize/provider-error.ts";
import { CallGate } from "./call-gate.ts";
import { type CheckedOptions, checkOptions } from "./check-options.ts";
import { type LoopEvent, type LoopResult, type PendingCall, shownCall, shownInput } from "./events.ts";
import { FinalOutput } from "./final-output.ts";
import { rejectedText, resultOf, safeError, writeRound } from "./history.ts";
import { LeavableRun, type RunSource } from "./leavable-run.ts";
import type { LoopOptions } from "./loop-options.ts";
import { ModelClient, type Step } from "./model-client.ts";
import type { ReadTurn } from "./model-turn.ts";
import { Notes } from "./notes.ts";
import { isRefusedCall } from "./refused-call.ts";
import { type Place, runCallsWithEvents } from "./run-calls.ts";
import {
  CUT_OFF,
  failureMessage,
  limitMessage,
  Progress,
  REFUSAL,
  type StopDecision,
  stopAtLimit,
  stopWithMessage,
} from "./run-end.ts";
import { RunStop } from "./run-stop.ts";
import { storedFailures } from "./stored-failures.ts";
import { UsageMeter } from "./usage-meter.ts";

type Events<Result = void> = AsyncGenerator<LoopEvent, Result, void>;
const ANSWER_NOW = "No more tool calls are possible. Answer now, with what you have, and say what is missing.";
const EMPTY = "Your last message was empty. Call a tool, or answer the user.";
const MAX_TIMER_MS = 2 ** 31 - 1;
const INCOMPLETE = new Error("The model's stream ended without a finish reason.");

type ArgumentsPart = Omit<LoopEvent & { readonly kind: "tool_arguments" }, "kind" | "round" | "turn">;

/** A turn that failed before the model was called. */
function failedTurn(error: unknown): ReadTurn {
  return { text: "", calls: [], isRecovered: false, rejected: [], hasShown: false, finish: "error", error };
}

function withSystem(system: string, messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(({ role }) => role !== "system");
  return [{ role: "system", content: system }, ...(first === -1 ? [] : messages.slice(first))];
}

/** One run, from the first model call to `done`. */
export class ToolLoop implements RunSource {
  readonly #options: CheckedOptions;
  readonly #policy: FailurePolicy;
  readonly #history: Message[];
  /** The conversation before this run, as the model receives it. */
  readonly #earlier: readonly Message[];
  readonly #notes = new Notes();
  readonly #gate: CallGate;
  readonly #stop: RunStop;
  readonly #client: ModelClient;
  readonly #progress: Progress;
  readonly #runId: string;
  readonly #meter: UsageMeter;
  readonly #output: FinalOutput | undefined;
  /** The tools of the current round. */
  #tools: ToolRegistry;
  #pending: readonly PendingCall[] = [];
  #answer: { readonly value: unknown } | undefined;
  #round = 0;
  #failedCalls = 0;

  constructor(options: CheckedOptions) {
    this.#options = options;
    this.#policy = options.policy;
    this.#history = [...options.messages];
    this.#earlier = storedFailures(options.messages, this.#policy, this.#notes);
    this.#runId = options.runId ?? this.#environment.newId();
    this.#stop = new RunStop(options.signal, this.#policy.deadlineMs, this.#environment.clock);
    this.#gate = new CallGate(options, this.#policy, this.#stop.signal);
    this.#meter = new UsageMeter(options.prices);
    this.#client = new ModelClient(options, this.#stop.signal, (usage) => this.#meter.add(usage));
    this.#output = options.output && new FinalOutput(options.output, options.outputSchema);
    this.#tools = options.registry;
    this.#progress = new Progress(this.#policy);
  }

  leave(): void {
    this.#stop.leave();
  }

  close(): void {
    this.#stop.close();
  }

  async *run(): Events<LoopResult> {
    const resumed = yield* this.#resume();
    if (resumed !== undefined) return yield* this.#end(resumed);
    for (;;) {
      const ending = this.#beforeRound() ?? (yield* this.#runRound());
      if (ending !== undefined) return yield* this.#end(ending);
    }
  }

  get #environment() {
    return this.#options.registry.environment;
  }

  get #turn(): string {
    return `${this.#runId}.${this.#round}`;
  }

  get #place(): Place {
    return { round: this.#round, turn: this.#turn };
  }

  #beforeRound(): StopDecision | undefined {
    if (this.#stop.signal.aborted) return this.#stopped();
    if (this.#client.callsLeft <= 0) return stopAtLimit("model-call-limit");
    const limit = this.#meter.limit(this.#policy);
    return limit === undefined ? undefined : stopAtLimit(limit);
  }

  /** Makes the calls of an earlier run that waited for an approval, if there are decisions on them. */
  async *#resume(): Events<StopDecision | undefined> {
    const { approvals, messages } = this.#options;
    const last = messages.findLast(({ role, pending }) => role === "assistant" && pending !== undefined);
    if (approvals === undefined || last === undefined) return undefined;
    const answered = new Set(messages.slice(messages.indexOf(last)).map(({ toolCallId }) => toolCallId));
    const waiting = (last.toolCalls ?? []).filter(({ id }) => last.pending?.includes(id) && !answered.has(id));
    const calls = waiting.filter(({ id }) => Object.hasOwn(approvals, id));
    this.#pending = waiting
      .filter((call) => !calls.includes(call))
      .map(({ id, name, arguments: input }) => ({ callId: id, name, input: shownInput(input) }));
    this.#round += 1;
    const place = { round: this.#round, turn: last.turn ?? this.#turn };
    const outcomes = yield* runCallsWithEvents({
      calls,
      isCut: false,
      place,
      gate: this.#gate,
      registry: this.#tools,
      concurrency: this.#policy.concurrency,
      approvals,
    });
    this.#failedCalls += outcomes.filter(({ ok }) => !ok).length;
    for (const outcome of outcomes) yield* this.#store(resultOf(outcome, place.turn));
    return this.#pending.length > 0 ? { reason: "approval" } : undefined;
  }

  async *#runRound(): Events<StopDecision | undefined> {
    this.#round += 1;
    const turn = yield* this.#requestTurn("auto");
    if (this.#stop.signal.aborted) {
      yield* this.#store(this.#textMessage(turn.text));
      return this.#stopped();
    }
    if (turn.finish === undefined || turn.finish === "error") return yield* this.#modelFailed(turn);
    if (turn.finish === "refusal" || turn.finish === "content-filter") {
      yield* this.#store(this.#textMessage(turn.text));
      return turn.text === "" ? stopWithMessage("refusal", "model_error", REFUSAL, "refusal") : { reason: "refusal" };
    }
    if (turn.finish === "pause") {
      const { provider } = turn;
      yield* this.#store({ ...this.#textMessage(turn.text), ...(provider !== undefined && { provider }) });
      return undefined;
    }
    if (turn.calls.length > 0) return yield* this.#makeCalls(turn);
    return yield* this.#withoutCalls(turn);
  }

  /** Calls the model and emits its text as it arrives. Leaving the loop in the middle closes the model's stream. */
  async *#requestTurn(toolChoice: "auto" | "none"): Events<ReadTurn> {
    const ownMessages = this.#history.slice(this.#options.messages.length);
    if (this.#output !== undefined && this.#client.calls === 0) this.#notes.once(this.#output.instruction);
    const history = [...this.#earlier, ...ownMessages, ...this.#notes.take()];
    const before = this.#meter.total.usage;
    const step = await this.#prepareStep(history, toolChoice);
    if ("error" in step) return failedTurn(step.error);
    this.#tools = step.registry;
    const stream = this.#client.requestTurn(step);
    try {
      let next = await stream.next();
      for (; next.done !== true; next = await stream.next()) {
        const { kind, ...part } = next.value;
        if (kind === "text") yield { kind, ...this.#place, text: part.text };
        else yield { kind: "tool_arguments", ...this.#place, ...(part as ArgumentsPart) };
      }
      if (next.value.usage !== undefined) {
        const used = this.#meter.withCost(addTokenUsage(this.#meter.total.usage, before, -1));
        yield { kind: "usage", ...this.#place, ...used };
      }
      return next.value;
    } finally {
      // Only closes the generator: no caller receives the value.
      await stream.return(undefined as never);
    }
  }

  /** Applies the caller's changes to this step. */
  async #prepareStep(
    history: readonly Message[],
    toolChoice: "auto" | "none",
  ): Promise<Step | { readonly error: unknown }> {
    const { prepareStep, registry, model } = this.#options;
    const base = { history, toolChoice, round: this.#round, model, registry };
    if (prepareStep === undefined) return base;
    try {
      const info = { round: this.#round, messages: history, calls: this.#gate.calls, usage: this.#meter.total.usage };
      const limits = { timeoutMs: MAX_TIMER_MS, signal: this.#stop.signal, clock: this.#environment.clock };
      const end = await runOnce(() => prepareStep(info), limits);
      if (end.kind === "threw") throw end.error;
      const changes = (end.kind === "value" ? end.value : undefined) ?? {};
      const messages = changes.messages ?? history;
      return {
        ...base,
        model: changes.model ?? model,
        registry: changes.tools === undefined ? registry : registry.only(changes.tools),
        history: changes.system === undefined ? messages : withSystem(changes.system, messages),
      };
    } catch (error) {
      return { error: error ?? new Error("prepareStep failed.") };
    }
  }

  async *#modelFailed(turn: ReadTurn): Events<StopDecision | undefined> {
    const cause = turn.error ?? INCOMPLETE;
    this.#log({ level: "error", event: "model_error", message: "The model failed.", cause });
    yield* this.#store(this.#textMessage(turn.text));
    // The provider itself rejected the model's call. A note lets the model correct it.
    if (turn.text === "" && isRefusedCall(turn.error)) {
      const names = [...this.#options.registry.tools.keys()].slice(0, 50).join(", ");
      this.#notes.once(`Your last tool call was rejected by the provider. Available tools: ${names}`);
      return this.#progress.afterFailedRound();
    }
    return { reason: "model-error", eventKind: "model_error", error: providerError(cause) };
  }

  async *#withoutCalls(turn: ReadTurn): Events<StopDecision | undefined> {
    yield* this.#store(this.#textMessage(turn.text));
    if (turn.rejected.length > 0) {
      for (const { format, reason } of turn.rejected) yield { kind: "leak_rejected", ...this.#place, format, reason };
      const details = { rejected: turn.rejected };
      this.#log({
        level: "warn",
        event: "leak_rejected",
        message: "agent:sanitizer: a leaked call could not be parsed.",
        details,
      });
      this.#notes.once(rejectedText(turn.rejected, this.#options.registry.tools.keys()));
      return this.#progress.afterFailedRound();
    }
    if (turn.finish === "length") {
      return turn.text === ""
        ? stopWithMessage("truncated", "model_error", CUT_OFF, "truncated")
        : { reason: "truncated" };
    }
    if (turn.text !== "") return this.#checkAnswer(turn.text);
    this.#notes.once(EMPTY);
    return this.#progress.afterFailedRound();
  }

  /** Validates the final answer, if it must have a certain form. */
  async #checkAnswer(text: string): Promise<StopDecision | undefined> {
    if (this.#output === undefined) return { reason: "answer" };
    const read = await this.#output.read(text);
    if (read.kind === "valid") {
      this.#answer = { value: read.value };
      return { reason: "answer" };
    }
    this.#notes.once(`Your answer was not accepted:\n${read.problems}\n${this.#output.instruction}`);
    return this.#progress.afterFailedRound();
  }

  async *#makeCalls(turn: ReadTurn): Events<StopDecision | undefined> {
    if (turn.isRecovered) yield this.#recovered(turn.calls);
    yield { kind: "tool_calls", ...this.#place, calls: turn.calls.map(shownCall) };
    const outcomes = yield* this.#runCalls(turn);
    this.#failedCalls += outcomes.filter((outcome) => !outcome.ok && !isPending(outcome)).length;
    const round = { turn: this.#turn, text: turn.text, outcomes, provider: turn.provider };
    const { messages, summarized } = writeRound(round, this.#policy);
    for (const message of messages) yield* this.#store(message);
    for (const { ok, call, input } of outcomes) if (ok) this.#notes.succeeded(call.name, input);
    for (const { call, input, failure } of summarized) this.#notes.failed(call.name, input, failure);
    if (this.#stop.signal.aborted) return this.#stopped();
    this.#pending = outcomes
      .filter(isPending)
      .map(({ call, input }) => ({ callId: call.id, name: call.name, input: shownInput(input) }));
    if (this.#pending.length > 0) return { reason: "approval" };
    const ending = this.#progress.afterCalls(outcomes, this.#gate.blockedRepeats);
    if (this.#policy.executionErrors === "each") yield* this.#executionErrors(outcomes, ending);
    return ending;
  }

  async *#runCalls({ calls, finish, text }: ReadTurn): Events<readonly ToolOutcome[]> {
    try {
      return yield* runCallsWithEvents({
        calls,
        isCut: finish === "length",
        place: this.#place,
        gate: this.#gate,
        registry: this.#tools,
        concurrency: this.#policy.concurrency,
      });
    } catch (error) {
      // Strict mode, before any call ran: what was shown is stored.
      if (error instanceof UnknownToolError) yield* this.#store(this.#textMessage(text));
      throw error;
    }
  }

  /** One event per failed execution, except the one whose message ends the run: that is emitted at the end. */
  async *#executionErrors(outcomes: readonly ToolOutcome[], ending: StopDecision | undefined): Events {
    const last = ending !== undefined && "limit" in ending && this.#policy.onLimit === "stop" ? ending.limit : ending;
    const ended = last !== undefined && "failed" in last ? last.failed : undefined;
    const failed = outcomes.filter((outcome): outcome is FailedCall => !outcome.ok && outcome !== ended);
    for (const one of failed) {
      if (one.failure.kind !== "execution" && one.failure.kind !== "timeout") continue;
      const message = failureMessage(one, this.#policy.showDetail);
      const error = { ...safeError(one.call, one.failure), message };
      yield { kind: "tool_execution_error", ...this.#place, callId: one.call.id, error };
    }
  }

  #recovered(calls: readonly ModelCall[]): LoopEvent {
    const leaked = calls.map(({ id, name, format = "", repairs = [] }) => ({ id, name, format, repairs }));
    const formats = [...new Set(leaked.map(({ format }) => format))].join(", ");
    this.#log({
      level: "warn",
      event: "leak_recovered",
      message: `agent:sanitizer: ${calls.length} leaked tool calls were recovered (${formats}).`,
      details: { calls: leaked },
    });
    return { kind: "leak_recovered", ...this.#place, calls: leaked };
  }

  #stopped(): StopDecision {
    if (!this.#stop.isLate) return { reason: "aborted" };
    return stopWithMessage("deadline", "tool_loop_limit", limitMessage("deadline"), "limit");
  }

  async *#end(ending: StopDecision): Events<LoopResult> {
    if ("limit" in ending) {
      const isAnswered = this.#policy.onLimit === "final-answer" && (yield* this.#lastAnswer());
      return yield* this.#end(
        isAnswered ? { reason: ending.reason } : this.#stop.signal.aborted ? this.#stopped() : ending.limit,
      );
    }
    if ("question" in ending) {
      yield { kind: "clarify", ...this.#place, callId: ending.callId, text: ending.question };
      yield* this.#store(this.#textMessage(ending.question));
    } else if ("eventKind" in ending) {
      // The message that is sent is also the one that is stored.
      yield { kind: ending.eventKind, ...this.#place, error: ending.error };
      yield* this.#store(this.#textMessage(ending.error.message));
    }
    const { reason } = ending;
    const { usage, cost } = this.#meter.total;
    yield {
      kind: "done",
      reason,
      rounds: this.#round,
      modelCalls: this.#client.calls,
      calls: this.#gate.calls,
      failedCalls: this.#failedCalls,
      ...(hasTokens(usage) && { usage }),
      ...(cost !== undefined && { cost }),
      ...(this.#pending.length > 0 && { pending: this.#pending }),
    };
    return {
      reason,
      messages: this.#history,
      usage,
      ...(cost !== undefined && { cost }),
      pending: this.#pending,
      ...(this.#answer !== undefined && { output: this.#answer.value }),
    };
  }

  /** One more turn without tools. Calls in it are ignored. */
  async *#lastAnswer(): Events<boolean> {
    if (this.#client.calls >= this.#policy.maxModelCalls || this.#stop.signal.aborted) return false;
    this.#round += 1;
    this.#notes.once(ANSWER_NOW);
    const turn = yield* this.#requestTurn("none");
    yield* this.#store(this.#textMessage(turn.text));
    if (this.#output !== undefined) await this.#checkAnswer(turn.text);
    return turn.text !== "" && turn.finish !== undefined && turn.finish !== "error";
  }

  #textMessage(content: string): Message {
    return { role: "assistant", content, turn: this.#turn };
  }

  async *#store(message: Message): Events {
    const isEmpty = message.role === "assistant" && message.content === "" && message.toolCalls === undefined;
    if (isEmpty && message.dropped === undefined) return;
    this.#history.push(message);
    try {
      await this.#options.onMessage?.(message);
    } catch (cause) {
      this.#log({ level: "error", event: "on_message", message: "A message could not be stored.", cause });
      throw cause;
    }
    yield { kind: "message", ...this.#place, message };
  }

  #log(entry: LogEntry): void {
    logSafely(this.#environment, entry);
  }
}

/**
 * Runs a model with tools until its final response or a limit ends the run; `done` contains the reason. Leaving the `for await`
 * early, or calling `return`, aborts tools and model at once. Throws at once for invalid
 * options; the run itself throws only for an unknown tool in strict mode.
 *
 * @example
 * for await (const event of runToolLoop({ registry, model, messages: [{ role: "user", content: "Weather in Paris?" }]
 * })) {
 *   if (event.kind === "text") show(event.text);
 *   if (event.kind === "message") await store(event.message);
 * }
 */
export function runToolLoop<T extends Tool = Tool, Schema extends StandardSchemaV1 = StandardSchemaV1>(
  options: LoopOptions<T, Schema>,
): AsyncGenerator<LoopEvent<T>, LoopResult<StandardSchemaV1.InferOutput<Schema>>, void> {
  // The loop works with any tools; only its interface knows their types.
  const checked = checkOptions(options as LoopOptions);
  const run: AsyncGenerator<LoopEvent, LoopResult, void> = new LeavableRun(() => new ToolLoop(checked));
  return run as AsyncGenerator<LoopEvent<T>, LoopResult<StandardSchemaV1.InferOutput<Schema>>, void>;
}
