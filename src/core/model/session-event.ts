import { scoreSession } from "../score/scores.ts";
import { callKeyText, type Hasher, recordId, traceId } from "./call-key.ts";
import type { CallLinks } from "./call-links.ts";
import { type CallRecord, recordStatus, settledAt, toolName, turnaroundMs, workflowOf } from "./call-record.ts";
import { isoTime } from "./iso-time.ts";
import type { LeakObservation, SuspensionObservation } from "./observation.ts";
import type { RequestRecord } from "./request-record.ts";
import { endedAt, type SessionRecord, scoredAt, worstSeverity } from "./session-record.ts";

/** What the JSONL files and the live feed carry. Readers skip types and fields they do not know. */
export interface SessionEvent {
  readonly type: string;
  readonly v: 1;
  readonly event_id: string;
  readonly project: string;
  readonly session_id: string;
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

export function sessionStarted(session: SessionRecord, hash: Hasher): SessionEvent {
  const { project, session_id } = session;
  return event("session_started", [project, session_id], hash, {
    project,
    session_id,
    timestamp: isoTime(session.started_at),
    client: session.client?.value ?? null,
    provider: session.provider?.value ?? null,
  });
}

/** Told at a stop, an end and after a long silence, and again whenever a session that is over changes. */
export function sessionScored(session: SessionRecord, hash: Hasher): SessionEvent {
  const { project, session_id, tally, categories, thresholds } = session;
  const scores = scoreSession({ ...tally, categories }, thresholds);
  // The figures are in the id: the same ones told again are the same event.
  const identity = [project, session_id, JSON.stringify([tally, categories, scoredAt(session)])];
  return event("session_scored", identity, hash, {
    project,
    session_id,
    timestamp: isoTime(scoredAt(session) ?? session.last_at),
    trace_id: traceId(session, hash),
    ...tally,
    session_success_rate: scores.session_success_rate ?? null,
    session_health: scores.session_health,
    session_rate_health: scores.session_rate_health,
    dominant_failure_mode: scores.dominant_failure_mode ?? null,
    worst_severity: worstSeverity(session) ?? null,
  });
}

/** Told when the client says so, and after a long silence: each end once. */
export function sessionEnded(session: SessionRecord, hash: Hasher): SessionEvent {
  const { project, session_id, ended_at } = session;
  const end = endedAt(session);
  return event("session_ended", [project, session_id, String(end)], hash, {
    project,
    session_id,
    timestamp: isoTime(end ?? session.last_at),
    reason: end === ended_at ? "client" : "idle",
    requests: session.requests,
    calls: session.tally.calls,
    failed: session.tally.failed,
  });
}

export function requestRecorded(record: RequestRecord, hash: Hasher): SessionEvent | undefined {
  const request = record.request;
  if (request === undefined) return undefined;
  const type = "request_recorded";
  return {
    type,
    v: 1,
    event_id: eventId(`${type}\u0000${record.project}\u0000${record.request_id}`, hash),
    project: record.project,
    session_id: record.session_id,
    request_id: record.request_id,
    agent_id: record.agent_id,
    timestamp: isoTime(request.occurred_at),
    model: request.model ?? null,
    provider: request.provider ?? null,
    client: request.client ?? null,
    api: request.api ?? null,
    is_streaming: request.streaming,
    request_size_bytes: request.size_bytes,
    message_count: request.message_count,
    tool_count: request.tool_count,
  };
}

export function responseRecorded(record: RequestRecord, hash: Hasher): SessionEvent | undefined {
  const response = record.response;
  if (response === undefined) return undefined;
  const type = "response_recorded";
  return {
    type,
    v: 1,
    event_id: eventId(`${type}\u0000${record.project}\u0000${record.request_id}`, hash),
    project: record.project,
    session_id: record.session_id,
    request_id: record.request_id,
    agent_id: record.agent_id,
    timestamp: isoTime(response.occurred_at),
    model_used: response.model ?? null,
    provider: response.provider ?? null,
    http_status: response.http_status,
    ended: response.ended,
    stop_reason: response.stop_reason ?? null,
    response_size_bytes: response.size_bytes,
    duration_ms: response.duration_ms,
    time_to_first_byte_ms: response.first_byte_ms ?? null,
    input_tokens: response.input_tokens ?? null,
    output_tokens: response.output_tokens ?? null,
    cache_read_tokens: response.cache_read_tokens ?? null,
    cache_creation_tokens: response.cache_creation_tokens ?? null,
    tool_call_ids: response.tool_call_ids,
  };
}

/** `leak_recovered` or `leak_left`. */
export function leakEvent(leak: LeakObservation, hash: Hasher): SessionEvent {
  const { project, session_id, request_id, agent_id, result, format, reason } = leak;
  return event(`leak_${result}`, [project, request_id, format, reason ?? ""], hash, {
    project,
    session_id,
    request_id,
    agent_id,
    timestamp: isoTime(leak.occurred_at),
    model_name: leak.model ?? null,
    provider: leak.provider ?? null,
    format,
    repairs: leak.repairs,
    parsed: leak.parsed,
    dropped: leak.dropped,
    reason: reason ?? null,
    ...(leak.evidence !== undefined && { evidence: leak.evidence }),
    tool_names: leak.tool_names,
    tool_call_ids: leak.tool_call_ids,
  });
}

/** An upstream did not take a call of ours back. */
export function repairSuspended(refusal: SuspensionObservation, hash: Hasher): SessionEvent {
  const { project, session_id, request_id, agent_id } = refusal;
  return event("repair_suspended", [project, request_id], hash, {
    project,
    session_id,
    request_id,
    agent_id,
    timestamp: isoTime(refusal.occurred_at),
    model_name: refusal.model ?? null,
    provider: refusal.provider ?? null,
    http_status: refusal.http_status,
    message: refusal.message ?? null,
    tool_call_ids: refusal.tool_call_ids,
  });
}

// The two events of every call are written out field by field: putting them together from parts costs more than all the rest of them.
export function toolCallRequested(record: CallRecord, hash: Hasher): SessionEvent {
  const { facts, key } = record;
  const type = "tool_call_requested";
  const told = {
    type,
    v: 1,
    event_id: eventId(`${type}\u0000${callKeyText(key)}`, hash),
    project: key.project,
    session_id: key.session_id,
    request_id: facts.request_id?.value ?? null,
    agent_id: key.agent_id,
    timestamp: isoTime(record.first_at),
    tool_name: toolName(record),
    tool_call_id: key.tool_call_id,
    occurrence: key.occurrence,
    record_id: recordId(key, hash),
    model_name: facts.model?.value ?? null,
    provider: facts.provider?.value ?? null,
    client: facts.client?.value ?? null,
    sources: record.sources,
    origin: facts.origin?.value ?? null,
    input_size_bytes: facts.arguments?.value.size_bytes ?? 0,
  } as const;
  return facts.recovery === undefined ? told : { ...told, ...facts.recovery.value };
}

export function toolCallRecorded(record: CallRecord, links: CallLinks | undefined, hash: Hasher): SessionEvent {
  const { facts, key } = record;
  const status = recordStatus(record);
  const result = facts.result?.value;
  const outcome = result?.outcome;
  const type = "tool_call_recorded";
  // The verdict is in the id: a re-judged call is a new event, a repeated line is the same one.
  const verdict = `${status}\u0000${outcome?.category ?? ""}\u0000${outcome?.rule ?? ""}`;
  const told = {
    type,
    v: 1,
    event_id: eventId(`${type}\u0000${callKeyText(key)}\u0000${verdict}`, hash),
    project: key.project,
    session_id: key.session_id,
    request_id: facts.request_id?.value ?? null,
    agent_id: key.agent_id,
    timestamp: isoTime(settledAt(record) ?? record.first_at),
    tool_name: toolName(record),
    tool_call_id: key.tool_call_id,
    occurrence: key.occurrence,
    record_id: recordId(key, hash),
    model_name: facts.model?.value ?? null,
    provider: facts.provider?.value ?? null,
    client: facts.client?.value ?? null,
    sources: record.sources,
    origin: facts.origin?.value ?? null,
    input_size_bytes: facts.arguments?.value.size_bytes ?? 0,
    success: status === "ok" ? true : status === "failed" ? false : null,
    status,
    phase: outcome?.phase ?? null,
    category: outcome?.category ?? null,
    severity: outcome?.severity ?? null,
    soft: outcome?.soft ?? false,
    exit_code: outcome?.exit_code ?? null,
    status_message: outcome?.status_message ?? null,
    execution_time_ms: facts.execution_time_ms?.value ?? null,
    turnaround_ms: turnaroundMs(record) ?? null,
    output_size_bytes: result?.size_bytes ?? null,
    workflow: workflowOf(record) ?? null,
    fingerprint: outcome?.fingerprint ?? null,
    position: links?.position ?? null,
    preceding_tool: links?.preceding_tool ?? null,
    preceding_success: links?.preceding_success ?? null,
    is_cascade_failure: links?.is_cascade_failure ?? null,
    retry_of: links?.retry_of ?? null,
    retry_count: links?.retry_count ?? null,
    recovered_by: links?.recovered_by ?? null,
    cascade_of: links?.cascade_of ?? null,
    cascade_rule: links?.cascade_rule ?? null,
  } as const;
  return facts.recovery === undefined ? told : { ...told, ...facts.recovery.value };
}

/** What became known later of a call that was told before: it was put right, or something before it turned up late. */
export function toolCallLinked(record: CallRecord, links: CallLinks | undefined, hash: Hasher): SessionEvent {
  const { project, session_id, agent_id, tool_call_id, occurrence } = record.key;
  const fields = linkFields(links);
  return event("tool_call_linked", [callKeyText(record.key), JSON.stringify(fields)], hash, {
    project,
    session_id,
    agent_id,
    timestamp: isoTime(settledAt(record) ?? record.first_at),
    record_id: recordId(record.key, hash),
    tool_name: toolName(record),
    tool_call_id,
    occurrence,
    ...fields,
  });
}

function linkFields(links: CallLinks | undefined): Readonly<Record<string, unknown>> {
  return {
    position: links?.position ?? null,
    preceding_tool: links?.preceding_tool ?? null,
    preceding_success: links?.preceding_success ?? null,
    is_cascade_failure: links?.is_cascade_failure ?? null,
    retry_of: links?.retry_of ?? null,
    retry_count: links?.retry_count ?? null,
    recovered_by: links?.recovered_by ?? null,
    cascade_of: links?.cascade_of ?? null,
    cascade_rule: links?.cascade_rule ?? null,
  };
}

function event(
  type: string,
  identity: readonly string[],
  hash: Hasher,
  fields: Omit<SessionEvent, "type" | "v" | "event_id">,
): SessionEvent {
  return { type, v: 1, event_id: eventId([type, ...identity].join("\u0000"), hash), ...fields } as SessionEvent;
}

function eventId(identity: string, hash: Hasher): string {
  return hash(identity).slice(0, 24);
}
