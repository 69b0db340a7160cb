import type { CallRecord } from "../../core/model/call-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { KnownCallOrigin, StoredResponseKey, StoredTurn, StoreReader } from "../port.ts";
import { POSTGRES } from "../sql/dialect.ts";
import { SqlReader } from "../sql/sql-reader.ts";
import { storedCallIds, storedTurn, toCallOrigins } from "../stored-turn.ts";
import type { PostgresDatabase, Queries, Row } from "./database.ts";
import { refuseNewer } from "./migrate.ts";

/** All queries. */
export class PostgresReader extends SqlReader<PostgresDatabase> implements StoreReader {
  constructor(db: PostgresDatabase) {
    super(db, POSTGRES);
  }

  /** Whether Toolmend has never written to this database. */
  async isEmpty(): Promise<boolean> {
    return (await refuseNewer(this.db)) === 0;
  }

  recoveredCalls(project: string, ids: readonly string[]): Promise<readonly string[]> {
    return readRecovered(this.db, project, ids);
  }

  callOrigins(project: string, ids: readonly string[]): Promise<readonly KnownCallOrigin[]> {
    return readCallOrigins(this.db, project, ids);
  }

  threadOfResponse(key: StoredResponseKey): Promise<StoredTurn | undefined> {
    return readStoredTurn(this.db, key);
  }

  lastEvent(): Promise<number> {
    return lastEvent(this.db);
  }

  async close(): Promise<void> {
    await this.db.close();
  }
}

/** The number of the newest event, even if it was deleted. */
export async function lastEvent(db: Queries): Promise<number> {
  const [row] = await db.all("SELECT last FROM event_numbers WHERE id = 1");
  return Number(row?.last ?? 0);
}

const recordOf = (row: Row): CallRecord => JSON.parse(row.record as string) as CallRecord;

export async function readStoredTurn(
  db: Queries,
  { project, kind, key }: StoredResponseKey,
): Promise<StoredTurn | undefined> {
  const column = kind === "answer" ? "answer_key" : "conversation_key";
  const [row] = await db.all(
    `SELECT record FROM requests WHERE ${column} = ? AND project = ? ORDER BY ended_at DESC LIMIT 1`,
    ...[key, project],
  );
  if (row === undefined) return undefined;
  const record = JSON.parse(row.record as string) as RequestRecord;
  const ids = storedCallIds(record);
  if (ids.length === 0) return storedTurn(record, []);
  const rows = await db.all(
    `SELECT record FROM calls WHERE project = ? AND session_id = ? AND agent_id = ? AND tool_call_id = ANY(?::text[])
     ORDER BY tool_call_id, occurrence`,
    ...[project, record.session_id, record.agent_id, ids],
  );
  return storedTurn(record, rows.map(recordOf));
}

export async function readCallOrigins(
  db: Queries,
  project: string,
  ids: readonly string[],
): Promise<readonly KnownCallOrigin[]> {
  if (ids.length === 0) return [];
  const rows = await db.all(
    "SELECT record FROM calls WHERE project = ? AND origin IS NOT NULL AND tool_call_id = ANY(?::text[])",
    ...[project, ids],
  );
  return toCallOrigins(rows.map(recordOf));
}

/** The ids among these that are repaired calls. */
export async function readRecovered(db: Queries, project: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await db.all(
    "SELECT DISTINCT tool_call_id FROM calls WHERE project = ? AND origin = 'recovered' AND tool_call_id = ANY(?::text[])",
    ...[project, ids],
  );
  const found = new Set(rows.map((row) => String(row.tool_call_id)));
  return ids.filter((id) => found.has(id));
}
