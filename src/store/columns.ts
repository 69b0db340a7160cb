// Maps records to the columns of each table. Columns are for queries; `record` is the input of merge.
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
import { factValue, orNull } from "../core/model/facts.ts";
import { isoTime } from "../core/model/iso-time.ts";
import type {
  LeakObservation,
  OutcomeFacts,
  RequestObservation,
  ResponseObservation,
  SuspensionObservation,
} from "../core/model/observation.ts";
import type { PromptRecord } from "../core/model/prompt-record.ts";
import type { RequestRecord } from "../core/model/request-record.ts";
import { endedAt, type SessionRecord, worstSeverity } from "../core/model/session-record.ts";
import { orderOf } from "../core/score/chain-call.ts";
import { scoreSession } from "../core/score/scores.ts";
import { hashText } from "./hash-text.ts";

export type Columns = Readonly<Record<string, string | number | null>>;

const NONE = {} as const;

export function callColumns(record: CallRecord, links: Partial<CallLinks> = NONE): Columns {
  const { key, facts } = record;
  const id = recordId(key, hashText);
  const order = orderOf(record, id);
  const result = facts.result?.value;
  const outcome: Partial<OutcomeFacts> = result?.outcome ?? NONE;
  const counted = isCounted(record);
  return {
    project: key.project,
    session_id: key.session_id,
    agent_id: key.agent_id,
    tool_call_id: key.tool_call_id,
    occurrence: key.occurrence,
    record_id: id,
    request_id: factValue(facts.request_id),
    provider: factValue(facts.provider),
    model_name: factValue(facts.model),
    tool_name: toolName(record),
    origin: factValue(facts.origin),
    client: factValue(facts.client),
    status: recordStatus(record),
    phase: orNull(outcome.phase),
    category: orNull(outcome.category),
    severity: orNull(outcome.severity),
    soft: Number(outcome.soft === true),
    status_message: orNull(outcome.status_message),
    execution_time_ms: factValue(facts.execution_time_ms),
    turnaround_ms: orNull(turnaroundMs(record)),
    input_size_bytes: facts.arguments?.value.size_bytes ?? 0,
    output_size_bytes: orNull(result?.size_bytes),
    first_at: record.first_at,
    settled_at: orNull(settledAt(record)),
    wire_result: factValue(facts.wire_result),
    made_here: Number(facts.response_id !== undefined),
    made_at: orNull(facts.response_id?.at),
    conversation: conversationOf(record),
    in_history: Number(record.first_history_at !== undefined),
    // Keys are joined by NUL, which PostgreSQL cannot store.
    inherited_from: orNull(record.inherited_from?.replaceAll("\u0000", " ")),
    call_count: Number(counted),
    error_count: Number(counted && outcome.status === "failed"),
    created_at: isoTime(record.first_at),
    thread_order: order.thread_order,
    turn: factValue(facts.turn),
    turn_index: order.turn_index,
    prompt: factValue(facts.prompt),
    workflow: orNull(workflowOf(record)),
    fingerprint: orNull(outcome.fingerprint),
    // Same as `linkColumns`, but written out: a spread takes longer than all other columns.
    position: orNull(links.position),
    preceding_tool: orNull(links.preceding_tool),
    preceding_success: flag(links.preceding_success),
    is_cascade_failure: flag(links.is_cascade_failure),
    retry_of: orNull(links.retry_of),
    retry_count: orNull(links.retry_count),
    recovered_by: orNull(links.recovered_by),
    cascade_of: orNull(links.cascade_of),
    cascade_rule: orNull(links.cascade_rule),
    record: JSON.stringify(record),
  };
}

/** A boolean as column; null where it is unknown. */
function flag(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}

/** The first conversation with the call; null if only hooks or transcripts reported it. */
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
    // The last reported end. Later activity, including a stop, makes the session eligible for the idle timeout.
    scored_at: endedAt(session) ?? 0,
    record: JSON.stringify(session),
  };
}

/** @param key the thread key as text */
export function threadColumns(key: string, firstAt: number): Columns {
  const [project, session_id, agent_id] = key.split("\u0000") as [string, string, string];
  return { project, session_id, agent_id, first_at: firstAt };
}

export function requestColumns(record: RequestRecord): Columns {
  const {
    request = NONE,
    response = NONE,
  }: {
    readonly request?: Partial<RequestObservation>;
    readonly response?: Partial<ResponseObservation>;
  } = record;
  return {
    project: record.project,
    request_id: record.request_id,
    session_id: record.session_id,
    agent_id: record.agent_id,
    conversation: orNull(request.conversation),
    started_at: orNull(request.occurred_at),
    ended_at: orNull(response.occurred_at),
    model: orNull(response.model ?? request.model),
    provider: orNull(response.provider ?? request.provider),
    http_status: orNull(response.http_status),
    ended: orNull(response.ended),
    answer_key: orNull(response.stored_response?.answer_key),
    conversation_key: orNull(response.stored_response?.conversation_key),
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

export function suspensionColumns(suspension: SuspensionObservation): Columns {
  return {
    project: suspension.project,
    request_id: suspension.request_id,
    session_id: suspension.session_id,
    provider: suspension.provider ?? null,
    model: suspension.model ?? null,
    occurred_at: suspension.occurred_at,
    record: JSON.stringify(suspension),
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

/** The columns of `calls` with its links, in the order of {@link linkColumns}. */
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

/** Links as columns; all null for a call that is not counted. */
export function linkColumns(links: Partial<CallLinks> = NONE): LinkColumns {
  return {
    position: orNull(links.position),
    preceding_tool: orNull(links.preceding_tool),
    preceding_success: flag(links.preceding_success),
    is_cascade_failure: flag(links.is_cascade_failure),
    retry_of: orNull(links.retry_of),
    retry_count: orNull(links.retry_count),
    recovered_by: orNull(links.recovered_by),
    cascade_of: orNull(links.cascade_of),
    cascade_rule: orNull(links.cascade_rule),
  };
}

/** Parses the link columns of a row. */
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
