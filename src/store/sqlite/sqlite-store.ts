import { setImmediate as letOthersWork } from "node:timers/promises";
import type { CallRecord } from "../../core/model/call-record.ts";
import { callChangesOf, changedThreads, changesOf } from "../../core/model/changes.ts";
import { foldObservations, sessionKeyText, settledRecords } from "../../core/model/fold.ts";
import type { Observation } from "../../core/model/observation.ts";
import { countedCalls } from "../counted-call.ts";
import { addRemoved, NOTHING_REMOVED, withoutDeleted } from "../deletions.ts";
import { hashText } from "../hash-text.ts";
import { countedLeaks } from "../leak-rows.ts";
import { outboxEntries } from "../outbox-entries.ts";
import type {
  Applied,
  BackfillQuery,
  Backlog,
  Batch,
  Deletion,
  Filled,
  IdleSession,
  OutboxRow,
  Removed,
  SentRow,
  Store,
} from "../port.ts";
import { readLines } from "../read-lines.ts";
import { idleCalls, idleSessions } from "../sql/repair-queries.ts";
import { Database } from "./database.ts";
import { beginDeletions, deleteSlice, pendingDeletions, sessionsBefore } from "./delete.ts";
import { deletionsFor, deletionTimes, filesCleaned } from "./deletion-rows.ts";
import { lastEvent } from "./last-event.ts";
import { load, loadForkCopies, loadSession } from "./load.ts";
import { migrate } from "./migrate.ts";
import { OpenCalls } from "./open-calls.ts";
import { openForReading } from "./open-for-reading.ts";
import { backfill, backlog, claimDue, dropExpired, markSent, putEntries } from "./outbox.ts";
import { SqliteReader } from "./read.ts";
import { emptyLog, rewriteDatabase } from "./scrub.ts";
import { ThreadTailCache } from "./thread-tail-cache.ts";
import { write } from "./write.ts";

/**
 * Opens the store for writing and migrates its schema. Several processes may do so at the same time; once it is open, a
 * write waits `busyMs` for the others.
 */
export function openSqliteStore(path: string, busyMs = 5000): Store {
  return createSqliteStore(new Database(path), path, busyMs);
}

/** Like {@link openSqliteStore}, for an open connection. */
export function createSqliteStore(db: Database, path: string, busyMs = 5000): Store {
  migrate(db);
  db.exec(`PRAGMA busy_timeout = ${busyMs}`);
  return new SqliteStore(db, path);
}

/** Opens the store read-only, also while other processes write. */
export function openSqliteReader(path: string): SqliteReader {
  return new SqliteReader(openForReading(path));
}

class SqliteStore extends SqliteReader implements Store {
  #targets: readonly string[] = [];
  readonly #tails = new ThreadTailCache();
  readonly #open = new OpenCalls();
  readonly #path: string;
  /** What the current deletion has removed so far. */
  #removed: Removed = NOTHING_REMOVED;
  /** The database was rewritten, but its log is not truncated yet. A retry skips the rewrite. */
  #isRewritten = false;

  constructor(db: Database, path: string) {
    super(db);
    this.#path = path;
  }

  async apply(batch: Batch): Promise<Applied> {
    const { observations: all, rejected } = readLines(batch.lines);
    return this.#transaction(() => {
      if (!this.#tails.begin(this.db)) this.#open.clear();
      this.#finishDeletionsOf(all);
      const loaded = load(this.db, all, this.#open);
      const observations = withoutDeleted(all, deletionTimes(this.db, all), (group) => loaded.groups.has(group));
      const folded = foldObservations(loaded, observations);
      const copies = loadForkCopies(this.db, loaded, settledRecords(folded, loaded));
      for (const { record } of copies) loadSession(this.db, loaded, record.key);
      const calls = callChangesOf(folded, copies, batch.live);
      const links = changedThreads(calls, hashText).flatMap((change) => this.#tails.relinked(this.db, change));
      this.#tails.renew(calls);
      this.#open.renew(folded);
      const changes = changesOf(loaded, folded, calls, links, hashText, batch.thresholds);
      write(this.db, changes);
      if (this.#targets.length > 0) putEntries(this.db, this.#targets, outboxEntries(changes, observations));
      this.#savePosition(batch);
      return {
        observations: all.length,
        refused: all.length - observations.length,
        rejected,
        counted: countedCalls(changes),
        leaks: countedLeaks(changes, batch.live),
        last_event: lastEvent(this.db),
      };
    });
  }

  async appliedPosition(journal: string): Promise<string | undefined> {
    const row = this.db.get("SELECT position FROM journal_positions WHERE journal = ?", journal);
    return row?.position as string | undefined;
  }

  idleCalls(before: number, limit: number): Promise<readonly CallRecord[]> {
    return idleCalls(this.db, before, limit);
  }

  idleSessions(before: number, limit: number): Promise<readonly IdleSession[]> {
    return idleSessions(this.db, before, limit);
  }

  async deleteSession(project: string, sessionId: string, at: number): Promise<Removed> {
    const key = { project, session_id: sessionId };
    return (await this.#delete(() => beginDeletions(this.db, [key], at, false))) ?? NOTHING_REMOVED;
  }

  async deleteBefore(before: number, limit: number, at: number): Promise<Removed> {
    const begin = (): number => beginDeletions(this.db, sessionsBefore(this.db, before, limit), at, true);
    return (await this.#delete(begin)) ?? NOTHING_REMOVED;
  }

  async #delete(begin: () => number): Promise<Removed | undefined> {
    return this.#transaction(begin) === 0 ? undefined : await this.finishDeletions();
  }

  /**
   * Works in slices, between which the store handles other requests. Ignores the age: only one server writes this
   * store.
   */
  async finishDeletions(): Promise<Removed> {
    this.#removed = NOTHING_REMOVED;
    while (this.#transaction(() => this.#deleteSlice(pendingDeletions(this.db)[0]))) await letOthersWork();
    return this.#removed;
  }

  /** New observations of a session that is being deleted start it again, so the deletion is completed first. */
  #finishDeletionsOf(observations: readonly Observation[]): void {
    const pending = pendingDeletions(this.db);
    if (pending.length === 0) return;
    const named = new Set(observations.map(sessionKeyText));
    for (const deletion of pending) {
      if (!named.has(sessionKeyText(deletion))) continue;
      for (let sessions = this.#removed.sessions; this.#removed.sessions === sessions; ) this.#deleteSlice(deletion);
    }
  }

  #deleteSlice(deletion: Parameters<typeof deleteSlice>[1] | undefined): boolean {
    if (deletion === undefined) return false;
    this.#clearCaches();
    this.#isRewritten = false;
    this.#removed = addRemoved(this.#removed, deleteSlice(this.db, deletion));
    return true;
  }

  async scrub(): Promise<void> {
    if (!this.#isRewritten) rewriteDatabase(this.db, this.#path);
    this.#isRewritten = true;
    emptyLog(this.db);
    this.#isRewritten = false;
  }

  async deletions(folder: string, limit: number): Promise<readonly Deletion[]> {
    return deletionsFor(this.db, folder, limit);
  }

  async filesCleaned(folder: string, upTo: number): Promise<void> {
    this.#transaction(() => filesCleaned(this.db, folder, upTo));
  }

  async exportTo(targets: readonly string[]): Promise<void> {
    this.#targets = targets;
  }

  async claimDue(target: string, now: number, leaseUntil: number, limit: number): Promise<readonly OutboxRow[]> {
    return this.db.transaction(() => claimDue(this.db, target, now, leaseUntil, limit));
  }

  async markSent(target: string, sent: readonly SentRow[]): Promise<void> {
    this.db.transaction(() => markSent(this.db, target, sent));
  }

  async dropExpired(target: string, queuedBefore: number): Promise<number> {
    return this.db.transaction(() => dropExpired(this.db, target, queuedBefore));
  }

  async backlog(): Promise<readonly Backlog[]> {
    return backlog(this.db);
  }

  async backfill(target: string, query: BackfillQuery): Promise<Filled> {
    return this.db.transaction(() => backfill(this.db, target, query));
  }

  async cursor(name: string): Promise<number> {
    return Number(this.db.get("SELECT position FROM cursors WHERE name = ?", name)?.position ?? 0);
  }

  async moveCursor(name: string, position: number): Promise<void> {
    this.db.transaction(() => {
      this.db.run(
        "INSERT INTO cursors (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position",
        ...[name, position],
      );
      // The live feed may still need the last ones.
      this.db.run("DELETE FROM changes WHERE id <= (SELECT min(position) FROM cursors) - ?", MAX_STORED_EVENTS);
    });
  }

  /** Clears the caches after a rollback: they contain changes that were not written. */
  #transaction<T>(work: () => T): T {
    try {
      return this.db.transaction(work);
    } catch (error) {
      this.#clearCaches();
      throw error;
    }
  }

  #clearCaches(): void {
    this.#tails.clear();
    this.#open.clear();
  }

  #savePosition({ journal, position }: Batch): void {
    this.db.run(
      "INSERT INTO journal_positions (journal, position) VALUES (?, ?) ON CONFLICT (journal) DO UPDATE SET position = excluded.position",
      ...[journal, position],
    );
  }
}

const MAX_STORED_EVENTS = 1000;
