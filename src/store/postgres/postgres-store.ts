import { sessionKeyText } from "../../core/model/fold.ts";
import type { Observation } from "../../core/model/observation.ts";
import type { SessionKey } from "../deletions.ts";
import type { Applied, Batch, Rejected } from "../port.ts";
import { WriteCaches } from "../sql/apply.ts";
import { TOUCHED } from "../sql/delete.ts";
import { POSTGRES } from "../sql/dialect.ts";
import { SqlReader } from "../sql/sql-reader.ts";
import { SqlStore } from "../sql/sql-store.ts";
import type { Work } from "../sql/work.ts";
import { PostgresDatabase, type PostgresOptions } from "./database.ts";
import { isContentProblem, isLostConnection } from "./errors.ts";
import { exceedsLockLimit } from "./locks.ts";
import { migrate, refuseNewer } from "./migrate.ts";
import { perform } from "./perform.ts";
import { recountRecentUnhealthy } from "./recount-unhealthy.ts";
import { PostgresShared } from "./shared.ts";

export interface PostgresStoreOptions extends Pick<PostgresOptions, "connections" | "responseTimeoutMs"> {
  /** Open the store even if the server is unavailable; every call then tries to connect. */
  readonly allowUnavailable?: boolean;
}

/** Opens the store for writing and migrates its schema. Any number of servers may do so at the same time. */
export async function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Promise<PostgresStore> {
  const { allowUnavailable, ...rest } = options;
  const db = new PostgresDatabase(url, {
    ...rest,
    async prepareSchema(connection) {
      await migrate(connection);
      await recountRecentUnhealthy(connection);
    },
  });
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
  return new PostgresReader(new PostgresDatabase(url, { connections: 2 }), POSTGRES);
}

/** Opens the database with its schema, as target of a copy. */
export function openCopyTarget(url: string): { readonly db: PostgresDatabase; readonly shared: PostgresShared } {
  const db = new PostgresDatabase(url, { prepareSchema: migrate });
  return { db, shared: new PostgresShared(db) };
}

class PostgresReader extends SqlReader<PostgresDatabase> {
  /** Whether Toolmend has never written to this database. */
  async isEmpty(): Promise<boolean> {
    return (await refuseNewer(this.db)) === 0;
  }

  protected run<T>(work: Work<T>): Promise<T> {
    return perform(this.db, work);
  }

  async close(): Promise<void> {
    await this.db.close();
  }
}

export class PostgresStore extends SqlStore<PostgresDatabase> {
  readonly shared: PostgresShared;

  constructor(db: PostgresDatabase) {
    // Without open calls: calls are loaded in the same round trip as their session, before its stamp is known.
    super(db, POSTGRES, new WriteCaches());
    this.shared = new PostgresShared(db);
  }

  protected run<T>(work: Work<T>): Promise<T> {
    return perform(this.db, work);
  }

  protected transaction<T>(work: () => Work<T>): Promise<T> {
    return this.db.transaction((tx) => perform(tx, work()));
  }

  override async apply(batch: Batch): Promise<Applied> {
    const applied = await super.apply(batch);
    this.shared.notifyOthers();
    return applied;
  }

  /** Isolates observations that the database cannot store by halving the batch, and returns them as rejected. */
  protected override async applyAll(
    observations: readonly Observation[],
    batch: Batch,
    position: Batch | undefined,
  ): Promise<Applied> {
    try {
      const applied = await this.#applyOnce(observations, batch, position);
      if (applied !== undefined) return applied;
    } catch (error) {
      if (!isContentProblem(error) || observations.length === 0) throw error;
      if (observations.length === 1) {
        const rest = await this.applyAll([], batch, position);
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
    const first = await this.applyAll(observations.slice(0, middle), batch, undefined);
    const second = await this.applyAll(observations.slice(middle), batch, position);
    return {
      observations: first.observations + second.observations,
      refused: first.refused + second.refused,
      rejected: [...first.rejected, ...second.rejected],
      counted: [...first.counted, ...second.counted],
      leaks: [...first.leaks, ...second.leaks],
      tokens: [...first.tokens, ...second.tokens],
      repairs: [...first.repairs, ...second.repairs],
      loops: [...first.loops, ...second.loops],
      secondChances: [...first.secondChances, ...second.secondChances],
      last_event: second.last_event,
    };
  }

  /** Undefined if the batch needs too many locks. */
  #applyOnce(
    observations: readonly Observation[],
    batch: Batch,
    position: Batch | undefined,
  ): Promise<Applied | undefined> {
    const sessions = new Map<string, SessionKey>(observations.map((one) => [sessionKeyText(one), one]));
    const mayLock = (all: ReadonlyMap<string, SessionKey>): boolean => !exceedsLockLimit(all.values(), observations);
    return this.applyWith(sessions, { observations, batch, position }, mayLock);
  }

  /** See worker.ts. */
  replaceConnection(): void {
    this.db.replaceConnection();
  }

  async scrub(): Promise<void> {
    await this.db.vacuum(TOUCHED);
  }

  async close(): Promise<void> {
    this.shared.close();
    await this.db.close();
  }
}

function toRejected(observation: Observation, error: unknown): Rejected {
  return { line: JSON.stringify(observation), reason: `the database cannot hold it: ${(error as Error).message}` };
}
