const SLICE_MS = 1;

/**
 * Lets long work share the event loop with traffic: so many milliseconds of it in one turn of the loop, whoever does it. Work that waits is
 * taken in order, one piece in each turn.
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

  /** Is the slice used up? Then `next` must be awaited before any more is done. */
  get isOver(): boolean {
    return this.#now() - this.#began >= this.#sliceMs;
  }

  /** Resolves when a new slice begins, after other events of the loop had their turn. */
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
    // Removed now, not before: whoever asks meanwhile must not begin in the same turn.
    setImmediate(() => {
      this.#waiting.shift();
      if (this.#waiting.length > 0) this.#begin();
    });
  }
}
