import { traceId } from "../core/model/call-key.ts";
import type { CallLinks } from "../core/model/call-links.ts";
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
import type { PromptRecord } from "../core/model/prompt-record.ts";
import { scoredCallOf } from "../core/model/rollup.ts";
import { type SessionRecord, worstSeverity } from "../core/model/session-record.ts";
import { listScores, type Score, scoreCall, scoreSession } from "../core/score/scores.ts";
import { hashText } from "./hash-text.ts";
import type { CallRow, PromptRow, SessionRow } from "./rows.ts";

/** A session as the list shows it. What it worked on stands with its facets. */
export function sessionRow(session: SessionRecord, workflow: string | null): SessionRow {
  const { session_success_rate, session_health, session_rate_health, dominant_failure_mode } = scoresOf(session);
  return {
    project: session.project,
    session_id: session.session_id,
    trace_id: traceId(session, hashText),
    source: session.sources.join("+"),
    client: session.client?.value ?? null,
    provider: session.provider?.value ?? null,
    model_used: session.model_used?.value ?? null,
    started_at: isoTime(session.started_at),
    last_at: isoTime(session.last_at),
    stopped_at: session.stopped_at === undefined ? null : isoTime(session.stopped_at),
    ended_at: session.ended_at === undefined ? null : isoTime(session.ended_at),
    requests: session.requests,
    ...session.tally,
    success_rate: session_success_rate ?? null,
    health: session_health,
    rate_health: session_rate_health,
    dominant_failure_mode: dominant_failure_mode ?? null,
    worst_severity: worstSeverity(session) ?? null,
    workflow,
  };
}

export function sessionScores(session: SessionRecord): readonly Score[] {
  return listScores(traceId(session, hashText), scoresOf(session));
}

function scoresOf({ tally, categories, thresholds }: SessionRecord): ReturnType<typeof scoreSession> {
  return scoreSession({ ...tally, categories }, thresholds);
}

/** A call as a session's story shows it. */
export function callRow(id: string, record: CallRecord, links: CallLinks | undefined): CallRow {
  const { key, facts } = record;
  const result = facts.result?.value;
  const outcome = result?.outcome;
  const settled = settledAt(record);
  return {
    id,
    agent_id: key.agent_id,
    tool_call_id: key.tool_call_id,
    occurrence: key.occurrence,
    tool_name: toolName(record),
    status: recordStatus(record),
    phase: outcome?.phase ?? null,
    category: outcome?.category ?? null,
    severity: outcome?.severity ?? null,
    soft: outcome?.soft === true,
    retryable: outcome?.retryable ?? null,
    exit_code: outcome?.exit_code ?? null,
    status_message: outcome?.status_message ?? null,
    rule: outcome?.rule ?? null,
    confidence: outcome?.confidence ?? null,
    excerpt: outcome?.excerpt ?? null,
    arguments_preview: facts.preview?.value ?? null,
    fingerprint: outcome?.fingerprint ?? null,
    model_name: facts.model?.value ?? null,
    provider: facts.provider?.value ?? null,
    client: facts.client?.value ?? null,
    source: record.sources.join("+"),
    origin: facts.origin?.value ?? null,
    format: facts.recovery?.value.format ?? null,
    request_id: facts.request_id?.value ?? null,
    turn: facts.turn?.value ?? null,
    prompt: facts.prompt?.value ?? null,
    workflow: workflowOf(record) ?? null,
    at: isoTime(record.first_at),
    settled_at: settled === undefined ? null : isoTime(settled),
    execution_time_ms: facts.execution_time_ms?.value ?? null,
    turnaround_ms: turnaroundMs(record) ?? null,
    input_size_bytes: facts.arguments?.value.size_bytes ?? 0,
    output_size_bytes: result?.size_bytes ?? null,
    inherited: record.inherited_from !== undefined,
    position: links?.position ?? null,
    preceding_tool: links?.preceding_tool ?? null,
    preceding_success: links?.preceding_success ?? null,
    is_cascade_failure: links?.is_cascade_failure ?? null,
    retry_of: links?.retry_of ?? null,
    retry_count: links?.retry_count ?? null,
    recovered_by: links?.recovered_by ?? null,
    cascade_of: links?.cascade_of ?? null,
    cascade_rule: links?.cascade_rule ?? null,
    scores: isCounted(record) ? listScores(id, scoreCall(scoredCallOf(record, links))) : [],
  };
}

export function promptRow({ prompt, workflow, first_at }: PromptRecord): PromptRow {
  return { prompt, workflow: workflow?.value ?? null, at: isoTime(first_at) };
}

/** What most calls of a session worked on, as a column; of equals the first by name. What is no kind of its own comes last. */
export const WORKFLOW_OF_SESSION = `(SELECT f.value FROM session_facets f
  WHERE f.project = s.project AND f.session_id = s.session_id AND f.kind = 'workflow' AND f.calls > 0
  ORDER BY f.value = 'other', f.calls DESC, f.value LIMIT 1) AS workflow`;

export function workflowOfRow({ workflow }: Readonly<Record<string, unknown>>): string | null {
  return typeof workflow === "string" ? workflow : null;
}
