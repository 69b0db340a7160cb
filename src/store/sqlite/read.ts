import type { MadeCall, StoredResponseKey, StoredTurn, StoreReader } from "../port.ts";
import { SQLITE } from "../sql/dialect.ts";
import { SqlReader } from "../sql/sql-reader.ts";
import type { Database } from "./database.ts";
import { readHeldTurn, readMadeCalls } from "./held-rows.ts";
import { lastEvent } from "./last-event.ts";
import { readRecovered } from "./repair-rows.ts";

/** Every question, over one connection. */
export class SqliteReader extends SqlReader<Database> implements StoreReader {
  constructor(db: Database) {
    super(db, SQLITE);
  }

  async recoveredCalls(project: string, ids: readonly string[]): Promise<readonly string[]> {
    return readRecovered(this.db, project, ids);
  }

  async madeCalls(project: string, ids: readonly string[]): Promise<readonly MadeCall[]> {
    return readMadeCalls(this.db, project, ids);
  }

  async threadOfResponse(key: StoredResponseKey): Promise<StoredTurn | undefined> {
    return readHeldTurn(this.db, key);
  }

  async lastEvent(): Promise<number> {
    return lastEvent(this.db);
  }

  async close(): Promise<void> {
    this.db.close();
  }
}
