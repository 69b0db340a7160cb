import type { CallRecord } from "../../core/model/call-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { KnownCallOrigin, StoredResponseKey, StoredTurn, StoreReader } from "../port.ts";
import { SQLITE } from "../sql/dialect.ts";
import { SqlReader } from "../sql/sql-reader.ts";
import { storedCallIds, storedTurn, toCallOrigins } from "../stored-turn.ts";
import type { Database, Row } from "./database.ts";
import { findMany } from "./find-many.ts";
import { lastEvent } from "./last-event.ts";
import { readRecovered } from "./repair-rows.ts";

/** All queries, over one connection. */
export class SqliteReader extends SqlReader<Database> implements StoreReader {
  constructor(db: Database) {
    super(db, SQLITE);
  }

  async recoveredCalls(project: string, ids: readonly string[]): Promise<readonly string[]> {
    return readRecovered(this.db, project, ids);
  }

  async callOrigins(project: string, ids: readonly string[]): Promise<readonly KnownCallOrigin[]> {
    return readCallOrigins(this.db, project, ids);
  }

  async threadOfResponse(key: StoredResponseKey): Promise<StoredTurn | undefined> {
    return readStoredTurn(this.db, key);
  }

  async lastEvent(): Promise<number> {
    return lastEvent(this.db);
  }

  async close(): Promise<void> {
    this.db.close();
  }
}

const recordOf = (row: Row): CallRecord => JSON.parse(row.record as string) as CallRecord;

export function readStoredTurn(db: Database, { project, kind, key }: StoredResponseKey): StoredTurn | undefined {
  const column = kind === "answer" ? "answer_key" : "conversation_key";
  const row = db.get(
    `SELECT record FROM requests WHERE ${column} = ? AND project = ? ORDER BY ended_at DESC LIMIT 1`,
    ...[key, project],
  );
  if (row === undefined) return undefined;
  const record = JSON.parse(row.record as string) as RequestRecord;
  const sql = (places: string): string =>
    `SELECT record FROM calls WHERE project = ? AND session_id = ? AND agent_id = ? AND tool_call_id IN (${places})
     ORDER BY tool_call_id, occurrence`;
  const rows = findMany(db, sql, [project, record.session_id, record.agent_id], storedCallIds(record));
  return storedTurn(record, rows.map(recordOf));
}

export function readCallOrigins(db: Database, project: string, ids: readonly string[]): readonly KnownCallOrigin[] {
  const sql = (places: string): string =>
    `SELECT record FROM calls WHERE project = ? AND origin IS NOT NULL AND tool_call_id IN (${places})`;
  return toCallOrigins(findMany(db, sql, [project], ids).map(recordOf));
}
