import type { CallRecord } from "../../core/model/call-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import { madeCallsOf } from "../open-mended-call.ts";
import type { MadeCall, StoredResponseKey, StoredTurn } from "../port.ts";
import { storedCallIds, storedTurn } from "../stored-turn.ts";
import type { Database, Row } from "./database.ts";
import { findMany } from "./find-many.ts";

const recordOf = (row: Row): CallRecord => JSON.parse(row.record as string) as CallRecord;

export function readHeldTurn(db: Database, { project, kind, key }: StoredResponseKey): StoredTurn | undefined {
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

export function readMadeCalls(db: Database, project: string, ids: readonly string[]): readonly MadeCall[] {
  const sql = (places: string): string =>
    `SELECT record FROM calls WHERE project = ? AND origin IS NOT NULL AND tool_call_id IN (${places})`;
  return madeCallsOf(findMany(db, sql, [project], ids).map(recordOf));
}
