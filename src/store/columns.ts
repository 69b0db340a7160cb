// What stands in the columns of each table, for every store that has tables. Columns are for questions; `record` is what merge works on.
import { recordId, traceId } from "../core/model/call-key.ts";
import type { CallLinks, CascadeRule } from "../core/model/call-links.ts";
import {
  type CallRecord,
  isCounted,
  recordStatus,
  settledAt,
  toolName,
  turnaroundMs,
  workflowOf,
} from "../core/model/call-record.ts";
import { isoTime } from "../core/model/iso-time.ts";
import type { LeakObservation, SuspensionObservation } from "../core/model/observation.ts";
import type { PromptRecord } from "../core/model/prompt-record.ts";
import type { RequestRecord } from "../core/model/request-record.ts";
import { endedAt, type SessionRecord, worstSeverity } from "../core/model/session-record.ts";
import { orderOf } from "../core/score/chain-call.ts";
import { scoreSession } from "../core/score/scores.ts";
import { hashText } from "./hash-text.ts";

export type Columns = Readonly<Record<string, string | number | null>>;

export function callColumns(record: CallRecord, links: CallLinks | undefined): Columns {
  const { key, facts } = record;
  const id = recordId(key, hashText);
  const order = orderOf(record, id);
  const outcome = facts.result?.value.outcome;
  const counted = isCounted(record);
  return {
    project: key.project,
    session_id: key.session_id,
    agent_id: key.agent_id,
    tool_call_id: key.tool_call_id,
    occurrence: key.occurrence,
    record_id: id,
    request_id: facts.request_id?.value ?? null,
    provider: facts.provider?.value ?? null,
    model_name: facts.model?.value ?? null,
    tool_name: toolName(record),
    origin: facts.origin?.value ?? null,
    client: facts.client?.value ?? null,
    status: recordStatus(record),
    phase: outcome?.phase ?? null,
    category: outcome?.category ?? null,
    severity: outcome?.severity ?? null,
    soft: Number(outcome?.soft === true),
    status_message: outcome?.status_message ?? null,
    execution_time_ms: facts.execution_time_ms?.value ?? null,
    turnaround_ms: turnaroundMs(record) ?? null,
    input_size_bytes: facts.arguments?.value.size_bytes ?? 0,
    output_size_bytes: facts.result?.value.size_bytes ?? null,
    first_at: record.first_at,
    settled_at: settledAt(record) ?? null,
    wire_result: facts.wire_result?.value ?? null,
    made_here: Number(facts.response_id !== undefined),
    made_at: facts.response_id?.at ?? null,
    conversation: conversationOf(record),
    in_history: Number(record.first_history_at !== undefined),
    // Keys are joined by NUL, which not every database can hold.
    inherited_from: record.inherited_from?.replaceAll("\u0000", " ") ?? null,
    call_count: Number(counted),
    error_count: Number(counted && outcome?.status === "failed"),
    created_at: isoTime(record.first_at),
    thread_order: order.thread_order,
    turn: facts.turn?.value ?? null,
    turn_index: order.turn_index,
    prompt: facts.prompt?.value ?? null,
    workflow: workflowOf(record) ?? null,
    fingerprint: outcome?.fingerprint ?? null,
    // As `linkColumns`: a part put in here costs more than all the columns written out.
    position: links?.position ?? null,
    preceding_tool: links?.preceding_tool ?? null,
    preceding_success: links?.preceding_success === undefined ? null : Number(links.preceding_success),
    is_cascade_failure: links === undefined ? null : Number(links.is_cascade_failure),
    retry_of: links?.retry_of ?? null,
    retry_count: links?.retry_count ?? null,
    recovered_by: links?.recovered_by ?? null,
    cascade_of: links?.cascade_of ?? null,
    cascade_rule: links?.cascade_rule ?? null,
    record: JSON.stringify(record),
  };
}

/** The conversation of its thread in which a call was first placed; hooks and transcripts know none. */
function conversationOf({ places }: CallRecord): string | null {
  const place = places.find((one) => !one.startsWith("/"));
  return place === undefined ? null : place.slice(0, place.lastIndexOf("/"));
}

export function sessionColumns(session: SessionRecord): Columns {
  const { session_health, session_rate_health, session_success_rate, dominant_failure_mode } = scoreSession(
    { ...session.tally, categories: session.categories },
    session.thresholds,
  );
  return {
    project: session.project,
    session_id: session.session_id,
    started_at: isoTime(session.started_at),
    last_at: session.last_at,
    client: session.client?.value ?? null,
    provider: session.provider?.value ?? null,
    model_used: session.model_used?.value ?? null,
    requests: session.requests,
    ...session.tally,
    trace_id: traceId(session, hashText),
    success_rate: session_success_rate ?? null,
    health: session_health,
    rate_health: session_rate_health,
    dominant_failure_mode: dominant_failure_mode ?? null,
    worst_severity: worstSeverity(session) ?? 0,
    stopped_at: session.stopped_at ?? null,
    ended_at: session.ended_at ?? null,
    // Up to here its end was told: what was heard later, a stop included, makes it one that may go quiet.
    scored_at: endedAt(session) ?? 0,
    record: JSON.stringify(session),
  };
}

/** `key` as the text under which a batch knows the thread. */
export function threadColumns(key: string, firstAt: number): Columns {
  const [project, session_id, agent_id] = key.split("\u0000") as [string, string, string];
  return { project, session_id, agent_id, first_at: firstAt };
}

export function requestColumns(record: RequestRecord): Columns {
  const { request, response } = record;
  return {
    project: record.project,
    request_id: record.request_id,
    session_id: record.session_id,
    agent_id: record.agent_id,
    conversation: request?.conversation ?? null,
    started_at: request?.occurred_at ?? null,
    ended_at: response?.occurred_at ?? null,
    model: response?.model ?? request?.model ?? null,
    provider: response?.provider ?? request?.provider ?? null,
    http_status: response?.http_status ?? null,
    ended: response?.ended ?? null,
    answer_key: response?.stored_response?.answer_key ?? null,
    conversation_key: response?.stored_response?.conversation_key ?? null,
    record: JSON.stringify(record),
  };
}

export function leakColumns(leak: LeakObservation): Columns {
  return {
    project: leak.project,
    request_id: leak.request_id,
    result: leak.result,
    format: leak.format,
    reason: leak.reason ?? "",
    session_id: leak.session_id,
    agent_id: leak.agent_id,
    model: leak.model ?? null,
    provider: leak.provider ?? null,
    parsed: leak.parsed,
    dropped: leak.dropped,
    occurred_at: leak.occurred_at,
    record: JSON.stringify(leak),
  };
}

export function suspensionColumns(refusal: SuspensionObservation): Columns {
  return {
    project: refusal.project,
    request_id: refusal.request_id,
    session_id: refusal.session_id,
    provider: refusal.provider ?? null,
    model: refusal.model ?? null,
    occurred_at: refusal.occurred_at,
    record: JSON.stringify(refusal),
  };
}

export function promptColumns(record: PromptRecord): Columns {
  return {
    project: record.project,
    session_id: record.session_id,
    prompt: record.prompt,
    workflow: record.workflow?.value ?? null,
    first_at: record.first_at,
    record: JSON.stringify(record),
  };
}

/** The columns of `calls` that hold its links, in this order. */
export const LINK_COLUMNS = [
  "position",
  "preceding_tool",
  "preceding_success",
  "is_cascade_failure",
  "retry_of",
  "retry_count",
  "recovered_by",
  "cascade_of",
  "cascade_rule",
] as const;

export type LinkColumns = Readonly<Record<(typeof LINK_COLUMNS)[number], string | number | null>>;

/** Links as columns; all null for a call that counts nowhere. */
export function linkColumns(links: CallLinks | undefined): LinkColumns {
  return {
    position: links?.position ?? null,
    preceding_tool: links?.preceding_tool ?? null,
    preceding_success: links?.preceding_success === undefined ? null : Number(links.preceding_success),
    is_cascade_failure: links === undefined ? null : Number(links.is_cascade_failure),
    retry_of: links?.retry_of ?? null,
    retry_count: links?.retry_count ?? null,
    recovered_by: links?.recovered_by ?? null,
    cascade_of: links?.cascade_of ?? null,
    cascade_rule: links?.cascade_rule ?? null,
  };
}

/** The other way round; rows of any store have these columns. */
export function linksOfRow(row: { readonly [column: string]: unknown }): CallLinks | undefined {
  if (row.position === null || row.position === undefined) return undefined;
  return {
    position: Number(row.position),
    ...(row.preceding_tool !== null && { preceding_tool: String(row.preceding_tool) }),
    ...(row.preceding_success !== null && { preceding_success: Number(row.preceding_success) === 1 }),
    is_cascade_failure: Number(row.is_cascade_failure) === 1,
    ...(row.retry_of !== null && { retry_of: String(row.retry_of) }),
    retry_count: Number(row.retry_count),
    ...(row.recovered_by !== null && { recovered_by: String(row.recovered_by) }),
    ...(row.cascade_of !== null && { cascade_of: String(row.cascade_of) }),
    ...(row.cascade_rule !== null && { cascade_rule: row.cascade_rule as CascadeRule }),
  };
}
