import type { MadeCall, StoredResponseKey, StoredTurn, StoreReader } from "../port.ts";
import { POSTGRES } from "../sql/dialect.ts";
import { SqlReader } from "../sql/sql-reader.ts";
import type { PostgresDatabase, Queries } from "./database.ts";
import { readHeldTurn, readMadeCalls } from "./held-rows.ts";
import { refuseNewer } from "./migrate.ts";
import { readRecovered } from "./recovered-calls.ts";

/** Every question. */
export class PostgresReader extends SqlReader<PostgresDatabase> implements StoreReader {
  constructor(db: PostgresDatabase) {
    super(db, POSTGRES);
  }

  /** No Toolmend has ever written here. */
  async isEmpty(): Promise<boolean> {
    return (await refuseNewer(this.db)) === 0;
  }

  recoveredCalls(project: string, ids: readonly string[]): Promise<readonly string[]> {
    return readRecovered(this.db, project, ids);
  }

  madeCalls(project: string, ids: readonly string[]): Promise<readonly MadeCall[]> {
    return readMadeCalls(this.db, project, ids);
  }

  threadOfResponse(key: StoredResponseKey): Promise<StoredTurn | undefined> {
    return readHeldTurn(this.db, key);
  }

  lastEvent(): Promise<number> {
    return lastEvent(this.db);
  }

  async close(): Promise<void> {
    await this.db.close();
  }
}

/** The number of the newest event, also when it is no longer kept. */
export async function lastEvent(db: Queries): Promise<number> {
  const [row] = await db.all("SELECT last FROM event_numbers WHERE id = 1");
  return Number(row?.last ?? 0);
}
