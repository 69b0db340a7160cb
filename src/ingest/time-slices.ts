const SLICE_MS = 1;

/**
 * Limits background work to one time slice per turn of the event loop, so that it does not delay traffic. Tasks that
 * share an instance take turns in order.
 */
export class TimeSlices {
  readonly #sliceMs: number;
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #began = 0;

  constructor(sliceMs: number = SLICE_MS, now: () => number = () => performance.now()) {
    this.#sliceMs = sliceMs;
    this.#now = now;
  }

  /** Whether the slice is used up; then the task must await `next`. */
  get isOver(): boolean {
    return this.#now() - this.#began >= this.#sliceMs;
  }

  /** Resolves when the task's next slice starts, after pending I/O was handled. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#begin());
    });
  }

  #begin(): void {
    const [resolve] = this.#waiting;
    this.#began = this.#now();
    resolve?.();
    // Removed only now: a task that calls `next` meanwhile must not start in the same turn.
    setImmediate(() => {
      this.#waiting.shift();
      if (this.#waiting.length > 0) this.#begin();
    });
  }
}
