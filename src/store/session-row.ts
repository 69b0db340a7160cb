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
import { factValue, orNull } from "../core/model/facts.ts";
import { isoTime } from "../core/model/iso-time.ts";
import type { OutcomeFacts } from "../core/model/observation.ts";
import type { PromptRecord } from "../core/model/prompt-record.ts";
import { scoredCallOf } from "../core/model/rollup.ts";
import { type SessionRecord, worstSeverity } from "../core/model/session-record.ts";
import { listScores, type Score, scoreCall, scoreSession } from "../core/score/scores.ts";
import { hashText } from "./hash-text.ts";
import type { CallRow, PromptRow, SessionRow } from "./rows.ts";

/** A row of the session list. The workflow comes from the facets. */
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

const NONE = {} as const;

export function callRow(id: string, record: CallRecord, given: CallLinks | undefined): CallRow {
  const { key, facts } = record;
  const links: Partial<CallLinks> = given ?? NONE;
  const result = facts.result?.value;
  const outcome: Partial<OutcomeFacts> = result?.outcome ?? NONE;
  const settled = settledAt(record);
  return {
    id,
    agent_id: key.agent_id,
    tool_call_id: key.tool_call_id,
    occurrence: key.occurrence,
    tool_name: toolName(record),
    status: recordStatus(record),
    phase: orNull(outcome.phase),
    category: orNull(outcome.category),
    severity: orNull(outcome.severity),
    soft: outcome.soft === true,
    retryable: orNull(outcome.retryable),
    exit_code: orNull(outcome.exit_code),
    status_message: orNull(outcome.status_message),
    rule: orNull(outcome.rule),
    confidence: orNull(outcome.confidence),
    excerpt: orNull(outcome.excerpt),
    arguments_preview: factValue(facts.preview),
    fingerprint: orNull(outcome.fingerprint),
    model_name: factValue(facts.model),
    provider: factValue(facts.provider),
    client: factValue(facts.client),
    source: record.sources.join("+"),
    origin: factValue(facts.origin),
    format: orNull(facts.recovery?.value.format),
    request_id: factValue(facts.request_id),
    turn: factValue(facts.turn),
    prompt: factValue(facts.prompt),
    workflow: orNull(workflowOf(record)),
    at: isoTime(record.first_at),
    settled_at: settled === undefined ? null : isoTime(settled),
    execution_time_ms: factValue(facts.execution_time_ms),
    turnaround_ms: orNull(turnaroundMs(record)),
    input_size_bytes: facts.arguments?.value.size_bytes ?? 0,
    output_size_bytes: orNull(result?.size_bytes),
    inherited: record.inherited_from !== undefined,
    position: orNull(links.position),
    preceding_tool: orNull(links.preceding_tool),
    preceding_success: orNull(links.preceding_success),
    is_cascade_failure: orNull(links.is_cascade_failure),
    retry_of: orNull(links.retry_of),
    retry_count: orNull(links.retry_count),
    recovered_by: orNull(links.recovered_by),
    cascade_of: orNull(links.cascade_of),
    cascade_rule: orNull(links.cascade_rule),
    scores: isCounted(record) ? listScores(id, scoreCall(scoredCallOf(record, given))) : [],
  };
}

export function promptRow({ prompt, workflow, first_at }: PromptRecord): PromptRow {
  return { prompt, workflow: workflow?.value ?? null, at: isoTime(first_at) };
}

/** A column with the workflow of most calls of a session. Ties by name; `other` only without any other workflow. */
export const WORKFLOW_OF_SESSION = `(SELECT f.value FROM session_facets f
  WHERE f.project = s.project AND f.session_id = s.session_id AND f.kind = 'workflow' AND f.calls > 0
  ORDER BY f.value = 'other', f.calls DESC, f.value LIMIT 1) AS workflow`;

export function workflowOfRow({ workflow }: Readonly<Record<string, unknown>>): string | null {
  return typeof workflow === "string" ? workflow : null;
}
