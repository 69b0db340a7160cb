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

/**
 * Most of the 20 ms allowed for acknowledgement: the longer a batch, the less of it is spent on loading code into the
 * caches. The journal writes what comes from here almost at once.
 */
const WAIT_MS = 16;
/** A batch of this size does not wait longer. */
const MAX_BATCH_EXCHANGES = 160;
/** Beyond this, the queue is recorded immediately, however long it takes. */
const MAX_QUEUED = 4096;
/** Other work gets its turn after this: a resumed session brings hundreds of results in one request. */
const SLICE_MS = 5;

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
    if (this.#queue.length >= MAX_QUEUED) this.flush();
    // Not in this task: one request may add thousands of entries.
    else if (this.#queue.length === MAX_BATCH_EXCHANGES) this.#flushSoon();
    else this.#timer ??= setTimeout(() => this.#flushSlice(), this.#options.waitMs ?? WAIT_MS);
  }

  #flushSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flushSlice(), 0);
  }

  #flushSlice(): void {
    this.#flushUntil(performance.now() + SLICE_MS);
    if (this.#queue.length > 0) this.#flushSoon();
  }

  /** Hands everything queued to the recorder. */
  flush(): void {
    this.#flushUntil(Number.POSITIVE_INFINITY);
  }

  #flushUntil(time: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const queue = this.#queue;
    this.#queue = [];
    const observations: Observation[] = [];
    const observed: Entry[] = [];
    for (const [at, entry] of queue.entries()) {
      if (at > 0 && performance.now() > time) {
        this.#queue = queue.slice(at);
        break;
      }
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
