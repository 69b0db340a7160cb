import type { Hasher } from "../../core/model/call-key.ts";
import { classifyWorkflow } from "../../core/score/workflow/classify-workflow.ts";
import type { Workflow } from "../../core/score/workflow/workflow.ts";

/** What is told of the message that a call works on. Never its text. */
export interface PromptRef {
  /** The same in every request of its conversation: which message of a person it is, and a salted hash of its words. */
  readonly prompt: string;
  readonly workflow: Workflow;
}

/** Enough to tell two messages apart. */
const MAX_HASHED_CHARS = 4096;

/** Remembers what kind of work a message asks for: clients resend it with every request. Only a shortcut, as {@link classifyWorkflow} always says the same. */
export class PromptCache {
  readonly #workflows = new Map<string, Workflow>();
  readonly #hash: Hasher;
  readonly #limit: number;

  constructor(hash: Hasher, limit = 5000) {
    this.#hash = hash;
    this.#limit = limit;
  }

  /** `ordinal`: how many messages of people stood before it. */
  refFor(ordinal: number, text: string): PromptRef {
    const prompt = `${ordinal}-${this.#hash(`prompt\u0000${text.length}\u0000${text.slice(0, MAX_HASHED_CHARS)}`).slice(0, 12)}`;
    let workflow = this.#workflows.get(prompt);
    if (workflow === undefined) {
      workflow = classifyWorkflow(text).workflow;
      this.#workflows.set(prompt, workflow);
      if (this.#workflows.size > this.#limit) this.#workflows.delete(this.#workflows.keys().next().value as string);
    }
    return { prompt, workflow };
  }
}
