import type { LoopEvent, LoopResult } from "./events.ts";

/** The source of a run's events. */
export interface RunSource {
  run(): AsyncGenerator<LoopEvent, LoopResult, void>;
  /** Aborts everything that still runs; the run then ends by itself. */
  leave(): void;
  /** Releases resources. */
  close(): void;
}

/**
 * The events of a run. Leaving it aborts the run immediately, unlike a plain generator, whose `return` waits for a
 * pending `next`. The run is then read to its end, so that every open call gets a result that can be stored.
 */
export class LeavableRun implements AsyncGenerator<LoopEvent, LoopResult, void> {
  readonly #start: () => RunSource;
  #source: RunSource | undefined;
  #events: AsyncGenerator<LoopEvent, LoopResult | undefined, void> | undefined;
  #isRead = false;

  constructor(start: () => RunSource) {
    this.#start = start;
  }

  next(): Promise<IteratorResult<LoopEvent, LoopResult>> {
    if (this.#events === undefined) {
      this.#source = this.#start();
      this.#events = closing(this.#source);
    }
    // A finished generator has no value, which its type cannot express.
    return this.#events.next() as Promise<IteratorResult<LoopEvent, LoopResult>>;
  }

  async return(value: LoopResult | PromiseLike<LoopResult>): Promise<IteratorResult<LoopEvent, LoopResult>> {
    await this.#leave();
    return { done: true, value: await value };
  }

  async throw(error: unknown): Promise<IteratorResult<LoopEvent, LoopResult>> {
    await this.#leave();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    if (this.#isRead) {
      throw new Error("This run was already read. Use createRunLog() to read the events of a run more than once.");
    }
    this.#isRead = true;
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave();
  }

  async #leave(): Promise<void> {
    this.#source?.leave();
    this.#events ??= ended();
    try {
      while ((await this.#events.next()).done !== true);
    } catch {
      // The reader is gone, and the run has logged its error.
    }
  }
}

async function* closing(source: RunSource): AsyncGenerator<LoopEvent, LoopResult, void> {
  try {
    return yield* source.run();
  } finally {
    source.close();
  }
}

async function* ended(): AsyncGenerator<LoopEvent, undefined, void> {}
