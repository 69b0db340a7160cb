import type { TokenUsage } from "../../core/model/token-usage.ts";
import { repairHistory } from "../history/repair-history.ts";
import type { Message } from "../model/message.ts";
import type { ModelFunction, ModelRequest } from "../model/model-function.ts";
import { backoffMs } from "../policy/backoff.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import { logSafely } from "../registry/hooks.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import { providerError, retryAfterMs } from "../sanitize/provider-error.ts";
import type { CheckedOptions } from "./check-options.ts";
import { LeakReader } from "./leak-reader.ts";
import { type ReadTurn, readTurn, type TurnPart } from "./model-turn.ts";
import { noteMessages } from "./notes.ts";
import { isRefusedCall } from "./refused-call.ts";

/** What one model call uses. */
export interface Step {
  readonly history: readonly Message[];
  readonly toolChoice: "auto" | "none";
  readonly round: number;
  readonly model: ModelFunction;
  readonly registry: ToolRegistry;
}

/** Calls the model and counts the calls. */
export class ModelClient {
  readonly #options: CheckedOptions;
  readonly #policy: FailurePolicy;
  readonly #signal: AbortSignal;
  readonly #onUsage: (usage: TokenUsage) => void;
  calls = 0;
  #secondChances = 0;

  constructor(options: CheckedOptions, signal: AbortSignal, onUsage: (usage: TokenUsage) => void) {
    this.#options = options;
    this.#policy = options.policy;
    this.#signal = signal;
    this.#onUsage = onUsage;
  }

  /** Reserves one call for the final response. */
  get callsLeft(): number {
    const reserved = this.#policy.onLimit === "final-answer" ? 1 : 0;
    return this.#policy.maxModelCalls - reserved - this.calls;
  }

  /** Calls the model; if it fails before any output, its fallbacks. Yields parts as they arrive. */
  async *requestTurn(step: Step): AsyncGenerator<TurnPart, ReadTurn, void> {
    const isDeclared = (name: string): boolean => step.registry.find(name) !== undefined;
    const messages = endWithUser(repairHistory(step.history.map(forModel), { isDeclared }).messages);
    const others = [...(this.#options.fallbackModels ?? [])];
    for (let model: ModelFunction | undefined = step.model; ; ) {
      const turn = yield* this.#withSecondChance({ ...step, model }, messages);
      if (!this.#isFailed(turn) || isRefusedCall(turn.error)) return turn;
      model = others.shift();
      if (model === undefined) return turn;
      const message = "The model failed; the next one is used.";
      logSafely(step.registry.environment, { level: "warn", event: "model_fallback", message, cause: turn.error });
    }
  }

  /** Asks the model again if no call of the turn can work. */
  async *#withSecondChance(step: Step, messages: readonly Message[]): AsyncGenerator<TurnPart, ReadTurn, void> {
    if (this.#options.secondChance !== true || step.toolChoice === "none")
      return yield* this.#withRetries(step, messages);
    // Arguments are held back: those of replaced calls must not be shown.
    const { hopelessTurn, joinTurns, secondMessages } = await import("./second-chance.ts");
    const held: TurnPart[] = [];
    const first = yield* textOnly(this.#withRetries(step, messages), held);
    const hopeless = this.#signal.aborted ? undefined : hopelessTurn(first, step.registry);
    if (hopeless === undefined || this.callsLeft <= 0 || this.#secondChances >= MAX_SECOND_CHANCES) {
      yield* held;
      return first;
    }
    this.#secondChances += 1;
    const parts: TurnPart[] = [];
    const second = await readAll(this.#withRetries(step, secondMessages(messages, first, hopeless), 0), parts);
    const { turn, result } = joinTurns(first, second, hopeless, step.registry);
    const { reason } = hopeless;
    const message = `No call of the turn could work (${reason}); the model was asked again: ${result}.`;
    logSafely(step.registry.environment, { level: "warn", event: "second_chance", message });
    if (turn === first) yield* held;
    else {
      if (first.text !== "" && second.text !== "") yield { kind: "text", text: "\n\n" };
      yield* parts;
    }
    return { ...turn, secondChance: { reason, result } };
  }

  async *#withRetries(
    { model, registry, toolChoice, round }: Step,
    messages: readonly Message[],
    retries = this.#policy.modelRetries,
  ): AsyncGenerator<TurnPart, ReadTurn, void> {
    const { environment } = registry;
    for (let attempt = 1; ; attempt += 1) {
      this.calls += 1;
      const request = { messages, tools: registry.definitions(), toolChoice, signal: this.#signal, round };
      const settings = { ...environment, idleMs: this.#policy.modelIdleMs };
      const turn = yield* readTurn(this.#around(model), request, this.#leakReader(registry, messages), settings);
      if (turn.usage !== undefined) this.#onUsage(turn.usage);
      if (attempt > retries || !this.#isFailed(turn)) return turn;
      if (turn.finish !== undefined && !providerError(turn.error).retryable) return turn;
      const message = "The model failed and is retried.";
      logSafely(environment, { level: "warn", event: "model_retry", message, cause: turn.error });
      const delayMs = retryAfterMs(turn.error) ?? backoffMs({ retries: 0 }, attempt, environment.clock);
      await environment.clock.sleep(delayMs, this.#signal);
    }
  }

  #around(model: ModelFunction): ModelFunction {
    const { hooks } = this.#options.registry.environment;
    if (hooks.aroundModel === undefined) return model;
    return (request: ModelRequest) => hooks.aroundModel?.(request, model) ?? model(request);
  }

  /** Whether another attempt is possible, because nothing was shown yet. */
  #isFailed({ finish, hasShown }: ReadTurn): boolean {
    if (this.#signal.aborted || hasShown || (finish !== undefined && finish !== "error")) return false;
    return this.callsLeft > 0;
  }

  #leakReader(registry: ToolRegistry, messages: readonly Message[]): LeakReader {
    const { recover = true } = this.#options;
    const { newId } = registry.environment;
    const message = "Leaked calls cannot be extracted.";
    const warn = (cause: unknown): void =>
      logSafely(registry.environment, { level: "warn", event: "leak_reader", message, cause });
    // Without tools, all text is text.
    if (recover === false || registry.tools.size === 0) return new LeakReader(false, warn);
    const tools = registry.definitions();
    return new LeakReader(
      {
        ...(recover === true ? {} : recover),
        tools: tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
        newId,
      },
      warn,
      messages,
    );
  }
}

const MAX_SECOND_CHANCES = 5;

/** Yields the text of a turn, and keeps its other parts. */
async function* textOnly(
  turn: AsyncGenerator<TurnPart, ReadTurn, void>,
  held: TurnPart[],
): AsyncGenerator<TurnPart, ReadTurn, void> {
  try {
    let next = await turn.next();
    for (; next.done !== true; next = await turn.next()) {
      if (next.value.kind === "text") yield next.value;
      else held.push(next.value);
    }
    return next.value;
  } finally {
    // Only closes the generator: no caller receives the value.
    await turn.return(undefined as never);
  }
}

async function readAll(turn: AsyncGenerator<TurnPart, ReadTurn, void>, parts: TurnPart[]): Promise<ReadTurn> {
  let next = await turn.next();
  for (; next.done !== true; next = await turn.next()) parts.push(next.value);
  return next.value;
}

/** Several models reject a request that ends with an assistant message, which dropped calls can leave behind. */
function endWithUser(messages: readonly Message[]): readonly Message[] {
  return messages.at(-1)?.role === "assistant" ? [...messages, ...noteMessages(["Continue."])] : messages;
}

/** Removes fields meant only for the page. */
function forModel({ dropped: _, shown: __, ...message }: Message): Message {
  return message;
}
