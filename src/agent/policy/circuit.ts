export interface CircuitOptions {
  /** So many failures in a row open it. */
  readonly failures: number;
  /** After so long one call is let through to see. */
  readonly cooldownMs: number;
}

/** Stops calling what keeps failing. Closed, open, or half open: then one call tries. */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #now: () => number;
  #failures = 0;
  #openedAt: number | undefined;
  #isTrying = false;

  constructor(options: CircuitOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  /** May a call be made? Ask once per call: half open, the first who asks is let through. */
  enter(): boolean {
    if (this.#openedAt === undefined) return true;
    if (this.#isTrying || this.#now() - this.#openedAt < this.#options.cooldownMs) return false;
    this.#isTrying = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openedAt = undefined;
    this.#isTrying = false;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#isTrying || this.#failures >= this.#options.failures) this.#openedAt = this.#now();
    this.#isTrying = false;
  }

  /** The call ended in a way that says nothing about the tool. */
  left(): void {
    this.#isTrying = false;
  }
}
