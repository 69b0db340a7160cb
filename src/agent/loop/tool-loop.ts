import { addTokenUsage, hasTokens } from "../../core/model/token-usage.ts";
import type { Message, ModelCall } from "../model/message.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import { isPending } from "../registry/failures.ts";
import { type LogEntry, logSafely } from "../registry/hooks.ts";
import { UnknownToolError } from "../registry/names.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import { providerError } from "../sanitize/provider-error.ts";
import { CallGate } from "./call-gate.ts";
import type { CheckedOptions } from "./check-options.ts";
import { type LoopEvent, type LoopResult, type PendingCall, shownCall, shownInput } from "./events.ts";
import type { FinalOutput } from "./final-output.ts";
import { rejectedText, resultOf, writeRound } from "./history.ts";
import type { RunSource } from "./leavable-run.ts";
import { ModelClient } from "./model-client.ts";
import type { ReadTurn } from "./model-turn.ts";
import { Notes } from "./notes.ts";
import { pendingCalls } from "./pending-calls.ts";
import { prepareStep } from "./prepare-step.ts";
import { isRefusedCall } from "./refused-call.ts";
import { type Place, runCallsWithEvents } from "./run-calls.ts";
import {
  CUT_OFF,
  executionErrors,
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
const INCOMPLETE = new Error("The model's stream ended without a finish reason.");

type ArgumentsPart = Omit<LoopEvent & { readonly kind: "tool_arguments" }, "kind" | "round" | "turn">;

/** A turn that failed before the model was called. */
function failedTurn(error: unknown): ReadTurn {
  return { text: "", calls: [], isRecovered: false, rejected: [], hasShown: false, finish: "error", error };
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
    this.#output = options.finalOutput;
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
    const found = approvals === undefined ? undefined : pendingCalls(messages, approvals);
    if (approvals === undefined || found === undefined) return undefined;
    const { calls } = found;
    this.#pending = found.undecided;
    this.#round += 1;
    const place = { round: this.#round, turn: found.turn ?? this.#turn };
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
    if (turn.secondChance !== undefined) yield { kind: "second_chance", ...this.#place, ...turn.secondChance };
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
    const step = await prepareStep(this.#options, this.#stop.signal, {
      history,
      toolChoice,
      round: this.#round,
      calls: this.#gate.calls,
      usage: before,
    });
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
    for (const error of executionErrors(outcomes, ending, this.#policy)) {
      yield { kind: "tool_execution_error", ...this.#place, ...error };
    }
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
