import type { Api, RepairOptions } from "./types.ts";

const VALID: Readonly<Record<Api, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  // Some servers write `functions.name:0` and parse the number when the id is returned, so it is accepted as an id.
  chat: /^[a-zA-Z0-9_.:-]{1,40}$/,
  responses: /^[a-zA-Z0-9_-]{1,64}$/,
  gemini: /^[a-zA-Z0-9_.:-]{1,64}$/,
  ollama: /^[a-zA-Z0-9_.:-]{1,64}$/,
};
const SHORT = /^[a-zA-Z0-9]{9}$/;

/** Prefix of the placeholder ids given to the scanner. It marks calls for which the model wrote no id. */
export const NO_ID = "\u0000";

/** Assigns ids that the API accepts. Uses the id the model wrote if it is valid and unique. */
export class CallIds {
  readonly #api: Api;
  readonly #options: RepairOptions;
  readonly #assigned = new Set<string>();

  constructor(api: Api, options: RepairOptions) {
    this.#api = api;
    this.#options = options;
  }

  idFor(written: string): string {
    const id = this.#isUsable(written) ? written : this.#newId();
    this.#assigned.add(id);
    return id;
  }

  #isUsable(id: string): boolean {
    // A call that is inserted later is looked up by its id alone, so the id must be unique across conversations.
    if (this.#options.canStoreCall !== undefined) return false;
    if (id.startsWith(NO_ID) || this.#assigned.has(id) || this.#options.usedIds?.().has(id) === true) return false;
    return this.#isShort ? SHORT.test(id) : VALID[this.#api].test(id) && id.length > 2;
  }

  get #isShort(): boolean {
    return this.#api === "chat" && this.#options.shortIds?.() === true;
  }

  #newId(): string {
    const { randomAlphanumeric } = this.#options;
    if (this.#isShort) return randomAlphanumeric(9);
    return this.#api === "anthropic" ? `toolu_01${randomAlphanumeric(22)}` : `call_${randomAlphanumeric(24)}`;
  }
}
