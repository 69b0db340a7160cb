import { contextTexts } from "../../core/repair/context-texts.ts";
import { repairHistory } from "../history/repair-history.ts";
import type { Message } from "../model/message.ts";
import { backoffMs } from "../policy/backoff.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import { logQuietly } from "../registry/hooks.ts";
import { providerError } from "../sanitize/provider-error.ts";
import { LeakReader } from "./leak-reader.ts";
import type { LoopOptions } from "./options.ts";
import { type ReadTurn, readTurn } from "./read-turn.ts";

/** Asks the model, and counts how often. */
export class ModelAsker {
  readonly #options: LoopOptions;
  readonly #policy: FailurePolicy;
  readonly #signal: AbortSignal;
  calls = 0;

  constructor(options: LoopOptions, policy: FailurePolicy, signal: AbortSignal) {
    this.#options = options;
    this.#policy = policy;
    this.#signal = signal;
  }

  /** One question is kept back for the last answer. */
  get questionsLeft(): number {
    const kept = this.#policy.onLimit === "final-answer" ? 1 : 0;
    return this.#policy.maxModelCalls - kept - this.calls;
  }

  /** Asks, and asks again where the provider failed before it said anything. Gives text out while it comes. */
  async *ask(
    history: readonly Message[],
    toolChoice: "auto" | "none",
    round: number,
  ): AsyncGenerator<string, ReadTurn, void> {
    const { registry, model } = this.#options;
    const { environment } = registry;
    const isDeclared = (name: string): boolean => registry.find(name) !== undefined;
    const { messages } = repairHistory(history.map(forModel), { isDeclared });
    for (let attempt = 1; ; attempt += 1) {
      this.calls += 1;
      const request = { messages, tools: registry.definitions(), toolChoice, signal: this.#signal, round };
      const settings = { ...environment, idleMs: this.#policy.modelIdleMs };
      const turn = yield* readTurn(model, request, this.#leakReader(messages), settings);
      if (!this.#isWorthAsking(turn, attempt)) return turn;
      const message = "The model failed and is asked again.";
      logQuietly(environment.hooks, { level: "warn", event: "model_retry", message, cause: turn.error });
      await environment.clock.sleep(backoffMs({ retries: 0 }, attempt, environment.clock), this.#signal);
    }
  }

  #isWorthAsking({ finish, hasShown, error }: ReadTurn, attempt: number): boolean {
    if (this.#signal.aborted || hasShown || (finish !== undefined && finish !== "error")) return false;
    if (attempt > this.#policy.modelRetries || this.questionsLeft <= 0) return false;
    return finish === undefined || providerError(error).retryable;
  }

  #leakReader(messages: readonly Message[]): LeakReader {
    const { recover = true, registry } = this.#options;
    const { hooks, newId } = registry.environment;
    const message = "Leaked calls cannot be looked for.";
    const warn = (cause: unknown): void => logQuietly(hooks, { level: "warn", event: "leak_reader", message, cause });
    // Where there is nothing to call, text is text.
    if (recover === false || registry.tools.size === 0) return new LeakReader(false, warn);
    const tools = registry.definitions();
    const given = messages.map(({ role, content }) => ({ role, content }));
    return new LeakReader(
      {
        ...(recover === true ? {} : recover),
        tools: tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
        context: contextTexts("chat", { messages: given }, Number.POSITIVE_INFINITY) ?? [],
        newId,
      },
      warn,
    );
  }
}

/** Without what is kept for the page. */
function forModel({ dropped: _, shown: __, ...message }: Message): Message {
  return message;
}
