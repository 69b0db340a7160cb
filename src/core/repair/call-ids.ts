import type { Api, RepairOptions } from "./types.ts";

const VALID: Readonly<Record<Api, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  // Some servers write `functions.name:0` and read the number back: it is an id like any other.
  chat: /^[a-zA-Z0-9_.:-]{1,40}$/,
  responses: /^[a-zA-Z0-9_-]{1,64}$/,
};
const SHORT = /^[a-zA-Z0-9]{9}$/;

/** Starts the ids that the scanner asks for: they only say that the model wrote none. */
export const NO_ID = "\u0000";

/** Gives calls ids that the API takes back, the model's own where it wrote one that can stand. */
export class CallIds {
  readonly #api: Api;
  readonly #options: RepairOptions;
  readonly #given = new Set<string>();

  constructor(api: Api, options: RepairOptions) {
    this.#api = api;
    this.#options = options;
  }

  idFor(written: string): string {
    const id = this.#canStand(written) ? written : this.#newId();
    this.#given.add(id);
    return id;
  }

  #canStand(id: string): boolean {
    // A call that is put back later is found by its id alone: it must be nobody else's.
    if (this.#options.canStoreCall !== undefined) return false;
    if (id.startsWith(NO_ID) || this.#given.has(id) || this.#options.usedIds?.().has(id) === true) return false;
    return this.#isShort ? SHORT.test(id) : VALID[this.#api].test(id) && id.length > 2;
  }

  get #isShort(): boolean {
    return this.#api === "chat" && this.#options.shortIds?.() === true;
  }

  #newId(): string {
    const { randomAlphanumeric: letters } = this.#options;
    if (this.#isShort) return letters(9);
    return this.#api === "anthropic" ? `toolu_01${letters(22)}` : `call_${letters(24)}`;
  }
}
