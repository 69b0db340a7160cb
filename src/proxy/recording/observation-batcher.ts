import type { Observation } from "../../core/model/observation.ts";

export interface ObservationBatcherOptions {
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  /** Something of one exchange could not be observed, or nothing could be recorded. */
  readonly onProblem: (reason: string) => void;
  /** Reports the exception behind a problem. */
  readonly onFailure?: (error: unknown) => void;
  /** How long what is told waits for more, in ms. */
  readonly waitMs?: number;
}

interface Entry {
  readonly observe: () => readonly Observation[];
  readonly onAcknowledged: (() => void) | undefined;
}

/** With the journal's own 10 ms, within the 20 that acknowledging may take. */
const WAIT_MS = 10;
/** A loop that is late must not gather without end. */
const MAX_BATCH_EXCHANGES = 64;

/**
 * Observes and records what several exchanges told in one go: judging runs through a lot of code, and costs half as much while that is still
 * in the processor's caches. What waits is what is new in a request, not the request.
 */
export class ObservationBatcher {
  readonly #options: ObservationBatcherOptions;
  #queue: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ObservationBatcherOptions) {
    this.#options = options;
  }

  add(observe: () => readonly Observation[], onAcknowledged?: () => void): void {
    this.#queue.push({ observe, onAcknowledged });
    if (this.#queue.length >= MAX_BATCH_EXCHANGES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), this.#options.waitMs ?? WAIT_MS);
  }

  /** Nothing waits any longer: everything told so far has been handed to the recorder. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const queue = this.#queue;
    this.#queue = [];
    const observations: Observation[] = [];
    const observed: Entry[] = [];
    for (const entry of queue) {
      try {
        for (const observation of entry.observe()) observations.push(observation);
        observed.push(entry);
      } catch (error) {
        this.#options.onFailure?.(error);
        this.#options.onProblem(`recording: ${(error as Error).message}`);
      }
    }
    if (observations.length === 0) return;
    this.#options.record(observations).then(
      (acknowledged) => {
        if (acknowledged > 0) for (const { onAcknowledged } of observed) onAcknowledged?.();
      },
      (error: unknown) => this.#options.onProblem(`recording: ${(error as Error).message}`),
    );
  }
}
