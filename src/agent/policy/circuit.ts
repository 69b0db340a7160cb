export interface CircuitOptions {
  /** Consecutive failures that open the circuit. */
  readonly failures: number;
  /** Time until one call is let through as a trial. */
  readonly cooldownMs: number;
}

/** Circuit breaker: closed, open, or half open with one trial call. */
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

  /** Whether a call may be made. Call it once per call: half open, it lets only the first one through. */
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

  /** The call ended in a way that does not concern the tool. */
  left(): void {
    this.#isTrying = false;
  }
}
