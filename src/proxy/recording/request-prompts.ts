import { type HistoryPrompt, promptText } from "../../core/wire/index.ts";
import type { BodyText } from "../body/body-text.ts";
import type { PromptCache, PromptRef } from "./prompt-cache.ts";

/** Where a conversation stands: how many messages of people it has, and the last one. */
export interface PromptPosition {
  readonly count: number;
  readonly last?: PromptRef;
}

/** Which message of a person each call of one request works on: the last one before it. Reads only those that are asked for. */
export class RequestPrompts {
  readonly #prompts: readonly HistoryPrompt[];
  readonly #restore: BodyText["restore"];
  readonly #cache: PromptCache;
  readonly #before: PromptPosition;
  readonly #refs = new Map<number, PromptRef>();

  /** `before`: what the provider holds and the request therefore does not say again. */
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

  /** Of the history's call with this index. */
  ofCall(index: number): PromptRef | undefined {
    return this.#at(this.#prompts.findLastIndex(({ calls }) => calls <= index));
  }

  /** Of whatever the answer calls. */
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
