import type { CallRecord } from "../../src/core/model/call-record.ts";
import type { Store } from "../../src/store/port.ts";
import { Database, IN_MEMORY } from "../../src/store/sqlite/database.ts";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { storeOf } from "../../src/store/thread/threaded-store.ts";

export interface TestStore extends Store {
  /** The call records of a project, in the order in which they were first stored. */
  records(project?: string): readonly CallRecord[];
}

/**
 * An empty SQLite store in memory and without a worker thread. Its methods are own properties, so a test can spread it
 * and override some. Creating one takes some 20 ms: property tests share one and use a new project for each run.
 */
export function createTestStore(): TestStore {
  const db = new Database(IN_MEMORY);
  const store = createSqliteStore(db, IN_MEMORY);
  const methods = store as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>;
  return {
    ...storeOf(async (method, ...args) => methods[method]?.(...args)),
    records: (project = "default") =>
      db
        .all("SELECT record FROM calls WHERE project = ? ORDER BY rowid", project)
        .map(({ record }) => JSON.parse(record as string) as CallRecord),
  };
}
