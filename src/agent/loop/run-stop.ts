import type { Clock } from "../clock.ts";

/** Stops a run: the caller's signal, the deadline, or the end of the run. */
export class RunStop {
  readonly #stop = new AbortController();
  readonly #over = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = (): void => this.#stop.abort(this.#caller?.reason);
  /** The deadline has passed. */
  isLate = false;

  constructor(caller: AbortSignal | undefined, deadlineMs: number | undefined, clock: Clock) {
    this.#caller = caller;
    if (caller?.aborted === true) this.#onAbort();
    caller?.addEventListener("abort", this.#onAbort, { once: true });
    if (deadlineMs === undefined) return;
    clock.sleep(deadlineMs, this.#over.signal).then(() => {
      if (this.#over.signal.aborted) return;
      this.isLate = true;
      this.#stop.abort(new DOMException("The run exceeded its deadline.", "TimeoutError"));
    });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The reader left: everything that still runs is aborted, as by the caller's signal. */
  leave(): void {
    this.#stop.abort(new DOMException("The reader left the run.", "AbortError"));
  }

  close(): void {
    this.#caller?.removeEventListener("abort", this.#onAbort);
    this.#over.abort();
    this.#stop.abort(new DOMException("The run is over.", "AbortError"));
  }
}
