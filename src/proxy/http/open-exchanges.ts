/** Counts exchanges that are still being read: the client may have its answer before everything it said is told. */
export class OpenExchanges {
  #open = 0;
  #waiting: (() => void)[] = [];

  /** Returns what to call, once, when the exchange is told. */
  begin(): () => void {
    this.#open += 1;
    return () => {
      this.#open -= 1;
      if (this.#open === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    };
  }

  /** Waits until none is open. */
  async settled(): Promise<void> {
    if (this.#open > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
