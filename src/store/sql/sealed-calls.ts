import type { SealedCall } from "../port.ts";
import type { QueryRow } from "./driver.ts";
import { query, type Statement, select, type Work } from "./work.ts";

const FIND: Statement = {
  parameters: { project: "text", tool_call_id: "text" },
  sql: ({ value }) => `SELECT t.project, t.tool_call_id, t.created_at, t.sealed FROM sealed_calls t
    WHERE t.project = ${value("project")} AND t.tool_call_id = ${value("tool_call_id")}`,
};

export function* saveSealedCall({ project, tool_call_id, created_at, sealed }: SealedCall): Work<void> {
  yield* query(
    `INSERT INTO sealed_calls (project, tool_call_id, created_at, sealed) VALUES (?, ?, ?, ?)
     ON CONFLICT (project, tool_call_id) DO UPDATE SET created_at = excluded.created_at, sealed = excluded.sealed`,
    ...[project, tool_call_id, created_at, sealed],
  );
}

export function* sealedCalls(since: number, limit: number): Work<readonly SealedCall[]> {
  const rows = yield* query(
    `SELECT project, tool_call_id, created_at, sealed FROM sealed_calls WHERE created_at >= ?
     ORDER BY created_at DESC LIMIT ?`,
    ...[since, limit],
  );
  return rows.map(toSealedCall);
}

export function* findSealedCalls(project: string, ids: readonly string[]): Work<readonly SealedCall[]> {
  const rows = yield* select(
    FIND,
    ids.map((id) => [project, id]),
  );
  return rows.flat().map(toSealedCall);
}

export function* deleteSealedCalls(project: string, ids: readonly string[]): Work<void> {
  for (const id of ids) yield* query("DELETE FROM sealed_calls WHERE project = ? AND tool_call_id = ?", project, id);
}

export function* deleteSealedCallsBefore(time: number): Work<void> {
  yield* query("DELETE FROM sealed_calls WHERE created_at < ?", time);
}

function toSealedCall(row: QueryRow): SealedCall {
  return {
    project: String(row.project),
    tool_call_id: String(row.tool_call_id),
    created_at: Number(row.created_at),
    sealed: String(row.sealed),
  };
}
