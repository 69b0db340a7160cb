import { DatabaseSync } from "node:sqlite";
import { dataFolder } from "../../src/ingest/data-folder.ts";
import type { Running } from "./running.ts";

/** A row of `tool_calls`, with the fields that tests look at. */
export interface StoredCall {
  readonly session_id: string;
  readonly agent_id: string;
  readonly tool_call_id: string;
  readonly occurrence: number;
  readonly tool_name: string;
  readonly model_name: string | null;
  readonly status: string;
  readonly phase: string | null;
  readonly category: string | null;
  readonly client: string | null;
  /** Place in its thread. */
  readonly position: number;
  readonly avg_execution_time_ms: number | null;
}

/** Everything that is counted, read with SQL. */
export async function storedCalls({ server, data }: Running): Promise<readonly StoredCall[]> {
  await server.drain();
  return readStoredCalls(data);
}

/** The same, of a data folder without a server. */
export function readStoredCalls(data: string): readonly StoredCall[] {
  const database = new DatabaseSync(dataFolder(data).database, { readOnly: true });
  try {
    const rows = database.prepare("SELECT * FROM tool_calls ORDER BY tool_call_id, session_id").all();
    return rows as unknown as readonly StoredCall[];
  } finally {
    database.close();
  }
}
