import { HOUR } from "../../core/model/rollup.ts";
import type {
  HeldKey,
  HeldTurn,
  MadeCall,
  OpenMendedCall,
  OriginRow,
  Range,
  SessionQuery,
  StoreReader,
  SuspensionRow,
} from "../port.ts";
import { SQLITE } from "../sql/dialect.ts";
import { DISCARDED, pendingRange } from "../sql/open-calls.ts";
import { SqlReader } from "../sql/sql-reader.ts";
import { whereOf } from "../sql/where.ts";
import type { Database } from "./database.ts";
import { readHeldTurn, readMadeCalls } from "./held-rows.ts";
import { lastEvent } from "./last-event.ts";
import { readOpenMended, readOrigins, readRecovered, readSuspensions } from "./repair-rows.ts";

/** Every question, over one connection. */
export class SqliteReader extends SqlReader<Database> implements StoreReader {
  constructor(db: Database) {
    super(db, SQLITE);
  }

  async suspensions(query: SessionQuery): Promise<readonly SuspensionRow[]> {
    return readSuspensions(this.db, query);
  }

  async originOutcomes(range: Range): Promise<readonly OriginRow[]> {
    const { project, since, until } = range;
    const settled = whereOf([
      ["project = ?", project],
      ["hour >= ?", since === undefined ? undefined : since - (since % HOUR)],
      ["hour < ?", until],
    ]);
    return readOrigins(this.db, settled, pendingRange(range), DISCARDED);
  }

  async openMendedCalls(since: number, limit: number): Promise<readonly OpenMendedCall[]> {
    return readOpenMended(this.db, since, limit);
  }

  async recoveredCalls(project: string, ids: readonly string[]): Promise<readonly string[]> {
    return readRecovered(this.db, project, ids);
  }

  async madeCalls(project: string, ids: readonly string[]): Promise<readonly MadeCall[]> {
    return readMadeCalls(this.db, project, ids);
  }

  async threadOfResponse(key: HeldKey): Promise<HeldTurn | undefined> {
    return readHeldTurn(this.db, key);
  }

  async lastEvent(): Promise<number> {
    return lastEvent(this.db);
  }

  async close(): Promise<void> {
    this.db.close();
  }
}
