import type { Hasher } from "../../core/model/call-key.ts";
import { present } from "../../core/model/narrow.ts";
import { classifyWorkflow } from "../../core/score/workflow/classify-workflow.ts";
import type { Workflow } from "../../core/score/workflow/workflow.ts";
import { type HistoryPrompt, promptText } from "../../core/wire/index.ts";
import type { BodyText } from "../body/body-text.ts";

/** Identifies the user message that a call works on, without its text. */
export interface PromptRef {
  /** Position of the message and a salted hash of its text. The same in every request of the conversation. */
  readonly prompt: string;
  readonly workflow: Workflow;
}

/** The number of user messages in a conversation, and the last one. */
export interface PromptPosition {
  readonly count: number;
  readonly last?: PromptRef;
}

/** Enough to distinguish two messages. */
const MAX_HASHED_CHARS = 4096;

/** Caches the workflow of each user message, because clients resend it with every request. */
export class PromptCache {
  readonly #workflows = new Map<string, Workflow>();
  readonly #hash: Hasher;
  readonly #limit: number;

  constructor(hash: Hasher, limit = 5000) {
    this.#hash = hash;
    this.#limit = limit;
  }

  /** `ordinal` is the number of user messages before it. */
  refFor(ordinal: number, text: string): PromptRef {
    const prompt = `${ordinal}-${this.#hash(`prompt\u0000${text.length}\u0000${text.slice(0, MAX_HASHED_CHARS)}`).slice(0, 12)}`;
    let workflow = this.#workflows.get(prompt);
    if (workflow === undefined) {
      workflow = classifyWorkflow(text).workflow;
      this.#workflows.set(prompt, workflow);
      if (this.#workflows.size > this.#limit) this.#workflows.delete(present(this.#workflows.keys().next().value));
    }
    return { prompt, workflow };
  }
}

/**
 * Finds the user message that each call of a request works on: the last one before the call. Messages are read on
 * demand.
 */
export class RequestPrompts {
  readonly #prompts: readonly HistoryPrompt[];
  readonly #restore: BodyText["restore"];
  readonly #cache: PromptCache;
  readonly #before: PromptPosition;
  readonly #refs = new Map<number, PromptRef>();

  /** `before` is the position in the stored conversation, which the request does not repeat. */
  constructor(
    prompts: readonly HistoryPrompt[],
    restore: BodyText["restore"],
    cache: PromptCache,
    before: PromptPosition = { count: 0 },
  ) {
    this.#prompts = prompts;
    this.#restore = restore;
    this.#cache = cache;
    this.#before = before;
  }

  /** Returns the prompt of the call with this index in the history. */
  ofCall(index: number): PromptRef | undefined {
    return this.#at(this.#prompts.findLastIndex(({ calls }) => calls <= index));
  }

  /** Returns the position of the calls that the response will make. */
  last(): PromptPosition {
    const last = this.#at(this.#prompts.length - 1);
    return { count: this.#before.count + this.#prompts.length, ...(last !== undefined && { last }) };
  }

  /** Returns the text of the last prompt; undefined if the request has no prompt. */
  lastWords(): string | undefined {
    const prompt = this.#prompts.at(-1);
    return prompt === undefined ? undefined : this.#restore(promptText(prompt.content));
  }

  #at(index: number): PromptRef | undefined {
    const prompt = this.#prompts[index];
    if (prompt === undefined) return this.#before.last;
    const known = this.#refs.get(index);
    if (known !== undefined) return known;
    const ref = this.#cache.refFor(this.#before.count + index, this.#restore(promptText(prompt.content)));
    this.#refs.set(index, ref);
    return ref;
  }
}
