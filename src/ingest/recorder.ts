import { backoffMs } from "../core/model/backoff.ts";
import { messageOf } from "../core/model/errors.ts";
import type { Observation } from "../core/model/observation.ts";
import type { HealthThresholds } from "../core/score/health.ts";
import type { Applied, Store } from "../store/port.ts";
import { dropLines } from "./deletion/drop-lines.ts";
import type { Chunk, Journal } from "./journal/journal.ts";
import { isBefore, type Position, parsePosition, positionText } from "./journal/journal.ts";
import { LineBuffer } from "./journal/line-buffer.ts";
import { appendToFile } from "./own-file.ts";

export interface RecorderOptions {
  readonly journal: Journal;
  readonly store: Store;
  /** File for lines that the store rejects, with the reason. */
  readonly rejectedFile: string;
  /** Removes API keys from ids before anything is written. */
  readonly redactIds?: (observation: Observation) => Observation;
  /** Thresholds of session health; the defaults if absent. */
  readonly thresholds?: HealthThresholds | undefined;
  /** How long tool names are used for results without their call; default 1 hour. */
  readonly nameTtlMs?: number | undefined;
  /** A batch of this size is applied without further delay. Default: 1 MB. */
  readonly maxBatchBytes?: number;
  readonly random?: () => number;
  /** Returns a problem that the store itself cannot detect, such as a deleted database file. */
  readonly checkStore?: () => string | undefined;
  readonly onApplied?: (applied: Applied) => void;
  readonly onProblem?: (problem: RecorderProblem) => void;
}

export interface RecorderProblem {
  readonly kind: "store" | "journal" | "rejected";
  readonly message: string;
}

/** Counters of observations since the start. */
export interface RecorderTotals {
  readonly acknowledged: number;
  readonly applied: number;
  readonly dropped: number;
  readonly rejected: number;
}

/**
 * Delay before acknowledged observations are applied: one transaction per batch is far cheaper than one per
 * observation.
 */
const BATCH_DELAY_MS = 200;
/**
 * Above this many bytes per delay, batch longer: a call and its result, or several turns of a session, then share
 * one transaction.
 */
const BUSY_BYTES = 128 << 10;
const BUSY_BATCH_DELAY_MS = 1000;
const DEFAULT_MAX_BATCH_BYTES = 1 << 20;
const RETRY = { firstMs: 50, longestMs: 5000 };
const PROBE_INTERVAL_MS = 1000;

/** The only writer of observations: appends them to the journal and applies them to the store in order. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #lines = new LineBuffer();
  readonly #totals = { acknowledged: 0, applied: 0, dropped: 0, rejected: 0 };
  #position: Position | undefined;
  #pumping: Promise<void> | undefined;
  #moreToApply = false;
  #retry: NodeJS.Timeout | undefined;
  #batchTimer: NodeJS.Timeout | undefined;
  /** Bytes acknowledged since the last pump started. */
  #batchBytes = 0;
  /** Consecutive failures of the store. */
  #failures = 0;
  #started = false;
  #closed = false;
  #storeProblem: string | undefined;
  #purging: Promise<number> = Promise.resolve(0);
  #rejecting: Promise<unknown> = Promise.resolve();
  #journalProblem: string | undefined;
  #probe: NodeJS.Timeout | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  get #enough(): number {
    return this.#options.maxBatchBytes ?? DEFAULT_MAX_BATCH_BYTES;
  }

  get totals(): RecorderTotals {
    return this.#totals;
  }

  /** Why the store is unavailable; undefined if it works. */
  get storeProblem(): string | undefined {
    return this.#storeProblem ?? this.#options.checkStore?.();
  }

  /** Why observations are being dropped; undefined if the journal works. */
  get journalProblem(): string | undefined {
    return this.#journalProblem;
  }

  get unappliedBytes(): number {
    return this.#options.journal.unappliedBytes;
  }

  /** Applies the backlog of an earlier process first. If the store is unavailable, retries later. */
  async start(): Promise<void> {
    this.#started = true;
    // Readiness must not wait for the first observation that cannot be written.
    await this.#options.journal.probe().catch((error: unknown) => this.#journalFailed(messageOf(error)));
    await this.#pump();
  }

  async #findPosition(): Promise<Position> {
    const { journal, store } = this.#options;
    const applied = await store.appliedPosition(journal.id);
    const known = applied === undefined ? { segment: 1, offset: 0 } : parsePosition(applied);
    // If segments were deleted by hand, the stored position may lie beyond the end; nothing would be applied from
    // there.
    const position = isBefore(known, journal.start) ? known : journal.start;
    await journal.countBacklog(position);
    return position;
  }

  /**
   * Resolves with the number of acknowledged observations: all, or 0 if the journal failed. `withinMs`: how long the
   * journal may wait for others to write with them.
   */
  async record(observations: readonly Observation[], withinMs?: number): Promise<number> {
    if (observations.length === 0) return 0;
    const { redactIds = (observation) => observation } = this.#options;
    const lines = this.#lines.encode(observations.map((observation) => JSON.stringify(redactIds(observation))));
    try {
      await this.#options.journal.append(lines, withinMs);
    } catch (error) {
      this.#totals.dropped += observations.length;
      this.#journalFailed(messageOf(error));
      return 0;
    }
    this.#journalProblem = undefined;
    this.#totals.acknowledged += observations.length;
    this.#batchBytes += lines.length;
    // While the store is unavailable only the backoff timer retries, so that traffic does not flood it.
    if (this.#retry === undefined) this.#scheduleBatch();
    return observations.length;
  }

  /** Reports the problem once and probes the journal until it works: a server that is not ready may get no traffic. */
  #journalFailed(problem: string): void {
    if (this.#journalProblem === undefined) this.#options.onProblem?.({ kind: "journal", message: problem });
    this.#journalProblem = problem;
    this.#probe ??= setInterval(() => void this.#probeJournal(), PROBE_INTERVAL_MS).unref();
  }

  async #probeJournal(): Promise<void> {
    await this.#options.journal.probe().then(
      () => {
        this.#journalProblem = undefined;
      },
      () => undefined,
    );
    if (this.#journalProblem !== undefined) return;
    clearInterval(this.#probe);
    this.#probe = undefined;
  }

  #scheduleBatch(): void {
    if (this.#batchBytes >= this.#enough && this.#pumping === undefined) void this.#pump();
    else this.#batchTimer ??= setTimeout(() => this.#extendBatch(), BATCH_DELAY_MS);
  }

  #extendBatch(): void {
    if (this.#batchBytes < BUSY_BYTES) void this.#pump();
    else this.#batchTimer = setTimeout(() => void this.#pump(), BUSY_BATCH_DELAY_MS - BATCH_DELAY_MS);
  }

  /** Waits until everything acknowledged so far is stored, or the store fails. */
  async drain(): Promise<void> {
    await this.#store();
    await this.#purging.catch(() => undefined);
  }

  async #store(): Promise<void> {
    await this.#options.journal.flush();
    await this.#pump();
  }

  /**
   * Stores everything acknowledged so far, then removes the journal segments that contain it; returns how many. Fails
   * if the store is unavailable.
   */
  purge(): Promise<number> {
    this.#purging = this.#purging.catch(() => 0).then(() => this.#purge());
    return this.#purging;
  }

  async #purge(): Promise<number> {
    const { journal } = this.#options;
    await journal.startSegment();
    await this.#store();
    if (this.#storeProblem !== undefined || this.#position === undefined)
      throw new Error(`The store is unavailable: ${this.#storeProblem ?? "the recorder has not started"}.`);
    return await journal.removeStored(this.#position);
  }

  /** Removes rejected lines; returns how many. */
  dropRejected(isUnwanted: (line: string) => boolean): Promise<number> {
    return this.#withRejectedFile(() => dropLines(this.#options.rejectedFile, isUnwanted));
  }

  #withRejectedFile<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#rejecting.then(work);
    this.#rejecting = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    await this.drain();
    this.#closed = true;
    await this.#pumping;
    clearInterval(this.#probe);
    await this.#options.journal.close();
  }

  #pump(): Promise<void> {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    this.#batchBytes = 0;
    // Set even while a pump runs: one that is about to end then makes another pass.
    this.#moreToApply = true;
    this.#pumping ??= this.#applyAll().finally(() => {
      this.#pumping = undefined;
    });
    return this.#pumping;
  }

  async #applyAll(): Promise<void> {
    while (!this.#closed && this.#moreToApply && this.#started) {
      this.#moreToApply = false;
      try {
        const problem = this.#options.checkStore?.();
        if (problem !== undefined) throw new Error(problem);
        this.#position ??= await this.#findPosition();
        await this.#applyUntil(this.#options.journal.end);
        this.#failures = 0;
        this.#storeProblem = undefined;
      } catch (error) {
        this.#storeProblem = messageOf(error);
        this.#options.onProblem?.({ kind: "store", message: this.#storeProblem });
        this.#retryLater();
        return;
      }
    }
  }

  /** Applies the journal up to `end`. Lines acknowledged meanwhile are left for the next batch. */
  async #applyUntil(end: Position): Promise<void> {
    while (!this.#closed && this.#position !== undefined && isBefore(this.#position, end)) {
      const chunk = await this.#options.journal.read(this.#position, this.#enough);
      if (chunk === undefined) return;
      await this.#apply(chunk, this.#position);
    }
  }

  /** Schedules a retry with backoff. Meanwhile the journal buffers all traffic. */
  #retryLater(): void {
    if (this.#retry !== undefined) return;
    this.#failures += 1;
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined;
        void this.#pump();
      },
      backoffMs(RETRY, this.#failures, this.#options.random ?? Math.random),
    ).unref();
  }

  async #apply(chunk: Chunk, from: Position): Promise<void> {
    const { journal, store } = this.#options;
    // Compared by the end of the chunk: `from` may still point to the end of an earlier process's segment.
    const live = chunk.next.segment >= journal.start.segment;
    const applied = await store.apply({
      journal: journal.id,
      position: positionText(chunk.next),
      live,
      lines: chunk.lines,
      ...(this.#options.thresholds !== undefined && { thresholds: this.#options.thresholds }),
      ...(this.#options.nameTtlMs !== undefined && { nameTtlMs: this.#options.nameTtlMs }),
    });
    await this.#saveRejected(applied);
    const bytes = chunk.next.segment === from.segment ? chunk.next.offset - from.offset : chunk.next.offset;
    this.#position = chunk.next;
    this.#totals.applied += applied.observations;
    await journal.applied(chunk.next, bytes);
    this.#options.onApplied?.(applied);
    // The store refused lines of a deleted session; they must not stay in the journal either.
    if (applied.refused > 0)
      this.purge().catch((error: unknown) => this.#options.onProblem?.({ kind: "journal", message: messageOf(error) }));
  }

  async #saveRejected({ rejected }: Applied): Promise<void> {
    if (rejected.length === 0) return;
    this.#totals.rejected += rejected.length;
    const at = Date.now();
    const text = rejected.map((one) => `${JSON.stringify({ ...one, at })}\n`).join("");
    await this.#withRejectedFile(() => appendToFile(this.#options.rejectedFile, text)).catch(() => undefined);
    this.#options.onProblem?.({ kind: "rejected", message: `${rejected.length} lines: ${rejected[0]?.reason}` });
  }
}
