import { messageOf } from "../../core/model/errors.ts";
import type { Observation } from "../../core/model/observation.ts";

export interface ObservationBatcherOptions {
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  /** Called if an exchange cannot be observed, or a batch cannot be recorded. */
  readonly onProblem: (reason: string) => void;
  /** Reports the exception behind a problem. */
  readonly onFailure?: (error: unknown) => void;
  /** Maximum delay of a batch. */
  readonly waitMs?: number;
}

interface Entry {
  readonly observe: () => readonly Observation[];
  readonly onAcknowledged: (() => void) | undefined;
}

/** Together with the 10 ms of the journal, this stays within the 20 ms allowed for acknowledgement. */
const WAIT_MS = 10;
/** Upper bound when the event loop lags. */
const MAX_BATCH_EXCHANGES = 64;

/**
 * Classifies and records several exchanges in one batch. Classification runs a lot of code, and costs half as much
 * while that code is in the CPU caches. The queue contains only the new parts of each request.
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

  /** Hands everything queued to the recorder. */
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
        this.#options.onProblem(`recording: ${messageOf(error)}`);
      }
    }
    if (observations.length === 0) return;
    this.#options.record(observations).then(
      (acknowledged) => {
        if (acknowledged > 0) for (const { onAcknowledged } of observed) onAcknowledged?.();
      },
      (error: unknown) => this.#options.onProblem(`recording: ${messageOf(error)}`),
    );
  }
}
