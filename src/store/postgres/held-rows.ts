import type { CallRecord } from "../../core/model/call-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import { madeCallsOf } from "../open-mended-call.ts";
import type { MadeCall, StoredResponseKey, StoredTurn } from "../port.ts";
import { storedCallIds, storedTurn } from "../stored-turn.ts";
import type { Queries, Row } from "./database.ts";

const recordOf = (row: Row): CallRecord => JSON.parse(row.record as string) as CallRecord;

export async function readHeldTurn(
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

export async function readMadeCalls(
  db: Queries,
  project: string,
  ids: readonly string[],
): Promise<readonly MadeCall[]> {
  if (ids.length === 0) return [];
  const rows = await db.all(
    "SELECT record FROM calls WHERE project = ? AND origin IS NOT NULL AND tool_call_id = ANY(?::text[])",
    ...[project, ids],
  );
  return madeCallsOf(rows.map(recordOf));
}
