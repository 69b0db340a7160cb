import { toError } from "../../core/model/errors.ts";
import { dropUnreadable } from "../../hook/spool.ts";
import { addRemoved, NOTHING_REMOVED, type SessionKey, sessionHash } from "../../store/deletions.ts";
import type { Deletion, Removed, Store } from "../../store/port.ts";
import type { DataFolder } from "../data-folder.ts";
import type { EventFeed } from "../event-feed.ts";
import { ImportCheckpoints } from "../import/import-checkpoints.ts";
import type { Recorder } from "../recorder.ts";
import type { Deleted, DeletionProgress } from "./deletion-report.ts";
import { removeDrafts } from "./drop-lines.ts";
import { dropEventDays, dropSessionEvents } from "./event-files.ts";
import { isLineOf, isRejectedLineOf } from "./session-lines.ts";

export interface DeleterOptions {
  readonly store: Store;
  readonly recorder: Pick<Recorder, "drain" | "purge" | "dropRejected" | "storeProblem">;
  readonly feed: Pick<EventFeed, "drain" | "whileIdle" | "removePartialLine">;
  readonly folder: DataFolder;
  /** Id of the folder's journal. Under it the store records up to which deletion the folder's files are clean. */
  readonly journal: string;
  readonly now: () => number;
  /** Records everything that was received and is not yet in the journal. */
  readonly settle: () => Promise<void>;
  /** Removes the transcripts of deleted sessions from the list of known transcripts. */
  readonly forgetTranscripts: (isDeleted: (session: SessionKey) => boolean) => void;
}

const DELETION_BATCH_SIZE = 50_000;
/** A deletion that another server has not finished after this time counts as interrupted. */
const INTERRUPTED_AFTER_MS = 60_000;
/** Retention rewrites files for at most 1 % of the time, but at least once a day. */
const CLEANUP_PAUSE_FACTOR = 100;
const MAX_CLEANUP_PAUSE_MS = 24 * 3_600_000;
/** Pause after a failed cleanup, for example on a full disk. */
const RETRY_MS = 3_600_000;

/** Reports that the rows are deleted but a file could not be cleaned. The server retries by itself. */
export class UncleanDeletionError extends Error {
  readonly code = "unclean-deletion";
  constructor(cause: Error) {
    super(
      `The sessions are deleted, but copies of their text may be left: ${cause.message}. The server retries the cleanup at its next start, and every hour while it runs.`,
      { cause },
    );
    this.name = "UncleanDeletionError";
  }
}

/** Deletes sessions from a store and from every file of a data folder, one deletion at a time. */
export class SessionDeleter {
  readonly #options: DeleterOptions;
  #last: Promise<unknown> = Promise.resolve();
  #progress: DeletionProgress | undefined;
  /** Files are not rewritten before this time after sessions were deleted by age. */
  #cleanupPausedUntil = Number.NEGATIVE_INFINITY;
  /** Files are not rewritten before this time after a failure. */
  #retryAt = Number.NEGATIVE_INFINITY;

  constructor(options: DeleterOptions) {
    this.#options = options;
  }

  /** Undefined if no deletion runs. */
  get progress(): DeletionProgress | undefined {
    return this.#progress;
  }

  /** Waits until no deletion runs. */
  async settled(): Promise<void> {
    await this.#last;
  }

  deleteSession(project: string, sessionId: string): Promise<Deleted> {
    return this.#serialize(async () => {
      const { store, now } = this.#options;
      await this.#storeEverything();
      const removed = await store.deleteSession(project, sessionId, now());
      if (removed.sessions > 0) return await this.#clean(removed);
      // An earlier version deleted rows and left the files.
      const event_lines = await this.#dropEvents(new Set([sessionHash({ project, session_id: sessionId })]));
      if (event_lines === 0) return NOTHING_DELETED;
      return { ...(await this.#clean(removed)), event_lines };
    });
  }

  /** Deletes all sessions without activity since `before`. */
  deleteOlder(before: number): Promise<Deleted> {
    return this.#serialize(async () => {
      await this.#storeEverything();
      const removed = await this.#removeOlder(before);
      const event_files = await this.#dropOldFiles(before);
      const isUnclean = (await this.#unclean()).length > 0;
      return { ...(isUnclean ? await this.#clean(removed, before) : deletedOf(removed)), event_files };
    });
  }

  /** Like `deleteOlder`, for retention. Runs every minute: deletes rows each time, but rewrites files only when due. */
  retain(before: number): Promise<Deleted> {
    return this.#serialize(async () => {
      const removed = await this.#removeOlder(before);
      const event_files = await this.#dropOldFiles(before);
      return { ...(await this.#cleanWhenDue(removed, before)), event_files };
    });
  }

  /** Removes old files of a data folder whose sessions another server deletes. */
  retainFiles(before: number): Promise<Deleted> {
    return this.#serialize(async () => ({ ...NOTHING_DELETED, event_files: await this.#dropOldFiles(before) }));
  }

  /** Completes interrupted deletions, and cleans this folder's files after deletions by other servers. */
  resume(): Promise<Deleted> {
    return this.#serialize(async () => {
      await removeDrafts(this.#options.folder.events);
      await removeDrafts(this.#options.folder.journal);
      const { store, now } = this.#options;
      // Another server may still be working on a recent one.
      const removed = await store.finishDeletions(store.shared === undefined ? now() : now() - INTERRUPTED_AFTER_MS);
      return await this.#cleanWhenDue(removed);
    });
  }

  #serialize(work: () => Promise<Omit<Deleted, "took_ms">>): Promise<Deleted> {
    const timed = async (): Promise<Deleted> => {
      const start = performance.now();
      this.#progress = { step: "rows", sessions: 0, calls: 0 };
      try {
        return { ...(await work()), took_ms: Math.round(performance.now() - start) };
      } finally {
        this.#progress = undefined;
      }
    };
    const done = this.#last.then(timed);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Stores what is on its way to the store, so that the deletion covers it. */
  async #storeEverything(): Promise<void> {
    const { recorder, settle } = this.#options;
    await settle();
    await recorder.drain();
    if (recorder.storeProblem !== undefined)
      throw new Error(`Nothing was deleted, because the store is unavailable: ${recorder.storeProblem}.`);
  }

  #removeOlder(before: number): Promise<Removed> {
    const { store, now } = this.#options;
    return removeOlder(store, before, now, ({ sessions, calls }) => {
      this.#progress = { step: "rows", sessions, calls };
    });
  }

  async #cleanWhenDue(removed: Removed, before?: number): Promise<Omit<Deleted, "took_ms">> {
    const now = this.#options.now();
    const unclean = now < this.#retryAt ? [] : await this.#unclean();
    // A session that a user deleted does not wait.
    const isDue =
      unclean.length > 0 && (now >= this.#cleanupPausedUntil || unclean.some(({ keepsSums }) => !keepsSums));
    return isDue ? await this.#clean(removed, before) : deletedOf(removed);
  }

  async #unclean(): Promise<readonly Deletion[]> {
    return await this.#options.store.deletions(this.#options.journal, DELETION_BATCH_SIZE);
  }

  /** Removes files and lines by age alone; returns the number of event files. */
  async #dropOldFiles(before: number): Promise<number> {
    const { recorder, folder } = this.#options;
    await recorder.dropRejected(isRejectedLineOf(new Set(), before));
    await dropUnreadable(folder.spool, before);
    return await dropEventDays(folder.events, before);
  }

  /** Cleans everything except the rows. */
  async #clean(removed: Removed, before?: number): Promise<Omit<Deleted, "took_ms">> {
    const { now } = this.#options;
    const start = performance.now();
    const { sessions, calls } = removed;
    try {
      const cleaned = await this.#cleanAll(before, (step) => {
        this.#progress = { step, sessions, calls };
      });
      this.#cleanupPausedUntil =
        now() + Math.min(MAX_CLEANUP_PAUSE_MS, CLEANUP_PAUSE_FACTOR * (performance.now() - start));
      return { ...deletedOf(removed), ...cleaned };
    } catch (error) {
      this.#retryAt = now() + RETRY_MS;
      throw new UncleanDeletionError(toError(error));
    }
  }

  /** Moves the folder's position last, so that a start after a crash repeats all of it. */
  async #cleanAll(
    before: number | undefined,
    onStep: (step: DeletionProgress["step"]) => void,
  ): Promise<Pick<Deleted, "event_lines" | "journal_segments">> {
    const { store, recorder, feed, journal } = this.#options;
    onStep("files");
    // Events that the feed had read before the deletion are in the files after this.
    await feed.drain();
    let event_lines = 0;
    let last: Deletion | undefined;
    for (;;) {
      const deletions = await this.#unclean();
      last = deletions.at(-1) ?? last;
      event_lines += await this.#dropCopies(new Set(deletions.map(({ session }) => session)), before);
      if (last === undefined || deletions.length < DELETION_BATCH_SIZE) break;
      await store.filesCleaned(journal, last.id);
    }
    // Scrubbing syncs the database to disk. Only then can the journal lines go.
    onStep("database");
    await store.scrub();
    onStep("journal");
    const journal_segments = await recorder.purge();
    if (last !== undefined) await store.filesCleaned(journal, last.id);
    return { event_lines, journal_segments };
  }

  /** Removes lines and names of sessions outside the store; returns the number of event lines. */
  async #dropCopies(sessions: ReadonlySet<string>, before: number | undefined): Promise<number> {
    const { recorder, folder, forgetTranscripts } = this.#options;
    const lines = await this.#dropEvents(sessions);
    await recorder.dropRejected(isRejectedLineOf(sessions, before));
    await dropUnreadable(folder.spool, before ?? Number.POSITIVE_INFINITY);
    forgetTranscripts((session) => sessions.has(sessionHash(session)));
    ImportCheckpoints.forget(folder.imports, folder.database, isLineOf(sessions));
    return lines;
  }

  async #dropEvents(sessions: ReadonlySet<string>): Promise<number> {
    return await dropSessionEvents(this.#options.folder.events, sessions, this.#options.feed);
  }
}

const NOTHING_DELETED = {
  deleted: 0,
  calls: 0,
  event_lines: 0,
  event_files: 0,
  journal_segments: 0,
  exported: 0,
} as const satisfies Omit<Deleted, "took_ms">;

function deletedOf({ sessions, calls, exported }: Removed): Omit<Deleted, "took_ms"> {
  return { ...NOTHING_DELETED, deleted: sessions, calls, exported };
}

/** Small, to keep the store responsive. */
const SESSION_BATCH_SIZE = 20;

/** Removes all sessions without activity since `before`, a few at a time. */
export async function removeOlder(
  store: Pick<Store, "deleteBefore">,
  before: number,
  now: () => number,
  onProgress?: (removed: Removed) => void,
): Promise<Removed> {
  let removed = NOTHING_REMOVED;
  for (;;) {
    const batch = await store.deleteBefore(before, SESSION_BATCH_SIZE, now());
    if (batch.sessions === 0) return removed;
    removed = addRemoved(removed, batch);
    onProgress?.(removed);
  }
}
