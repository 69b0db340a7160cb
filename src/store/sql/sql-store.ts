import { setImmediate as letOthersWork } from "node:timers/promises";
import type { CallRecord } from "../../core/model/call-record.ts";
import { sessionKeyText } from "../../core/model/fold.ts";
import type { Observation } from "../../core/model/observation.ts";
import { addRemoved, NOTHING_REMOVED, type SessionKey } from "../deletions.ts";
import type {
  Applied,
  BackfillQuery,
  Backlog,
  Batch,
  ChosenState,
  Deletion,
  Filled,
  IdleSession,
  OutboxRow,
  Removed,
  SealedCall,
  SentRow,
  Store,
} from "../port.ts";
import { readLines } from "../read-lines.ts";
import { applyBatch, type WriteCaches } from "./apply.ts";
import {
  beginDeletions,
  deleteSlice,
  deletionsFor,
  filesCleaned,
  type PendingDeletion,
  pendingDeletions,
  sessionsBefore,
} from "./delete.ts";
import type { Dialect } from "./dialect.ts";
import type { SqlDriver } from "./driver.ts";
import { setErrorState } from "./error-queries.ts";
import { backfill, backlog, claimDue, dropExpired, markSent } from "./outbox.ts";
import { idleCalls, idleSessions } from "./repair-queries.ts";
import {
  deleteSealedCalls,
  deleteSealedCallsBefore,
  findSealedCalls,
  saveSealedCall,
  sealedCalls,
} from "./sealed-calls.ts";
import { SqlReader } from "./sql-reader.ts";
import { query, type Work } from "./work.ts";

const MAX_STORED_EVENTS = 1000;

/** Everything that writes, with the same statements for both databases. */
export abstract class SqlStore<Db extends SqlDriver> extends SqlReader<Db> implements Store {
  readonly #caches: WriteCaches;
  #targets: readonly string[] = [];

  constructor(db: Db, dialect: Dialect, caches: WriteCaches) {
    super(db, dialect);
    this.#caches = caches;
  }

  /** @param work starts the work; again, if the transaction has to be repeated */
  protected abstract transaction<T>(work: () => Work<T>): Promise<T>;

  abstract scrub(): Promise<void>;

  async apply(batch: Batch): Promise<Applied> {
    const { observations, rejected } = readLines(batch.lines);
    const applied = await this.applyAll(observations, batch, batch);
    return { ...applied, rejected: [...rejected, ...applied.rejected] };
  }

  protected applyAll(
    observations: readonly Observation[],
    batch: Batch,
    position: Batch | undefined,
  ): Promise<Applied> {
    return this.applyWith(new Map(observations.map((one) => [sessionKeyText(one), one])), {
      observations,
      batch,
      position,
    }) as Promise<Applied>;
  }

  /**
   * Applies observations in one transaction. If another session contains one of their calls, repeats it with that
   * session locked too.
   *
   * @param mayLock returns false for too many sessions; then the result is undefined
   */
  protected async applyWith(
    sessions: Map<string, SessionKey>,
    part: {
      readonly observations: readonly Observation[];
      readonly batch: Batch;
      readonly position: Batch | undefined;
    },
    mayLock: (sessions: ReadonlyMap<string, SessionKey>) => boolean = () => true,
  ): Promise<Applied | undefined> {
    while (mayLock(sessions)) {
      const result = await this.transaction(() =>
        applyBatch(this.dialect, { ...part, sessions, targets: this.#targets, caches: this.#caches }),
      );
      if ("applied" in result) {
        result.remember();
        return result.applied;
      }
      for (const [text, key] of result.others) sessions.set(text, key);
    }
    return undefined;
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
    return await this.#delete(
      await this.transaction(() => beginDeletions(this.dialect, { keys, at, keepsSums: false })),
    );
  }

  async deleteBefore(before: number, limit: number, at: number): Promise<Removed> {
    const { dialect } = this;
    const begun = await this.transaction(function* () {
      const keys = yield* sessionsBefore(before, limit);
      return yield* beginDeletions(dialect, { keys, lastBefore: before, at, keepsSums: true });
    });
    return await this.#delete(begun);
  }

  async finishDeletions(begunBefore: number): Promise<Removed> {
    // Without locks, no other server can be working on a recent one.
    const before = this.dialect.lock === undefined ? Number.MAX_SAFE_INTEGER : begunBefore;
    return await this.#delete(await this.run(pendingDeletions(before)));
  }

  /** Uses one transaction per slice, so that other writers never wait long, and other requests are handled. */
  async #delete(deletions: readonly PendingDeletion[]): Promise<Removed> {
    const { running } = this.#caches;
    let removed = NOTHING_REMOVED;
    for (const deletion of deletions) {
      running.set(deletion.id, NOTHING_REMOVED);
      for (let slice: Removed | undefined = NOTHING_REMOVED; slice?.sessions === 0; await letOthersWork()) {
        slice = await this.transaction(() => deleteSlice(this.dialect, deletion));
        removed = addRemoved(removed, slice ?? NOTHING_REMOVED);
        this.#caches.noteDeletion();
      }
      removed = addRemoved(removed, running.get(deletion.id) ?? NOTHING_REMOVED);
      running.delete(deletion.id);
    }
    return removed;
  }

  setErrorState(project: string, fingerprint: string, state: ChosenState, at: number): Promise<boolean> {
    return this.transaction(() => setErrorState(project, fingerprint, state, at));
  }

  saveSealedCall(call: SealedCall): Promise<void> {
    return this.transaction(() => saveSealedCall(call));
  }

  sealedCalls(since: number, limit: number): Promise<readonly SealedCall[]> {
    return this.run(sealedCalls(since, limit));
  }

  findSealedCalls(project: string, ids: readonly string[]): Promise<readonly SealedCall[]> {
    return this.run(findSealedCalls(project, ids));
  }

  deleteSealedCalls(project: string, ids: readonly string[]): Promise<void> {
    return this.transaction(() => deleteSealedCalls(project, ids));
  }

  deleteSealedCallsBefore(time: number): Promise<void> {
    return this.transaction(() => deleteSealedCallsBefore(time));
  }

  deletions(folder: string, limit: number): Promise<readonly Deletion[]> {
    return this.run(deletionsFor(folder, limit));
  }

  filesCleaned(folder: string, upTo: number): Promise<void> {
    return this.transaction(() => filesCleaned(folder, upTo));
  }

  async exportTo(targets: readonly string[]): Promise<void> {
    this.#targets = targets;
  }

  claimDue(target: string, now: number, leaseUntil: number, limit: number): Promise<readonly OutboxRow[]> {
    return this.transaction(() => claimDue(this.dialect, target, now, leaseUntil, limit));
  }

  markSent(target: string, sent: readonly SentRow[]): Promise<void> {
    return this.transaction(() => markSent(target, sent));
  }

  dropExpired(target: string, queuedBefore: number): Promise<number> {
    return this.transaction(() => dropExpired(target, queuedBefore));
  }

  backlog(): Promise<readonly Backlog[]> {
    return this.run(backlog());
  }

  backfill(target: string, range: BackfillQuery): Promise<Filled> {
    return this.transaction(() => backfill(target, range));
  }

  async cursor(name: string): Promise<number> {
    const [row] = await this.db.all("SELECT position FROM cursors WHERE name = ?", name);
    return Number(row?.position ?? 0);
  }

  moveCursor(name: string, position: number): Promise<void> {
    const { saveCursor, minCursor } = this.dialect;
    return this.transaction(function* () {
      yield* query(saveCursor, name, position);
      // The live feed may still need the last ones.
      yield* query(`DELETE FROM changes WHERE id <= (${minCursor}) - ?`, MAX_STORED_EVENTS);
    });
  }
}
