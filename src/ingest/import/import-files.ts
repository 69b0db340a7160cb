import type { Observation } from "../../core/model/observation.ts";
import { readTranscript, type TranscriptBatch } from "../../hook/transcripts/read-transcript.ts";
import type { RawTranscriptObservation } from "../../hook/transcripts/transcript-reader.ts";
import type { CallObserver } from "../observe/observe-call.ts";
import type { FoundFile } from "./find-transcripts.ts";
import type { ImportCheckpoints, Plan } from "./import-checkpoints.ts";

export interface ImportOptions {
  readonly observer: CallObserver;
  /** Takes observations and resolves when they are acknowledged; waits where the store is behind. */
  readonly send: (observations: readonly Observation[]) => Promise<void>;
  /** Without one, everything is read. */
  readonly checkpoints?: ImportCheckpoints;
  readonly project: string;
  readonly now: () => number;
  readonly isLive?: (occurredAt: number) => boolean;
  readonly chunkBytes?: number;
  readonly onProgress?: (totals: ImportTotals) => void;
}

/** What an import did; every figure only grows. */
export interface ImportTotals {
  readonly files: number;
  /** Of those: read, known from an earlier time, no transcripts, and not readable. */
  readonly read: number;
  readonly unchanged: number;
  readonly other: number;
  readonly unreadable: number;
  /** Bytes that were read or need not be. */
  readonly bytes: number;
  readonly lines: number;
  readonly calls: number;
  readonly results: number;
  readonly failed: number;
  readonly prompts: number;
  readonly broken: number;
  readonly unfinished: number;
  /** The first few things that went wrong. */
  readonly problems: readonly ImportProblem[];
}

export interface ImportProblem {
  readonly path: string;
  readonly line?: number;
  readonly reason: string;
}

type Totals = { -readonly [K in keyof ImportTotals]: ImportTotals[K] } & { problems: ImportProblem[] };

const MAX_PROBLEMS = 10;
/** Sent together. */
const BATCH_SIZE = 4000;
const SAVE_INTERVAL_MS = 5000;

/** Reads files into a store, each from where it was left. What cannot be read is told and stops nothing. */
export class TranscriptImport {
  readonly #options: ImportOptions;
  readonly #totals: Totals = {
    files: 0,
    read: 0,
    unchanged: 0,
    other: 0,
    unreadable: 0,
    bytes: 0,
    lines: 0,
    calls: 0,
    results: 0,
    failed: 0,
    prompts: 0,
    broken: 0,
    unfinished: 0,
    problems: [],
  };
  #pending: Observation[] = [];
  /** Files read up to here whose last observations are still held. */
  #pendingCheckpoints: (() => Promise<void>)[] = [];
  #savedAt: number;

  constructor(options: ImportOptions) {
    this.#options = options;
    this.#savedAt = options.now();
  }

  get totals(): ImportTotals {
    return this.#totals;
  }

  async importAll(files: readonly FoundFile[]): Promise<ImportTotals> {
    await this.importFiles(files);
    this.save();
    return this.#totals;
  }

  /** As {@link importAll}, for those who come back soon: how far files were read is written down now and then. */
  async importFiles(files: readonly FoundFile[]): Promise<void> {
    try {
      for (const file of files) {
        await this.#importFile(file);
        if (this.#options.now() - this.#savedAt < SAVE_INTERVAL_MS) continue;
        await this.#flush();
        this.save();
      }
      await this.#flush();
    } catch (error) {
      // What was acknowledged until now need not be read again.
      this.save();
      throw error instanceof SendError ? error.cause : error;
    }
  }

  /** Writes down how far files were read. */
  save(): void {
    this.#options.checkpoints?.save();
    this.#savedAt = this.#options.now();
  }

  async #importFile(file: FoundFile): Promise<void> {
    this.#totals.files += 1;
    try {
      const plan = (await this.#options.checkpoints?.plan(file)) ?? { kind: "new" };
      if (plan.kind === "unchanged") {
        this.#totals.unchanged += 1;
        this.#totals.bytes += file.size;
      } else await this.#read(file, plan);
    } catch (error) {
      if (error instanceof SendError) throw error;
      this.#totals.unreadable += 1;
      this.#problem({ path: file.path, reason: (error as Error).message });
    }
    this.#options.onProgress?.(this.#totals);
  }

  /** Sends what is held, and remembers how far that brings the files. */
  async #flush(): Promise<void> {
    const [pending, pendingCheckpoints] = [this.#pending, this.#pendingCheckpoints];
    this.#pending = [];
    this.#pendingCheckpoints = [];
    if (pending.length > 0) {
      await this.#options.send(pending).catch((cause: unknown) => {
        throw new SendError(cause);
      });
    }
    for (const updateCheckpoint of pendingCheckpoints) await updateCheckpoint();
  }

  async #read(file: FoundFile, plan: Exclude<Plan, { readonly kind: "unchanged" }>): Promise<void> {
    const { project, now, isLive = () => false, checkpoints, chunkBytes } = this.#options;
    const context = { project, seenAt: now(), isLive };
    const from = plan.kind === "grown" ? plan.from : undefined;
    let last: TranscriptBatch | undefined;
    this.#totals.bytes += from?.offset ?? 0;
    for await (const batch of readTranscript({
      path: file.path,
      context,
      from,
      ...(chunkBytes !== undefined && { chunkBytes }),
    })) {
      last = batch;
      this.#collect(file, batch);
      if (this.#pending.length >= BATCH_SIZE) await this.#flush();
      this.#options.onProgress?.(this.#totals);
    }
    if (last?.unfinished === true) this.#totals.unfinished += 1;
    this.#totals[last?.kind === undefined ? "other" : "read"] += 1;
    const checkpoint = last?.checkpoint;
    // The file may be gone by now; then there is nothing to remember.
    this.#pendingCheckpoints.push(async () => await checkpoints?.update(file, checkpoint).catch(() => undefined));
  }

  #collect(file: FoundFile, batch: TranscriptBatch): void {
    this.#totals.bytes += batch.bytes;
    this.#totals.lines += batch.lines;
    for (const raw of batch.rawObservations) this.#pending.push(this.#observe(raw));
    if (batch.kind === undefined) return;
    this.#totals.broken += batch.broken.length;
    for (const { line, reason } of batch.broken) this.#problem({ path: file.path, line, reason });
  }

  #observe(raw: RawTranscriptObservation): Observation {
    const { observer } = this.#options;
    const observation = raw.kind === "call" ? observer.observe(raw.call) : observer.admit(raw.observation);
    if (observation.kind === "prompt") this.#totals.prompts += 1;
    if (observation.kind !== "call") return observation;
    // An event of our own tells a call twice: here when it was asked for.
    if (observation.place.kind !== "known" || observation.result !== undefined) this.#totals.calls += 1;
    if (observation.result !== undefined) this.#totals.results += 1;
    if (observation.result?.outcome.status === "failed") this.#totals.failed += 1;
    return observation;
  }

  #problem(problem: ImportProblem): void {
    if (this.#totals.problems.length < MAX_PROBLEMS) this.#totals.problems.push(problem);
  }
}

/** Tells a store that cannot be reached from a file that cannot be read. */
class SendError extends Error {
  readonly code = "send";
  constructor(cause: unknown) {
    super("observations could not be handed over", { cause });
    this.name = "SendError";
  }
}
