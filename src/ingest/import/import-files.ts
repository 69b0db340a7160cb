import { messageOf } from "../../core/model/errors.ts";
import type { Observation } from "../../core/model/observation.ts";
import { readTranscript, type TranscriptBatch } from "../../hook/transcripts/read-transcript.ts";
import type { RawTranscriptObservation } from "../../hook/transcripts/transcript-reader.ts";
import type { CallObserver } from "../observe/observe-call.ts";
import type { FoundFile } from "./find-transcripts.ts";
import type { ImportCheckpoints, Plan } from "./import-checkpoints.ts";

export interface ImportOptions {
  readonly observer: CallObserver;
  /** Resolves when the observations are acknowledged; waits while the store is behind. */
  readonly send: (observations: readonly Observation[]) => Promise<void>;
  /** If absent, all files are read from the start. */
  readonly checkpoints?: ImportCheckpoints;
  readonly project: string;
  readonly now: () => number;
  readonly isLive?: (occurredAt: number) => boolean;
  readonly chunkBytes?: number;
  /** Number of observations per batch (default: 4000). Smaller batches leave less to store at the end. */
  readonly batchSize?: number;
  readonly onProgress?: (totals: ImportTotals) => void;
  /** Ends the import early. Checked after each batch of a file, so at least one batch is read. The next one resumes. */
  readonly isOver?: () => boolean;
}

/** Counters of an import. */
export interface ImportTotals {
  readonly files: number;
  /** `files` is the sum of read, unchanged, other (not a transcript) and unreadable. */
  readonly read: number;
  readonly unchanged: number;
  readonly other: number;
  readonly unreadable: number;
  /** Files among `read` and `other` that {@link ImportOptions.isOver} cut off. */
  readonly partial: number;
  /** Bytes that were read or skipped as unchanged. */
  readonly bytes: number;
  readonly lines: number;
  readonly calls: number;
  readonly results: number;
  readonly failed: number;
  readonly prompts: number;
  readonly broken: number;
  readonly unfinished: number;
  /** The first 10 problems. */
  readonly problems: readonly ImportProblem[];
}

export interface ImportProblem {
  readonly path: string;
  readonly line?: number;
  readonly reason: string;
}

type Totals = { -readonly [K in keyof ImportTotals]: ImportTotals[K] } & { problems: ImportProblem[] };

const MAX_PROBLEMS = 10;
const MAX_UNKNOWN_FILES = 3;
const BATCH_SIZE = 4000;
const SAVE_INTERVAL_MS = 5000;

/** Imports files, each from its checkpoint. Unreadable files and lines are reported and skipped. */
export class TranscriptImport {
  readonly #options: ImportOptions;
  readonly #totals: Totals = {
    files: 0,
    read: 0,
    unchanged: 0,
    other: 0,
    unreadable: 0,
    partial: 0,
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
  /** Checkpoint updates to run once the pending observations are acknowledged. */
  #pendingCheckpoints: (() => Promise<void>)[] = [];
  #savedAt: number;
  /** When databases last changed, as far as they were read by this object. */
  readonly #databaseTimes = new Map<string, number>();

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

  /** Like {@link importAll}, but saves checkpoints only every 5 seconds, for callers that import repeatedly. */
  async importFiles(files: readonly FoundFile[]): Promise<void> {
    try {
      for (const file of files) {
        await this.#importFile(file);
        if (this.#isOver()) break;
        if (this.#options.now() - this.#savedAt < SAVE_INTERVAL_MS) continue;
        await this.#flush();
        this.save();
      }
      await this.#flush();
    } catch (error) {
      // Keep the checkpoints of what was acknowledged so far.
      this.save();
      throw error instanceof SendError ? error.cause : error;
    }
  }

  /** Saves the checkpoints. */
  save(): void {
    this.#options.checkpoints?.save();
    this.#savedAt = this.#options.now();
  }

  #isOver(): boolean {
    return this.#options.isOver?.() === true;
  }

  async #importFile(file: FoundFile): Promise<void> {
    this.#totals.files += 1;
    try {
      const plan = (await this.#options.checkpoints?.plan(file)) ?? { kind: "new" };
      if (plan.kind === "unchanged") {
        this.#totals.unchanged += 1;
        this.#totals.bytes += file.size;
      } else if (plan.kind === "other") {
        this.#totals.other += 1;
        this.#totals.bytes += file.size;
        this.#reportUnknown(file.path);
      } else await this.#read(file, plan);
    } catch (error) {
      if (error instanceof SendError) throw error;
      this.#totals.unreadable += 1;
      this.#problem({ path: file.path, reason: messageOf(error) });
    }
    this.#options.onProgress?.(this.#totals);
  }

  /** Sends the pending observations, then updates the checkpoints of their files. */
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

  async #read(file: FoundFile, plan: Exclude<Plan, { readonly kind: "unchanged" | "other" }>): Promise<void> {
    const { project, now, isLive = () => false, checkpoints, chunkBytes, batchSize = BATCH_SIZE } = this.#options;
    const context = { project, seenAt: now(), isLive };
    const from = plan.kind === "grown" ? plan.from : undefined;
    let last: TranscriptBatch | undefined;
    let changedAt: number | undefined;
    const since = this.#databaseTimes.get(file.path);
    const onChangedAt = (time: number): void => {
      changedAt = time;
    };
    let isEmpty = true;
    let isPartial = false;
    let bytes = from?.offset ?? 0;
    this.#totals.bytes += bytes;
    for await (const batch of readTranscript({
      path: file.path,
      context,
      from,
      database: { since, onChangedAt },
      ...(chunkBytes !== undefined && { chunkBytes }),
    })) {
      last = batch;
      isEmpty &&= batch.rawObservations.length === 0;
      this.#collect(file, batch);
      if (this.#pending.length >= batchSize) await this.#flush();
      this.#options.onProgress?.(this.#totals);
      bytes += batch.bytes;
      if (bytes >= file.size || !this.#isOver()) continue;
      this.#totals.partial += 1;
      isPartial = true;
      changedAt = undefined;
      break;
    }
    if (last?.unfinished === true) this.#totals.unfinished += 1;
    this.#totals[last?.kind === undefined ? "other" : "read"] += 1;
    if (last?.kind === undefined) this.#reportUnknown(file.path);
    else if (isEmpty && plan.kind === "new" && since === undefined && file.size > 0)
      this.#problem({
        path: file.path,
        reason: `looks like a transcript of ${last.kind}, but contains nothing readable`,
      });
    const checkpoint = last?.checkpoint;
    // Without a checkpoint, a file that was cut off is read again from the start.
    if (isPartial && checkpoint === undefined) return;
    // The size up to which it was read: with its own size, a file that was cut off would count as unchanged.
    const isTranscript = last?.kind !== undefined;
    const state = isPartial ? { ...file, size: checkpoint?.offset ?? 0 } : file;
    // The file may have been deleted since; then no checkpoint is needed.
    this.#pendingCheckpoints.push(async () => {
      if (changedAt !== undefined) this.#databaseTimes.set(file.path, changedAt);
      await checkpoints?.update(state, checkpoint, isTranscript).catch(() => undefined);
    });
  }

  /** Folders of clients contain other files, too: a few are named, and all are counted. */
  #reportUnknown(path: string): void {
    if (this.#totals.other <= MAX_UNKNOWN_FILES) this.#problem({ path, reason: "not a transcript of a known client" });
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
    // Toolmend's event files contain a call twice; do not count the one for its request.
    if (observation.place.kind !== "known" || observation.result !== undefined) this.#totals.calls += 1;
    if (observation.result !== undefined) this.#totals.results += 1;
    if (observation.result?.outcome.status === "failed") this.#totals.failed += 1;
    return observation;
  }

  #problem(problem: ImportProblem): void {
    if (this.#totals.problems.length < MAX_PROBLEMS) this.#totals.problems.push(problem);
  }
}

/** Distinguishes an unavailable store from an unreadable file. */
class SendError extends Error {
  readonly code = "send";
  constructor(cause: unknown) {
    super("could not send observations", { cause });
    this.name = "SendError";
  }
}
