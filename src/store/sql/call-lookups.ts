// Queries of the proxy about calls and responses that it knows by id.
import { type CallRecord, toolName, UNKNOWN_TOOL } from "../../core/model/call-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { KnownCallOrigin, PendingRepairedCall, StoredResponseKey, StoredTurn } from "../port.ts";
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

const REPAIRED = callsById("1 AS found", "(c.origin = 'recovered' OR c.call_repair = 'repaired')");
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

/** Bounds the lookup. Names of further calls are found by their ids when results arrive. */
const MAX_CALLS = 256;

/** The calls to load for {@link storedTurn}. */
function storedCallIds({ response }: RequestRecord): readonly string[] {
  return [...new Set(response?.tool_call_ids)].slice(0, MAX_CALLS);
}

/**
 * Undefined until both request and response are stored.
 *
 * @param calls the calls of the thread with {@link storedCallIds}
 */
function storedTurn(record: RequestRecord, calls: readonly CallRecord[]): StoredTurn | undefined {
  const { session_id, agent_id, request, response } = record;
  if (request?.conversation === undefined || response === undefined) return undefined;
  const made = storedCallIds(record).flatMap((id) => {
    const own = calls.filter(({ key }) => key.tool_call_id === id);
    // Servers reuse ids: prefer the call of this response, else take the last one.
    const call = own.find(({ facts }) => facts.request_id?.value === record.request_id) ?? own.at(-1);
    return call === undefined || toolName(call) === UNKNOWN_TOOL ? [] : [storedCall(id, call)];
  });
  const { counts, prompt_position: asked } = response.stored_response ?? {};
  return {
    session_id,
    agent_id,
    conversation: request.conversation,
    ended_at: response.occurred_at,
    calls: made,
    ...(counts !== undefined && { counts }),
    ...(asked !== undefined && { prompt_position: asked }),
  };
}

function storedCall(id: string, call: CallRecord): StoredTurn["calls"][number] {
  const text = wholeArguments(call);
  return { id, name: toolName(call), ...(text !== undefined && { arguments: text }) };
}

/** The text of a call's arguments, unless it was truncated or redacted. */
function wholeArguments({ facts }: CallRecord): string | undefined {
  const { arguments: args, preview } = facts;
  if (preview === undefined || Buffer.byteLength(preview.value) !== args?.value.size_bytes) return undefined;
  return preview.value;
}

/**
 * A repaired call of the Responses API; empty if its arguments were truncated or redacted and so cannot be restored.
 */
export function toPendingRepairedCall(record: CallRecord): readonly PendingRepairedCall[] {
  const { api, origin } = record.facts;
  const text = wholeArguments(record);
  if (api?.value !== "responses" || origin?.value !== "recovered" || text === undefined) return [];
  return [{ tool_call_id: record.key.tool_call_id, name: toolName(record), arguments: text }];
}

/** One entry per id of known origin; forks may contain a call several times. */
function toCallOrigins(records: readonly CallRecord[]): readonly KnownCallOrigin[] {
  const made = new Map<string, KnownCallOrigin>();
  for (const record of records) {
    const { tool_call_id } = record.key;
    if (record.facts.origin === undefined || made.get(tool_call_id)?.mended !== undefined) continue;
    const [mended] = toPendingRepairedCall(record);
    made.set(tool_call_id, {
      tool_call_id,
      ...(mended !== undefined && { mended: { name: mended.name, arguments: mended.arguments } }),
    });
  }
  return [...made.values()];
}
