import { traceId } from "../core/model/call-key.ts";
import { isoTime } from "../core/model/iso-time.ts";
import type { PromptRecord } from "../core/model/prompt-record.ts";
import { isLooping, type SessionRecord, sessionAggregatesOf, worstSeverity } from "../core/model/session-record.ts";
import { tokenColumns } from "../core/model/token-usage.ts";
import { listScores, type Score, scoreSession } from "../core/score/scores.ts";
import { hashText } from "./hash-text.ts";
import type { PromptRow, SessionRow } from "./rows.ts";

/** A row of the session list. The workflow comes from the facets. */
export function sessionRow(session: SessionRecord, workflow: string | null): SessionRow {
  const { session_success_rate, session_health, session_rate_health, dominant_failure_mode } = scoresOf(session);
  return {
    project: session.project,
    session_id: session.session_id,
    trace_id: traceId(session, hashText),
    source: session.sources.join("+"),
    client: session.client?.value ?? null,
    folder: session.folder?.value ?? null,
    branch: session.branch?.value ?? null,
    task: session.task?.value ?? null,
    provider: session.provider?.value ?? null,
    model_used: session.model_used?.value ?? null,
    started_at: isoTime(session.started_at),
    last_at: isoTime(session.last_at),
    stopped_at: session.stopped_at === undefined ? null : isoTime(session.stopped_at),
    ended_at: session.ended_at === undefined ? null : isoTime(session.ended_at),
    requests: session.requests,
    ...session.tally,
    ...tokenColumns(session.usage),
    success_rate: session_success_rate ?? null,
    health: session_health,
    rate_health: session_rate_health,
    dominant_failure_mode: dominant_failure_mode ?? null,
    worst_severity: worstSeverity(session) ?? null,
    workflow,
    loops: session.loops?.found ?? 0,
    looping: isLooping(session),
  };
}

export function sessionScores(session: SessionRecord): readonly Score[] {
  return listScores(traceId(session, hashText), scoresOf(session));
}

function scoresOf(session: SessionRecord): ReturnType<typeof scoreSession> {
  return scoreSession(sessionAggregatesOf(session), session.thresholds);
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
