import { scoreSession } from "../score/scores.ts";
import { callKeyText, type Hasher, recordId, traceId } from "./call-key.ts";
import type { CallLinks } from "./call-links.ts";
import {
  type CallRecord,
  type RecordStatus,
  recordStatus,
  settledAt,
  toolName,
  turnaroundMs,
  workflowOf,
} from "./call-record.ts";
import { factValue, orNull } from "./facts.ts";
import { isoTime } from "./iso-time.ts";
import type {
  CallRepairFacts,
  LeakObservation,
  OutcomeFacts,
  ResponseObservation,
  SuspensionObservation,
} from "./observation.ts";
import type { RequestRecord } from "./request-record.ts";
import { endedAt, type SessionRecord, scoredAt, sessionAggregatesOf, worstSeverity } from "./session-record.ts";
import { hasTokens } from "./token-usage.ts";

/** A line of the event files and the live feed. Readers ignore unknown types and fields. */
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

/** Emitted when a session stops, ends or becomes idle, and whenever a finished session changes. */
export function sessionScored(session: SessionRecord, hash: Hasher): SessionEvent {
  const { project, session_id, tally, categories, thresholds } = session;
  const scores = scoreSession(sessionAggregatesOf(session), thresholds);
  // The id includes the counts, so that repeated scores have the same id.
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

/** Emitted once for each end: when the client reports it, or after the idle timeout. */
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
    ...(request.guard !== undefined && { guard: request.guard }),
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
    ...tokenFields(response),
    tool_call_ids: response.tool_call_ids,
  };
}

/** Two fields keep an older name; elsewhere they are `cached_tokens` and `cache_write_tokens`. */
function tokenFields({ usage = {}, response_id, turn, client }: ResponseObservation): object {
  return {
    input_tokens: orNull(usage.input_tokens),
    output_tokens: orNull(usage.output_tokens),
    cache_read_tokens: orNull(usage.cached_tokens),
    cache_creation_tokens: orNull(usage.cache_write_tokens),
    // Identifies the usage if it is imported again.
    ...(hasTokens(usage) && {
      reasoning_tokens: orNull(usage.reasoning_tokens),
      response_id: orNull(response_id),
      turn: orNull(turn),
      client: orNull(client),
    }),
  };
}

/** Emitted with the response of a turn that was requested again. */
export function secondChanceEvent(record: RequestRecord, hash: Hasher): SessionEvent | undefined {
  const { project, session_id, request_id, agent_id, response } = record;
  const chance = response?.second_chance;
  if (response === undefined || chance === undefined) return undefined;
  return event("second_chance", [project, request_id], hash, {
    project,
    session_id,
    request_id,
    agent_id,
    timestamp: isoTime(response.occurred_at),
    model_name: response.model ?? null,
    provider: response.provider ?? null,
    reason: chance.reason,
    result: chance.result,
    duration_ms: chance.duration_ms,
    http_status: chance.http_status ?? null,
    first_usage: chance.first_usage ?? null,
    usage: chance.usage ?? null,
    calls: chance.calls,
    healed_by: chance.healed_by,
  });
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

/** `call_repaired` or `call_left`: a native call that does not fit. */
export function callRepairEvent(record: CallRecord, repair: CallRepairFacts, hash: Hasher): SessionEvent {
  const { facts, key } = record;
  return event(`call_${repair.result}`, [callKeyText(key)], hash, {
    project: key.project,
    session_id: key.session_id,
    request_id: factValue(facts.request_id),
    agent_id: key.agent_id,
    timestamp: isoTime(facts.call_repair?.at ?? record.first_at),
    tool_name: toolName(record),
    tool_call_id: key.tool_call_id,
    occurrence: key.occurrence,
    record_id: recordId(key, hash),
    model_name: factValue(facts.model),
    provider: factValue(facts.provider),
    classes: repair.classes,
    paths: repair.paths,
    problem: repair.problem ?? null,
    reason: repair.reason ?? null,
    before: repair.before ?? null,
    after: repair.after ?? null,
  });
}

/** Emitted when an upstream rejects a request with a repaired call. */
export function repairSuspended(suspension: SuspensionObservation, hash: Hasher): SessionEvent {
  const { project, session_id, request_id, agent_id } = suspension;
  return event("repair_suspended", [project, request_id], hash, {
    project,
    session_id,
    request_id,
    agent_id,
    timestamp: isoTime(suspension.occurred_at),
    model_name: suspension.model ?? null,
    provider: suspension.provider ?? null,
    http_status: suspension.http_status,
    message: suspension.message ?? null,
    tool_call_ids: suspension.tool_call_ids,
  });
}

const NONE = {} as const;
const SUCCESS = { ok: true, failed: false, unknown: null, pending: null } as const satisfies Record<
  RecordStatus,
  boolean | null
>;

// Written field by field, because these two events are emitted for every call: spreading common parts takes longer than
// everything else.
export function toolCallRequested(record: CallRecord, hash: Hasher): SessionEvent {
  const { facts, key } = record;
  const type = "tool_call_requested";
  const fields = {
    type,
    v: 1,
    event_id: eventId(`${type}\u0000${callKeyText(key)}`, hash),
    project: key.project,
    session_id: key.session_id,
    request_id: factValue(facts.request_id),
    agent_id: key.agent_id,
    timestamp: isoTime(record.first_at),
    tool_name: toolName(record),
    tool_call_id: key.tool_call_id,
    occurrence: key.occurrence,
    record_id: recordId(key, hash),
    model_name: factValue(facts.model),
    provider: factValue(facts.provider),
    client: factValue(facts.client),
    sources: record.sources,
    origin: factValue(facts.origin),
    input_size_bytes: facts.arguments?.value.size_bytes ?? 0,
  } as const;
  return facts.recovery === undefined ? fields : { ...fields, ...facts.recovery.value };
}

export function toolCallRecorded(record: CallRecord, links: Partial<CallLinks> = NONE, hash: Hasher): SessionEvent {
  const { facts, key } = record;
  const status = recordStatus(record);
  const result = facts.result?.value;
  const outcome: Partial<OutcomeFacts> = result?.outcome ?? NONE;
  const type = "tool_call_recorded";
  // The id includes the outcome: a new outcome is a new event, a repeated line has the same id.
  const outcomeText = `${status}\u0000${outcome.category ?? ""}\u0000${outcome.rule ?? ""}`;
  const fields = {
    type,
    v: 1,
    event_id: eventId(`${type}\u0000${callKeyText(key)}\u0000${outcomeText}`, hash),
    project: key.project,
    session_id: key.session_id,
    request_id: factValue(facts.request_id),
    agent_id: key.agent_id,
    timestamp: isoTime(settledAt(record) ?? record.first_at),
    tool_name: toolName(record),
    tool_call_id: key.tool_call_id,
    occurrence: key.occurrence,
    record_id: recordId(key, hash),
    model_name: factValue(facts.model),
    provider: factValue(facts.provider),
    client: factValue(facts.client),
    sources: record.sources,
    origin: factValue(facts.origin),
    input_size_bytes: facts.arguments?.value.size_bytes ?? 0,
    success: SUCCESS[status],
    status,
    phase: orNull(outcome.phase),
    category: orNull(outcome.category),
    severity: orNull(outcome.severity),
    soft: outcome.soft === true,
    exit_code: orNull(outcome.exit_code),
    status_message: orNull(outcome.status_message),
    execution_time_ms: factValue(facts.execution_time_ms),
    turnaround_ms: orNull(turnaroundMs(record)),
    output_size_bytes: orNull(result?.size_bytes),
    workflow: orNull(workflowOf(record)),
    fingerprint: orNull(outcome.fingerprint),
    position: orNull(links.position),
    preceding_tool: orNull(links.preceding_tool),
    preceding_success: orNull(links.preceding_success),
    is_cascade_failure: orNull(links.is_cascade_failure),
    retry_of: orNull(links.retry_of),
    retry_count: orNull(links.retry_count),
    recovered_by: orNull(links.recovered_by),
    cascade_of: orNull(links.cascade_of),
    cascade_rule: orNull(links.cascade_rule),
  } as const;
  if (facts.recovery === undefined && links.loop === undefined) return fields;
  const loop = links.loop === undefined ? NONE : { loop_run: links.loop.run };
  return { ...fields, ...facts.recovery?.value, ...loop };
}

/** Emitted when the links of a recorded call change: a retry succeeded, or an earlier call arrived late. */
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

function linkFields(links: Partial<CallLinks> = NONE): Readonly<Record<string, unknown>> {
  return {
    position: orNull(links.position),
    preceding_tool: orNull(links.preceding_tool),
    preceding_success: orNull(links.preceding_success),
    is_cascade_failure: orNull(links.is_cascade_failure),
    retry_of: orNull(links.retry_of),
    retry_count: orNull(links.retry_count),
    recovered_by: orNull(links.recovered_by),
    cascade_of: orNull(links.cascade_of),
    cascade_rule: orNull(links.cascade_rule),
  };
}

export function event(
  type: string,
  identity: readonly string[],
  hash: Hasher,
  fields: Pick<SessionEvent, "project" | "session_id" | "timestamp"> & Readonly<Record<string, unknown>>,
): SessionEvent {
  return { type, v: 1, event_id: eventId([type, ...identity].join("\u0000"), hash), ...fields };
}

function eventId(identity: string, hash: Hasher): string {
  return hash(identity).slice(0, 24);
}
