/** Counts exchanges that are still being read. Reading may end after the client has received its response. */
export class OpenExchanges {
  #open = 0;
  #waiting: (() => void)[] = [];

  /** Returns a callback to call once, when the exchange has been reported. */
  begin(): () => void {
    this.#open += 1;
    return () => {
      this.#open -= 1;
      if (this.#open === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    };
  }

  /** Waits until no exchange is open. */
  async settled(): Promise<void> {
    if (this.#open > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
