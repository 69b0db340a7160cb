import { randomInt } from "node:crypto";
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
  Rejected,
  Removed,
  SentRow,
  Store,
} from "../port.ts";
import { readLines } from "../read-lines.ts";
import { idleCalls, idleSessions } from "../sql/repair-queries.ts";
import { PostgresDatabase, type PostgresOptions, type Queries } from "./database.ts";
import {
  beginDeletions,
  deleteSlice,
  type PendingDeletion,
  pendingDeletions,
  sessionsBefore,
  TOUCHED,
} from "./delete.ts";
import { deletionsFor, filesCleaned, knownDeletions } from "./deletion-rows.ts";
import { isContentProblem, isLostConnection } from "./errors.ts";
import { load, loadForkCopies, loadSessions } from "./load.ts";
import { relinked } from "./load-window.ts";
import { exceedsLockLimit, lockAll, type SessionKey } from "./locks.ts";
import { migrate } from "./migrate.ts";
import { backfill, backlog, claimDue, dropExpired, markSent, putEntries } from "./outbox.ts";
import { lastEvent, PostgresReader } from "./read.ts";
import { PostgresShared } from "./shared.ts";
import { type Committed, ThreadTailCache } from "./thread-tail-cache.ts";
import { write } from "./write.ts";

export interface PostgresStoreOptions extends Pick<PostgresOptions, "connections" | "responseTimeoutMs"> {
  /** Open the store even if the server is unavailable; every call then tries to connect. */
  readonly allowUnavailable?: boolean;
}

/** Opens the store for writing and migrates its schema. Any number of servers may do so at the same time. */
export async function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Promise<PostgresStore> {
  const { allowUnavailable, ...rest } = options;
  const db = new PostgresDatabase(url, { ...rest, prepareSchema: migrate });
  try {
    await db.ready();
  } catch (error) {
    if (allowUnavailable !== true || !isLostConnection(error)) {
      await db.close();
      throw error;
    }
  }
  return new PostgresStore(db);
}

/** Opens the store read-only. */
export function openPostgresReader(url: string): PostgresReader {
  return new PostgresReader(new PostgresDatabase(url, { connections: 2 }));
}

/** Opens the database with its schema, as target of a copy. */
export function openCopyTarget(url: string): { readonly db: PostgresDatabase; readonly shared: PostgresShared } {
  const db = new PostgresDatabase(url, { prepareSchema: migrate });
  return { db, shared: new PostgresShared(db) };
}

const MAX_STORED_EVENTS = 1000;

export class PostgresStore extends PostgresReader implements Store {
  readonly shared: PostgresShared;
  readonly #ends = new ThreadTailCache();
  #targets: readonly string[] = [];

  constructor(db: PostgresDatabase) {
    super(db);
    this.shared = new PostgresShared(db);
  }

  async apply(batch: Batch): Promise<Applied> {
    const { observations, rejected } = readLines(batch.lines);
    const applied = await this.#applyAll(observations, batch, batch);
    this.shared.notifyOthers();
    return { ...applied, rejected: [...rejected, ...applied.rejected] };
  }

  /** Isolates observations that the database cannot store by halving the batch, and returns them as rejected. */
  async #applyAll(observations: readonly Observation[], batch: Batch, position: Batch | undefined): Promise<Applied> {
    try {
      const applied = await this.#applyOnce(observations, batch, position);
      if (applied !== undefined) return applied;
    } catch (error) {
      if (!isContentProblem(error) || observations.length === 0) throw error;
      if (observations.length === 1) {
        const rest = await this.#applyAll([], batch, position);
        return { ...rest, rejected: [toRejected(observations[0] as Observation, error)] };
      }
    }
    return await this.#applyHalves(observations, batch, position);
  }

  /** Saves the position with the second half. Applying the first half twice changes nothing. */
  async #applyHalves(
    observations: readonly Observation[],
    batch: Batch,
    position: Batch | undefined,
  ): Promise<Applied> {
    const middle = Math.ceil(observations.length / 2);
    const first = await this.#applyAll(observations.slice(0, middle), batch, undefined);
    const second = await this.#applyAll(observations.slice(middle), batch, position);
    return {
      observations: first.observations + second.observations,
      refused: first.refused + second.refused,
      rejected: [...first.rejected, ...second.rejected],
      counted: [...first.counted, ...second.counted],
      leaks: [...first.leaks, ...second.leaks],
      last_event: second.last_event,
    };
  }

  /**
   * Applies a batch in one transaction; undefined if it needs too many locks. If another session contains the same
   * call, repeats the transaction with that session locked too.
   */
  async #applyOnce(
    observations: readonly Observation[],
    batch: Batch,
    position: Batch | undefined,
  ): Promise<Applied | undefined> {
    const sessions = new Map<string, SessionKey>(observations.map((one) => [sessionKeyText(one), one]));
    while (!exceedsLockLimit(sessions.values(), observations)) {
      const result = await this.db.transaction((tx) =>
        applyIn(tx, { observations, batch, position, held: sessions, targets: this.#targets, ends: this.#ends }),
      );
      if (!("others" in result)) {
        this.#ends.remember(result.committed);
        return result.applied;
      }
      for (const [text, key] of result.others) sessions.set(text, key);
    }
    return undefined;
  }

  /** See worker.ts. */
  replaceConnection(): void {
    this.db.replaceConnection();
  }

  async appliedPosition(journal: string): Promise<string | undefined> {
    const [row] = await this.db.all("SELECT position FROM journal_positions WHERE journal = ?", journal);
    return row?.position as string | undefined;
  }

  idleCalls(before: number, limit: number): Promise<readonly CallRecord[]> {
    return idleCalls(this.db, before, limit);
  }

  idleSessions(before: number, limit: number): Promise<readonly IdleSession[]> {
    return idleSessions(this.db, before, limit);
  }

  async deleteSession(project: string, sessionId: string, at: number): Promise<Removed> {
    const keys = [{ project, session_id: sessionId }];
    return await this.#delete(await this.db.transaction((tx) => beginDeletions(tx, { keys, at, keepsSums: false })));
  }

  async deleteBefore(before: number, limit: number, at: number): Promise<Removed> {
    const begun = await this.db.transaction(async (tx) => {
      const keys = await sessionsBefore(tx, before, limit);
      return await beginDeletions(tx, { keys, lastBefore: before, at, keepsSums: true });
    });
    return await this.#delete(begun);
  }

  async finishDeletions(begunBefore: number): Promise<Removed> {
    return await this.#delete(await pendingDeletions(this.db, begunBefore));
  }

  /** Uses one transaction per slice, so that other writers never wait long for the aggregates that it locks. */
  async #delete(deletions: readonly PendingDeletion[]): Promise<Removed> {
    let removed = NOTHING_REMOVED;
    for (const deletion of deletions) {
      for (let slice: Removed | undefined = NOTHING_REMOVED; slice?.sessions === 0; ) {
        slice = await this.db.transaction((tx) => deleteSlice(tx, deletion));
        removed = addRemoved(removed, slice ?? NOTHING_REMOVED);
      }
    }
    return removed;
  }

  async scrub(): Promise<void> {
    await this.db.vacuum(TOUCHED);
  }

  deletions(folder: string, limit: number): Promise<readonly Deletion[]> {
    return deletionsFor(this.db, folder, limit);
  }

  filesCleaned(folder: string, upTo: number): Promise<void> {
    return filesCleaned(this.db, folder, upTo);
  }

  async cursor(name: string): Promise<number> {
    const [row] = await this.db.all("SELECT position FROM cursors WHERE name = ?", name);
    return Number(row?.position ?? 0);
  }

  async exportTo(targets: readonly string[]): Promise<void> {
    this.#targets = targets;
  }

  claimDue(target: string, now: number, leaseUntil: number, limit: number): Promise<readonly OutboxRow[]> {
    return this.db.transaction((tx) => claimDue(tx, target, now, leaseUntil, limit));
  }

  markSent(target: string, sent: readonly SentRow[]): Promise<void> {
    return this.db.transaction((tx) => markSent(tx, target, sent));
  }

  dropExpired(target: string, queuedBefore: number): Promise<number> {
    return this.db.transaction((tx) => dropExpired(tx, target, queuedBefore));
  }

  backlog(): Promise<readonly Backlog[]> {
    return backlog(this.db);
  }

  backfill(target: string, query: BackfillQuery): Promise<Filled> {
    return this.db.transaction((tx) => backfill(tx, target, query));
  }

  override async close(): Promise<void> {
    this.shared.close();
    await super.close();
  }

  /** Ignores readers that have not advanced for a week, so that events can be deleted. */
  async moveCursor(name: string, position: number): Promise<void> {
    await this.db.transaction(async (tx) => {
      await tx.all(
        `INSERT INTO cursors (name, position, moved_at) VALUES (?, ?, now())
         ON CONFLICT (name) DO UPDATE SET position = excluded.position, moved_at = excluded.moved_at`,
        ...[name, position],
      );
      await tx.all(
        `DELETE FROM changes WHERE id <= (SELECT min(position) FROM cursors WHERE moved_at > now() - interval '7 days') - ?`,
        MAX_STORED_EVENTS,
      );
    });
  }
}

interface Work {
  readonly observations: readonly Observation[];
  readonly batch: Batch;
  readonly position: Batch | undefined;
  readonly held: ReadonlyMap<string, SessionKey>;
  readonly targets: readonly string[];
  readonly ends: ThreadTailCache;
}

type Worked =
  | { readonly applied: Applied; readonly committed: Committed }
  | { readonly others: ReadonlyMap<string, SessionKey> };

/** Applies a batch within a transaction; or returns further sessions that must be locked. */
async function applyIn(
  tx: Queries,
  { observations: all, batch, position, held, targets, ends }: Work,
): Promise<Worked> {
  // Pipelined: the server reads after it granted the locks.
  const [, atFirst, deletions] = await Promise.all([
    lockAll(tx, held.values(), all),
    load(tx, all),
    knownDeletions(tx, held.values()),
  ]);
  // New observations of a session that is being deleted start it again, so the deletion is completed first.
  for (const pending of deletions.pending) while ((await deleteSlice(tx, pending))?.sessions === 0);
  const loaded = deletions.pending.length === 0 ? atFirst : await load(tx, all);
  const observations = withoutDeleted(all, deletions.times, (group) => loaded.groups.has(group));
  const folded = foldObservations(loaded, observations);
  const copies = await loadForkCopies(tx, loaded, settledRecords(folded, loaded));
  const others = new Map<string, SessionKey>(copies.map(({ record }) => [sessionKeyText(record.key), record.key]));
  for (const text of held.keys()) others.delete(text);
  if (others.size > 0) return { others };
  const unread = copies.map(({ record: { key } }) => key).filter((key) => !loaded.sessions.has(sessionKeyText(key)));
  await loadSessions(
    tx,
    loaded,
    unread.map(({ project, session_id }) => ({ project, session_id })),
  );
  const calls = callChangesOf(folded, copies, batch.live);
  const { links, read } = await relinked(tx, changedThreads(calls, hashText), (thread) =>
    ends.find(thread, loaded.stamps.get(sessionKeyText(thread))),
  );
  const changes = changesOf(loaded, folded, calls, links, hashText, batch.thresholds);
  const stamp = randomInt(2 ** 47);
  const [last] = await Promise.all([
    write(tx, changes, stamp),
    position === undefined ? undefined : keepPosition(tx, position),
    targets.length === 0 ? undefined : putEntries(tx, targets, outboxEntries(changes, observations)),
  ]);
  const applied: Applied = {
    observations: all.length,
    refused: all.length - observations.length,
    rejected: [],
    counted: countedCalls(changes),
    leaks: countedLeaks(changes, batch.live),
    last_event: last ?? (await lastEvent(tx)),
  };
  return { applied, committed: { stamp, stamps: loaded.stamps, read, changes } };
}

async function keepPosition(db: Queries, { journal, position }: Batch): Promise<void> {
  await db.all(
    "INSERT INTO journal_positions (journal, position) VALUES (?, ?) ON CONFLICT (journal) DO UPDATE SET position = excluded.position",
    ...[journal, position],
  );
}

function toRejected(observation: Observation, error: unknown): Rejected {
  return { line: JSON.stringify(observation), reason: `the database cannot hold it: ${(error as Error).message}` };
}
