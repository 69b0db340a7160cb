import { type HistoryPrompt, promptText } from "../../core/wire/index.ts";
import type { BodyText } from "../body/body-text.ts";
import type { Asked, PromptMemory } from "./prompt-memory.ts";

/** Where a conversation stands: how many messages of people it has, and the last one. */
export interface AskedSoFar {
  readonly count: number;
  readonly last?: Asked;
}

/** Which message of a person each call of one request works on: the last one before it. Reads only those that are asked for. */
export class RequestPrompts {
  readonly #prompts: readonly HistoryPrompt[];
  readonly #restore: BodyText["restore"];
  readonly #memory: PromptMemory;
  readonly #before: AskedSoFar;
  readonly #read = new Map<number, Asked>();

  /** `before`: what the provider holds and the request therefore does not say again. */
  constructor(
    prompts: readonly HistoryPrompt[],
    restore: BodyText["restore"],
    memory: PromptMemory,
    before: AskedSoFar = { count: 0 },
  ) {
    this.#prompts = prompts;
    this.#restore = restore;
    this.#memory = memory;
    this.#before = before;
  }

  /** Of the history's call with this index. */
  ofCall(index: number): Asked | undefined {
    return this.#at(this.#prompts.findLastIndex(({ calls }) => calls <= index));
  }

  /** Of whatever the answer calls. */
  last(): AskedSoFar {
    const last = this.#at(this.#prompts.length - 1);
    return { count: this.#before.count + this.#prompts.length, ...(last !== undefined && { last }) };
  }

  #at(index: number): Asked | undefined {
    const prompt = this.#prompts[index];
    if (prompt === undefined) return this.#before.last;
    const known = this.#read.get(index);
    if (known !== undefined) return known;
    const asked = this.#memory.asked(this.#before.count + index, this.#restore(promptText(prompt.content)));
    this.#read.set(index, asked);
    return asked;
  }
}
