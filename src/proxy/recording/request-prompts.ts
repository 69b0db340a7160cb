import { type HistoryPrompt, promptText } from "../../core/wire/index.ts";
import type { BodyText } from "../body/body-text.ts";
import type { PromptCache, PromptPosition, PromptRef } from "./prompt-cache.ts";

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
