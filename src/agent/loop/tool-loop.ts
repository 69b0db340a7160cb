import { repairHistory } from "../history/repair-history.ts";
import type { Message, ModelCall, SafeError } from "../model/message.ts";
import type { FailedCall, ToolOutcome } from "../outcome/outcome.ts";
import { jsonValue } from "../outcome/result-text.ts";
import { backoffMs } from "../policy/backoff.ts";
import { type FailurePolicy, policies } from "../policy/policy.ts";
import type { LogEntry } from "../registry/hooks.ts";
import { providerError } from "../sanitise/provider-error.ts";
import { CallGate } from "./call-gate.ts";
import { Channel } from "./channel.ts";
import { type LoopEvent, type LoopResult, type StopReason, shownCall, shownInput } from "./events.ts";
import { LeakReader } from "./leak-reader.ts";
import { Notes, rejectedText } from "./notes.ts";
import type { LoopOptions } from "./options.ts";
import { type ReadTurn, readTurn } from "./read-turn.ts";
import { safeError, writeRound } from "./round-history.ts";
import { runCalls } from "./run-calls.ts";
import { CUT_OFF, failureSentence, isCallFault, limitSentence, REFUSAL } from "./sentences.ts";

type Events<Result = void> = AsyncGenerator<LoopEvent, Result, void>;
type ErrorKind = "tool_execution_error" | "tool_validation_error" | "tool_loop_limit" | "model_error";

/** How a run ends: with nothing more to say, or with a sentence to the user. */
type Ending =
  | { readonly reason: StopReason }
  | { readonly reason: StopReason; readonly say: ErrorKind; readonly error: SafeError }
  | { readonly reason: "clarify"; readonly callId: string; readonly question: string }
  /** May still become one last answer without tools. */
  | { readonly reason: StopReason; readonly limit: Ending };

const ANSWER_NOW = "No more tool calls are possible. Answer now, with what you have, and say what is missing.";
const EMPTY = "Your last message was empty. Call a tool, or answer the user.";
const INCOMPLETE = new Error("The model's stream ended without saying how.");

/** One run, from the first question to the model to `done`. */
export class ToolLoop {
  readonly #options: LoopOptions;
  readonly #policy: FailurePolicy;
  readonly #history: Message[];
  readonly #notes = new Notes();
  readonly #gate: CallGate;
  readonly #stop = new AbortController();
  readonly #over = new AbortController();
  readonly #runId: string;
  readonly #onAbort = (): void => this.#stop.abort(this.#options.signal?.reason);
  #isLate = false;
  #round = 0;
  #modelCalls = 0;
  #successRounds = 0;
  #failedRounds = 0;
  #failedCalls = 0;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#policy = { ...policies.balanced, ...options.policy };
    this.#history = [...options.messages];
    this.#runId = options.runId ?? this.#environment.newId();
    this.#gate = new CallGate(options, this.#policy, this.#stop.signal);
    if (options.signal?.aborted === true) this.#onAbort();
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
    const { deadlineMs } = this.#policy;
    if (deadlineMs !== undefined) {
      this.#environment.clock.sleep(deadlineMs, this.#over.signal).then(() => {
        if (this.#over.signal.aborted) return;
        this.#isLate = true;
        this.#stop.abort(new DOMException("The run has used up its time.", "TimeoutError"));
      });
    }
  }

  /** Stops whatever still runs and lets go of what was held. */
  close(): void {
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#over.abort();
    this.#stop.abort(new DOMException("The run is over.", "AbortError"));
  }

  async *run(): Events<LoopResult> {
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

  get #place(): { readonly round: number; readonly turn: string } {
    return { round: this.#round, turn: this.#turn };
  }

  /** One question to the model is kept back for the last answer. */
  get #questionsLeft(): number {
    const kept = this.#policy.onLimit === "final-answer" ? 1 : 0;
    return this.#policy.maxModelCalls - kept - this.#modelCalls;
  }

  #beforeRound(): Ending | undefined {
    if (this.#stop.signal.aborted) return this.#stopped();
    return this.#questionsLeft <= 0 ? this.#atLimit("model-call-limit") : undefined;
  }

  async *#runRound(): Events<Ending | undefined> {
    this.#round += 1;
    const turn = yield* this.#ask(this.#notes.take(), "auto");
    if (this.#stop.signal.aborted) {
      yield* this.#store(this.#textMessage(turn.text));
      return this.#stopped();
    }
    if (turn.finish === undefined || turn.finish === "error") return yield* this.#modelFailed(turn);
    if (turn.finish === "refusal" || turn.finish === "content-filter") {
      yield* this.#store(this.#textMessage(turn.text));
      return turn.text === "" ? this.#saying("refusal", "model_error", REFUSAL, "refusal") : { reason: "refusal" };
    }
    if (turn.calls.length > 0) return yield* this.#makeCalls(turn);
    return yield* this.#withoutCalls(turn);
  }

  /** Asks, and asks again where the provider failed before it said anything. */
  async *#ask(notes: readonly Message[], toolChoice: "auto" | "none"): Events<ReadTurn> {
    const { registry, model } = this.#options;
    const { messages } = repairHistory([...this.#history.map(forModel), ...notes], {
      isDeclared: (name) => registry.find(name) !== undefined,
    });
    for (let attempt = 1; ; attempt += 1) {
      this.#modelCalls += 1;
      const request = {
        messages,
        tools: registry.definitions(),
        toolChoice,
        signal: this.#stop.signal,
        round: this.#round,
      };
      const settings = { ...this.#environment, idleMs: this.#policy.modelIdleMs };
      const reading = readTurn(model, request, this.#leakReader(messages), settings);
      const turn = yield* this.#shown(reading);
      if (!this.#isWorthAsking(turn, attempt)) return turn;
      this.#log({
        level: "warn",
        event: "model_retry",
        message: "The model failed and is asked again.",
        cause: turn.error,
      });
      await this.#environment.clock.sleep(
        backoffMs({ retries: 0 }, attempt, this.#environment.clock),
        this.#stop.signal,
      );
    }
  }

  /** Gives the text of a turn out while it comes. Who leaves in the middle of it closes the model's stream. */
  async *#shown(reading: AsyncGenerator<string, ReadTurn, void>): Events<ReadTurn> {
    try {
      let next = await reading.next();
      for (; next.done !== true; next = await reading.next()) yield { kind: "text", ...this.#place, text: next.value };
      return next.value;
    } finally {
      await reading.return(undefined as never);
    }
  }

  #isWorthAsking({ finish, hasShown, error }: ReadTurn, attempt: number): boolean {
    if (this.#stop.signal.aborted || hasShown || (finish !== undefined && finish !== "error")) return false;
    if (attempt > this.#policy.modelRetries || this.#questionsLeft <= 0) return false;
    return finish === undefined || providerError(error).retryable;
  }

  #leakReader(messages: readonly Message[]): LeakReader {
    const { recover = true, registry } = this.#options;
    const warn = (cause: unknown): void =>
      this.#log({ level: "warn", event: "leak_reader", message: "Leaked calls cannot be looked for.", cause });
    // Where there is nothing to call, text is text.
    if (recover === false || registry.tools.size === 0) return new LeakReader(false, warn);
    return new LeakReader(
      {
        ...(recover === true ? {} : recover),
        tools: registry.definitions().map(({ name, inputSchema }) => ({ name, parameters: inputSchema })),
        context: messages.filter(({ role }) => role !== "assistant").map(({ content }) => content),
        newId: this.#environment.newId,
      },
      warn,
    );
  }

  async *#modelFailed(turn: ReadTurn): Events<Ending | undefined> {
    const cause = turn.error ?? INCOMPLETE;
    this.#log({ level: "error", event: "model_error", message: "The model failed.", cause });
    yield* this.#store(this.#textMessage(turn.text));
    // The provider itself refused what the model tried to call: the model can do better when it is told.
    if (turn.text === "" && isRefusedCall(turn.error)) {
      const names = [...this.#options.registry.tools.keys()].slice(0, 50).join(", ");
      this.#notes.once(`Your last tool call was refused before it arrived. Available tools: ${names}`);
      return this.#failedRound(undefined);
    }
    return { reason: "model-error", say: "model_error", error: providerError(cause) };
  }

  async *#withoutCalls(turn: ReadTurn): Events<Ending | undefined> {
    yield* this.#store(this.#textMessage(turn.text));
    if (turn.rejected.length > 0) {
      for (const { format, reason } of turn.rejected) yield { kind: "leak_rejected", ...this.#place, format, reason };
      const details = { rejected: turn.rejected };
      this.#log({
        level: "warn",
        event: "leak_rejected",
        message: "agent:sanitizer: a leaked call could not be read.",
        details,
      });
      this.#notes.once(rejectedText(turn.rejected, this.#options.registry.tools.keys()));
      return this.#failedRound(undefined);
    }
    if (turn.finish === "length") {
      return turn.text === ""
        ? this.#saying("truncated", "model_error", CUT_OFF, "truncated")
        : { reason: "truncated" };
    }
    if (turn.text !== "") return { reason: "answer" };
    this.#notes.once(EMPTY);
    return this.#failedRound(undefined);
  }

  async *#makeCalls(turn: ReadTurn): Events<Ending | undefined> {
    if (turn.isRecovered) yield this.#recovered(turn.calls);
    yield { kind: "tool_calls", ...this.#place, calls: turn.calls.map(shownCall) };
    const outcomes = yield* this.#run(turn.calls, turn.finish === "length");
    const round = { turn: this.#turn, text: turn.text, outcomes, provider: turn.provider };
    const { messages, summarised } = writeRound(round, this.#policy);
    for (const message of messages) yield* this.#store(message);
    for (const outcome of outcomes) if (outcome.ok) this.#notes.succeeded(outcome.call.name);
    for (const failed of summarised) this.#notes.failed(failed);
    return this.#afterRound(outcomes);
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

  /** Runs the calls and tells of each; the outcomes in the order of the calls. */
  async *#run(calls: readonly ModelCall[], isCut: boolean): Events<readonly ToolOutcome[]> {
    const outcomes: ToolOutcome[] = [];
    const channel = new Channel<LoopEvent>();
    const round = this.#gate.newRound(this.#turn, isCut, (callId, attempt, delayMs) =>
      channel.push({ kind: "tool_retry", ...this.#place, callId, attempt, delayMs }),
    );
    const running = runCalls(calls, {
      concurrency: this.#policy.concurrency,
      isSequential: ({ name }) => this.#options.registry.find(name)?.sequential === true,
      start: (call) => round.start(call),
      onOutcome: (outcome) => {
        outcomes.push(outcome);
        channel.push(this.#settled(outcome));
      },
    }).finally(() => channel.close());
    running.catch(() => undefined);
    yield* channel;
    await running;
    return outcomes;
  }

  #settled(outcome: ToolOutcome): LoopEvent {
    const { id: callId, name } = outcome.call;
    const base = { ...this.#place, callId, name, input: shownInput(outcome.input) };
    if (outcome.ok) return { kind: "tool_result", ...base, result: jsonValue(outcome.value) };
    this.#failedCalls += 1;
    return { kind: "tool_failed", ...base, error: safeError(outcome.call, outcome.failure) };
  }

  #afterRound(outcomes: readonly ToolOutcome[]): Ending | undefined {
    if (this.#stop.signal.aborted) return this.#stopped();
    const failed = outcomes.filter((outcome): outcome is FailedCall => !outcome.ok);
    const missing = failed.find(({ failure }) => failure.kind === "missing_parameter");
    const asking = failed.find(({ failure }) => failure.question !== undefined);
    if (asking?.failure.question !== undefined) {
      return { reason: "clarify", callId: asking.call.id, question: asking.failure.question };
    }
    if (missing !== undefined && this.#policy.onMissing === "stop")
      return this.#failedWith("missing-parameter", missing);
    const permanent = failed.find(
      ({ failure }) => failure.executed && !failure.retryable && failure.kind !== "timeout",
    );
    if (permanent !== undefined && this.#policy.onPermanent === "run") {
      return this.#failedWith("permanent-failure", permanent);
    }
    if (this.#gate.blockedRepeats > 1) return this.#atLimit("repeated-call");
    if (failed.length === outcomes.length) return this.#failedRound(failed.at(-1));
    this.#failedRounds = 0;
    this.#successRounds += 1;
    return this.#successRounds >= this.#policy.maxRounds ? this.#atLimit("round-limit") : undefined;
  }

  #failedRound(last: FailedCall | undefined): Ending | undefined {
    this.#failedRounds += 1;
    if (this.#failedRounds < this.#policy.maxFailedRounds) return undefined;
    const limit =
      last === undefined
        ? this.#saying("failed-rounds", "model_error", limitSentence("failed-rounds"), "no_answer")
        : this.#failedWith("failed-rounds", last);
    return { reason: "failed-rounds", limit };
  }

  #failedWith(reason: StopReason, failed: FailedCall): Ending {
    const say = isCallFault(failed.failure.kind) ? "tool_validation_error" : "tool_execution_error";
    const message = failureSentence(failed, this.#policy.showDetail);
    return { reason, say, error: { ...safeError(failed.call, failed.failure), message } };
  }

  #atLimit(reason: StopReason): Ending {
    return { reason, limit: this.#saying(reason, "tool_loop_limit", limitSentence(reason), "limit") };
  }

  #saying(reason: StopReason, say: ErrorKind, message: string, category: string): Ending {
    return { reason, say, error: { category, message, retryable: true } };
  }

  #stopped(): Ending {
    if (!this.#isLate) return { reason: "aborted" };
    return this.#saying("deadline", "tool_loop_limit", limitSentence("deadline"), "limit");
  }

  async *#end(ending: Ending): Events<LoopResult> {
    if ("limit" in ending) {
      const isAnswered = this.#policy.onLimit === "final-answer" && (yield* this.#lastAnswer());
      return yield* this.#end(
        isAnswered ? { reason: ending.reason } : this.#stop.signal.aborted ? this.#stopped() : ending.limit,
      );
    }
    if ("question" in ending) {
      yield { kind: "clarify", ...this.#place, callId: ending.callId, text: ending.question };
      yield* this.#store(this.#textMessage(ending.question));
    } else if ("say" in ending) {
      // The sentence that is sent is the sentence that is stored.
      yield { kind: ending.say, ...this.#place, error: ending.error };
      yield* this.#store(this.#textMessage(ending.error.message));
    }
    const { reason } = ending;
    yield {
      kind: "done",
      reason,
      rounds: this.#round,
      modelCalls: this.#modelCalls,
      calls: this.#gate.calls,
      failedCalls: this.#failedCalls,
    };
    return { reason, messages: this.#history };
  }

  /** One more turn, without tools. Calls that it makes all the same are not made. */
  async *#lastAnswer(): Events<boolean> {
    if (this.#modelCalls >= this.#policy.maxModelCalls || this.#stop.signal.aborted) return false;
    this.#round += 1;
    this.#notes.once(ANSWER_NOW);
    const turn = yield* this.#ask(this.#notes.take(), "none");
    yield* this.#store(this.#textMessage(turn.text));
    return turn.text !== "" && turn.finish !== undefined && turn.finish !== "error";
  }

  #textMessage(content: string): Message {
    return { role: "assistant", content, turn: this.#turn };
  }

  async *#store(message: Message): Events {
    const isEmpty = message.role === "assistant" && message.content === "" && message.toolCalls === undefined;
    if (isEmpty && message.dropped === undefined) return;
    this.#history.push(message);
    yield { kind: "message", ...this.#place, message };
  }

  #log(entry: LogEntry): void {
    try {
      this.#environment.hooks.log?.(entry);
    } catch {
      // An onlooker that fails is not part of the run.
    }
  }
}

/** Without what is kept for the page. */
function forModel({ dropped: _, shown: __, ...message }: Message): Message {
  return message;
}

/** The provider complains about a tool the model tried to call, not about us. */
function isRefusedCall(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  try {
    const { message, code, error: inner } = error as { readonly [key: string]: unknown };
    const words = [message, code, (inner as { message?: unknown } | undefined)?.message].filter(
      (word) => typeof word === "string",
    );
    return /tool_use_failed|(?:tool|function)\b.{0,80}\b(?:not found|not in request|does not exist|unknown|invalid name|hallucinated)/i.test(
      words.join(" ").slice(0, 2000),
    );
  } catch {
    return false;
  }
}
