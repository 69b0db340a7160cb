// Queries of the proxy about calls and responses that it knows by id.
import type { CallRecord } from "../../core/model/call-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { KnownCallOrigin, StoredResponseKey, StoredTurn } from "../port.ts";
import { storedCallIds, storedTurn, toCallOrigins } from "../stored-turn.ts";
import type { Dialect } from "./dialect.ts";
import type { QueryRow } from "./driver.ts";
import { selectBy } from "./statements.ts";
import { CALLS } from "./tables.ts";
import { query, type Statement, select, type Work } from "./work.ts";

const recordOf = (row: QueryRow): CallRecord => JSON.parse(row.record as string) as CallRecord;

function callsById(columns: string, where: string): Statement {
  return {
    parameters: { project: "text", tool_call_id: "text" },
    sql: ({ value }) => `SELECT ${columns} FROM calls c
      WHERE c.project = ${value("project")} AND c.tool_call_id = ${value("tool_call_id")} AND ${where}`,
  };
}

const REPAIRED = callsById("1 AS found", "c.origin = 'recovered'");
const WITH_ORIGIN = callsById("c.record", "c.origin IS NOT NULL");

/** The ids among these that are repaired calls. */
export function* recoveredCalls(project: string, ids: readonly string[]): Work<readonly string[]> {
  const rows = yield* select(
    REPAIRED,
    ids.map((id) => [project, id]),
  );
  return ids.filter((_, at) => (rows[at]?.length ?? 0) > 0);
}

export function* callOrigins(project: string, ids: readonly string[]): Work<readonly KnownCallOrigin[]> {
  const rows = yield* select(
    WITH_ORIGIN,
    ids.map((id) => [project, id]),
  );
  return toCallOrigins(rows.flat().map(recordOf));
}

const CALLS_OF_THREAD = selectBy(
  CALLS,
  ["project", "session_id", "agent_id", "tool_call_id"],
  () => "t.record, t.occurrence",
);

export function* threadOfResponse({ project, kind, key }: StoredResponseKey): Work<StoredTurn | undefined> {
  const column = kind === "answer" ? "answer_key" : "conversation_key";
  const [row] = yield* query(
    `SELECT record FROM requests WHERE ${column} = ? AND project = ? ORDER BY ended_at DESC LIMIT 1`,
    ...[key, project],
  );
  if (row === undefined) return undefined;
  const record = JSON.parse(row.record as string) as RequestRecord;
  const found = yield* select(
    CALLS_OF_THREAD,
    storedCallIds(record).map((id) => [project, record.session_id, record.agent_id, id]),
  );
  const rows = found.flatMap((own) => own.toSorted((a, b) => Number(a.occurrence) - Number(b.occurrence)));
  return storedTurn(record, rows.map(recordOf));
}

/** The number of the newest event, even if it was deleted. */
export function* lastEvent(dialect: Dialect): Work<number> {
  const [row] = yield* query(dialect.lastEvent);
  return Number(row?.last ?? 0);
}
