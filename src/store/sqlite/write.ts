import { type CallKey, recordId, traceId } from "../../core/model/call-key.ts";
import type { CallLinks } from "../../core/model/call-links.ts";
import {
  type CallRecord,
  isCounted,
  recordStatus,
  settledAt,
  toolName,
  turnaroundMs,
  workflowOf,
} from "../../core/model/call-record.ts";
import type { Changes } from "../../core/model/changes.ts";
import type { LeakObservation } from "../../core/model/observation.ts";
import type { PromptRecord } from "../../core/model/prompt-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { SessionEvent } from "../../core/model/session-event.ts";
import { type SessionRecord, scoredAt, worstSeverity } from "../../core/model/session-record.ts";
import { orderOf } from "../../core/score/chain-call.ts";
import { scoreSession } from "../../core/score/scores.ts";
import { hashText } from "../hash-text.ts";
import { LINK_COLUMNS, linkColumns } from "../link-columns.ts";
import type { Database, Value } from "./database.ts";
import { lastEvent } from "./last-event.ts";
import { writeSuspension } from "./repair-rows.ts";
import { writeFigures, writeSessionHours } from "./write-figures.ts";

/** Writes everything a batch changed. Must run inside the transaction that also keeps the journal position. */
export function write(db: Database, changes: Changes): void {
  for (const key of changes.removed) removeCall(db, key);
  for (const { record, links } of changes.written) writeCall(db, record, links);
  for (const { record, after } of changes.relinked) writeLinks(db, record.key, after);
  for (const session of changes.sessions) writeSession(db, session);
  for (const [key, firstAt] of changes.threads) writeThread(db, key, firstAt);
  for (const request of changes.requests) writeRequest(db, request);
  for (const leak of changes.leaks) writeLeak(db, leak);
  for (const refusal of changes.suspensions) writeSuspension(db, refusal);
  for (const prompt of changes.prompts) writePrompt(db, prompt);
  writeFigures(db, changes);
  writeSessionHours(db, changes.sessionHours);
  writeEvents(db, changes.events);
}

function writeCall(db: Database, record: CallRecord, links: CallLinks | undefined): void {
  const { key, facts } = record;
  const id = recordId(key, hashText);
  const order = orderOf(record, id);
  const outcome = facts.result?.value.outcome;
  const counted = isCounted(record);
  upsert(db, "calls", ["project", "session_id", "agent_id", "tool_call_id", "occurrence"], {
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
    inherited_from: record.inherited_from ?? null,
    call_count: Number(counted),
    error_count: Number(counted && outcome?.status === "failed"),
    created_at: new Date(record.first_at).toISOString(),
    thread_order: order.thread_order,
    turn: facts.turn?.value ?? null,
    turn_index: order.turn_index,
    prompt: facts.prompt?.value ?? null,
    workflow: workflowOf(record) ?? null,
    fingerprint: outcome?.fingerprint ?? null,
    ...linkColumns(links),
    record: JSON.stringify(record),
  });
}

export function writeLinks(db: Database, key: CallKey, links: CallLinks | undefined): void {
  db.run(
    `UPDATE calls SET ${LINK_COLUMNS.map((name) => `${name} = ?`).join(", ")}
     WHERE project = ? AND session_id = ? AND agent_id = ? AND tool_call_id = ? AND occurrence = ?`,
    ...Object.values(linkColumns(links)),
    ...[key.project, key.session_id, key.agent_id, key.tool_call_id, key.occurrence],
  );
}

/** The conversation of its thread in which a call was first placed; hooks and transcripts know none. */
function conversationOf({ places }: CallRecord): string | null {
  const place = places.find((one) => !one.startsWith("/"));
  return place === undefined ? null : place.slice(0, place.lastIndexOf("/"));
}

function removeCall(db: Database, key: CallKey): void {
  db.run(
    "DELETE FROM calls WHERE project = ? AND session_id = ? AND agent_id = ? AND tool_call_id = ? AND occurrence = ?",
    ...[key.project, key.session_id, key.agent_id, key.tool_call_id, key.occurrence],
  );
}

export function writeSession(db: Database, session: SessionRecord): void {
  const { session_health, session_rate_health, session_success_rate, dominant_failure_mode } = scoreSession(
    { ...session.tally, categories: session.categories },
    session.thresholds,
  );
  upsert(db, "sessions", ["project", "session_id"], {
    project: session.project,
    session_id: session.session_id,
    started_at: new Date(session.started_at).toISOString(),
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
    scored_at: scoredAt(session) ?? 0,
    record: JSON.stringify(session),
  });
}

function writeThread(db: Database, key: string, firstAt: number): void {
  const [project, session_id, agent_id] = key.split("\u0000") as [string, string, string];
  upsert(db, "threads", ["project", "session_id", "agent_id"], { project, session_id, agent_id, first_at: firstAt });
}

function writeRequest(db: Database, record: RequestRecord): void {
  const { request, response } = record;
  upsert(db, "requests", ["project", "request_id"], {
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
    record: JSON.stringify(record),
  });
}

function writeLeak(db: Database, leak: LeakObservation): void {
  upsert(db, "leaks", ["project", "request_id", "result", "format", "reason"], {
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
  });
}

function writePrompt(db: Database, record: PromptRecord): void {
  upsert(db, "prompts", ["project", "session_id", "prompt"], {
    project: record.project,
    session_id: record.session_id,
    prompt: record.prompt,
    workflow: record.workflow?.value ?? null,
    first_at: record.first_at,
    record: JSON.stringify(record),
  });
}

const EVENTS_PER_ROW = 500;

/** Many lines to a row: events are written, read and deleted in a row, one after the other. */
function writeEvents(db: Database, events: readonly SessionEvent[]): void {
  let last = lastEvent(db);
  for (let at = 0; at < events.length; at += EVENTS_PER_ROW) {
    const lines = events.slice(at, at + EVENTS_PER_ROW).map((event) => JSON.stringify(event));
    last += lines.length;
    db.run("INSERT INTO changes (id, line) VALUES (?, ?)", last, lines.join("\n"));
  }
}

const UPSERTS = new Map<string, string>();

function upsert(db: Database, table: string, keys: readonly string[], row: Readonly<Record<string, Value>>): void {
  let sql = UPSERTS.get(table);
  if (sql === undefined) {
    const names = Object.keys(row);
    const updates = names.filter((name) => !keys.includes(name)).map((name) => `${name} = excluded.${name}`);
    sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
      ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${updates.join(", ")}`;
    UPSERTS.set(table, sql);
  }
  db.run(sql, ...Object.values(row));
}
