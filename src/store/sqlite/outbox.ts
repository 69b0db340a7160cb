import type { CallRecord } from "../../core/model/call-record.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import { LINK_COLUMNS, linksOfRow } from "../columns.ts";
import type { OutboxEntry } from "../outbox-entries.ts";
import type { BackfillQuery, Backlog, Filled, OutboxRow, SentRow, Waiting } from "../outbox-port.ts";
import { callRow, sessionRow, sessionScores, WORKFLOW_OF_SESSION, workflowOfRow } from "../session-row.ts";
import type { Database, Row } from "./database.ts";

const COLUMNS = `target, id, kind, project, session_id, agent_id, tool_call_id, occurrence, version, sent_version,
  queued_at, due_at, lease_until, span_sent, sent_scores`;

/** A session changes with every call, so it is exported from time to time, not only when it is idle. */
const PUT = `INSERT INTO outbox (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 0, ?, ?, 0, 0, '{}')
  ON CONFLICT (project, session_id, target, id) DO UPDATE SET
    version = outbox.version + 1,
    queued_at = CASE WHEN outbox.version > outbox.sent_version THEN outbox.queued_at ELSE excluded.queued_at END,
    due_at = CASE WHEN outbox.kind = 'session' AND outbox.version > outbox.sent_version THEN outbox.due_at ELSE excluded.due_at END`;

export function putEntries(db: Database, targets: readonly string[], entries: readonly OutboxEntry[]): void {
  for (const target of targets) {
    for (const { kind, id, key, due_at } of entries) {
      const call = "tool_call_id" in key ? key : undefined;
      db.run(
        PUT,
        ...[target, id, kind, key.project, key.session_id],
        ...[call?.agent_id ?? null, call?.tool_call_id ?? null, call?.occurrence ?? null],
        ...[due_at, due_at],
      );
    }
  }
}

export function claimDue(
  db: Database,
  target: string,
  now: number,
  leaseUntil: number,
  limit: number,
): readonly OutboxRow[] {
  const rows = db.all(
    `SELECT * FROM outbox WHERE target = ? AND version > sent_version AND due_at <= ? AND lease_until <= ?
     ORDER BY due_at LIMIT ?`,
    ...[target, now, now, limit],
  );
  const claimed: OutboxRow[] = [];
  for (const row of rows) {
    const about = row.kind === "call" ? queuedCall(db, row) : queuedSession(db, row);
    const key = [row.project, row.session_id, target, row.id].map(String);
    if (about === undefined) {
      // The call was deleted or renumbered: do not export it.
      db.run("DELETE FROM outbox WHERE project = ? AND session_id = ? AND target = ? AND id = ?", ...key);
      continue;
    }
    db.run(
      "UPDATE outbox SET lease_until = ? WHERE project = ? AND session_id = ? AND target = ? AND id = ?",
      ...[leaseUntil, ...key],
    );
    claimed.push({
      id: String(row.id),
      project: String(row.project),
      session_id: String(row.session_id),
      version: Number(row.version),
      span_sent: Number(row.span_sent) === 1,
      sent_scores: JSON.parse(String(row.sent_scores)) as OutboxRow["sent_scores"],
      about,
    });
  }
  return claimed;
}

function queuedCall(db: Database, row: Row): Waiting | undefined {
  const [project, sessionId] = [String(row.project), String(row.session_id)];
  const found = db.get(
    `SELECT record_id, record, ${LINK_COLUMNS.join(", ")} FROM calls
     WHERE project = ? AND session_id = ? AND agent_id = ? AND tool_call_id = ? AND occurrence = ? AND call_count = 1`,
    ...[project, sessionId, String(row.agent_id), String(row.tool_call_id), Number(row.occurrence)],
  );
  if (found === undefined) return undefined;
  const record = JSON.parse(String(found.record)) as CallRecord;
  return {
    kind: "call",
    project,
    session_id: sessionId,
    call: callRow(String(found.record_id), record, linksOfRow(found)),
  };
}

function queuedSession(db: Database, row: Row): Waiting | undefined {
  const found = db.get(
    `SELECT record, ${WORKFLOW_OF_SESSION} FROM sessions s WHERE project = ? AND session_id = ?`,
    ...[String(row.project), String(row.session_id)],
  );
  if (found === undefined) return undefined;
  const session = JSON.parse(String(found.record)) as SessionRecord;
  return { kind: "session", session: sessionRow(session, workflowOfRow(found)), scores: sessionScores(session) };
}

export function markSent(db: Database, target: string, sent: readonly SentRow[]): void {
  for (const { id, project, session_id, version, span_sent, sent_scores } of sent) {
    db.run(
      `UPDATE outbox SET sent_version = max(sent_version, ?), span_sent = ?, sent_scores = ?, lease_until = 0
       WHERE project = ? AND session_id = ? AND target = ? AND id = ?`,
      ...[version, Number(span_sent), JSON.stringify(sent_scores), project, session_id, target, id],
    );
  }
}

export function dropExpired(db: Database, target: string, queuedBefore: number): number {
  return db.all(
    `UPDATE outbox SET sent_version = version, lease_until = 0 WHERE target = ? AND version > sent_version AND queued_at < ?
     RETURNING id`,
    ...[target, queuedBefore],
  ).length;
}

export function backlog(db: Database): readonly Backlog[] {
  return db
    .all(
      `SELECT target, count(*) AS waiting, min(queued_at) AS oldest FROM outbox WHERE version > sent_version
       GROUP BY target ORDER BY target`,
    )
    .map((row) => ({ target: String(row.target), waiting: Number(row.waiting), oldest: Number(row.oldest) }));
}

/** Adds sessions in the order of their last activity, some at a time, so that other writers can work in between. */
export function backfill(db: Database, target: string, query: BackfillQuery): Filled {
  const { since = 0, until = Number.MAX_SAFE_INTEGER, limit, now, force: again = false } = query;
  const [lastAt, project, sessionId] =
    query.cursor === undefined ? [since, "", ""] : (JSON.parse(query.cursor) as [number, string, string]);
  const sessions = db.all(
    `SELECT project, session_id, last_at FROM sessions
     WHERE last_at >= ? AND last_at < ? AND (last_at, project, session_id) > (?, ?, ?) ORDER BY last_at, project, session_id LIMIT ?`,
    ...[since, until, lastAt, project, sessionId, limit],
  );
  const reset = again ? ", span_sent = 0, sent_scores = '{}'" : "";
  const put = `ON CONFLICT (project, session_id, target, id) DO UPDATE SET version = outbox.version + 1, due_at = excluded.due_at,
    queued_at = excluded.queued_at${reset} RETURNING 1 AS put`;
  let items = 0;
  for (const row of sessions) {
    const key = [String(row.project), String(row.session_id)];
    items += db.all(
      `INSERT INTO outbox (${COLUMNS})
       SELECT ?, record_id, 'call', project, session_id, agent_id, tool_call_id, occurrence, 1, 0, ?, ?, 0, 0, '{}' FROM calls
       WHERE project = ? AND session_id = ? AND call_count = 1 ${put}`,
      ...[target, now, now, ...key],
    ).length;
    items += db.all(
      `INSERT INTO outbox (${COLUMNS})
       SELECT ?, trace_id, 'session', project, session_id, NULL, NULL, NULL, 1, 0, ?, ?, 0, 0, '{}' FROM sessions
       WHERE project = ? AND session_id = ? AND trace_id IS NOT NULL ${put}`,
      ...[target, now, now, ...key],
    ).length;
  }
  const last = sessions.length < limit ? undefined : sessions.at(-1);
  return {
    sessions: sessions.length,
    items,
    next_cursor: last === undefined ? null : JSON.stringify([Number(last.last_at), last.project, last.session_id]),
  };
}
