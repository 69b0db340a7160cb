import type { CallRecord } from "../../core/model/call-record.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import { LINK_COLUMNS, linksOfRow } from "../columns.ts";
import type { OutboxEntry } from "../outbox-entries.ts";
import type { BackfillQuery, Backlog, Filled, OutboxRow, SentRow, Waiting } from "../outbox-port.ts";
import { callRow, sessionRow, sessionScores, WORKFLOW_OF_SESSION, workflowOfRow } from "../session-row.ts";
import type { Queries, Row } from "./database.ts";
import { sortedByKey } from "./tables.ts";

const COLUMNS = `target, id, kind, project, session_id, agent_id, tool_call_id, occurrence, version, sent_version,
  queued_at, due_at, lease_until, span_sent, sent_scores`;
const KEY = ["project", "session_id", "target", "id"] as const;

/** A session changes with every call, so it is exported from time to time, not only when it is idle. */
const PUT = `INSERT INTO outbox (${COLUMNS})
  SELECT ?, k.id, k.kind, k.project, k.session_id, k.agent_id, k.tool_call_id, k.occurrence, 1, 0, k.due_at, k.due_at, 0, 0, '{}'
  FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::bigint[])
    AS k(id, kind, project, session_id, agent_id, tool_call_id, occurrence, due_at)
  ON CONFLICT (project, session_id, target, id) DO UPDATE SET
    version = outbox.version + 1,
    queued_at = CASE WHEN outbox.version > outbox.sent_version THEN outbox.queued_at ELSE excluded.queued_at END,
    due_at = CASE WHEN outbox.kind = 'session' AND outbox.version > outbox.sent_version THEN outbox.due_at ELSE excluded.due_at END`;

export async function putEntries(
  db: Queries,
  targets: readonly string[],
  entries: readonly OutboxEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows = sortedByKey(
    ["project", "session_id", "id"],
    entries.map(({ id, kind, key, due_at }) => ({
      ...{ id, kind, project: key.project, session_id: key.session_id, due_at },
      agent_id: "agent_id" in key ? key.agent_id : null,
      tool_call_id: "tool_call_id" in key ? key.tool_call_id : null,
      occurrence: "occurrence" in key ? key.occurrence : null,
    })),
  );
  const names = ["id", "kind", "project", "session_id", "agent_id", "tool_call_id", "occurrence", "due_at"];
  for (const target of targets) await db.all(PUT, target, ...names.map((name) => rows.map((row) => row[name] ?? null)));
}

/** Skips items that another replica is claiming. */
export async function claimDue(
  db: Queries,
  target: string,
  now: number,
  leaseUntil: number,
  limit: number,
): Promise<readonly OutboxRow[]> {
  const rows = await db.all(
    `SELECT * FROM outbox WHERE target = ? AND version > sent_version AND due_at <= ? AND lease_until <= ?
     ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED`,
    ...[target, now, now, limit],
  );
  if (rows.length === 0) return [];
  const [calls, sessions] = [await waitingCalls(db, rows), await waitingSessions(db, rows)];
  const claimed: OutboxRow[] = [];
  const obsolete: Row[] = [];
  for (const row of rows) {
    const about = row.kind === "call" ? calls.get(String(row.id)) : sessions.get(sessionText(row));
    if (about === undefined) obsolete.push(row);
    else
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
  // Calls that were deleted or renumbered are not exported.
  if (obsolete.length > 0)
    await db.all(`DELETE FROM outbox o USING ${KEYS} WHERE ${SAME}`, ...keysOf(target, obsolete));
  await db.all(
    `UPDATE outbox o SET lease_until = ? FROM ${KEYS} WHERE ${SAME}`,
    leaseUntil,
    ...keysOf(target, claimed),
  );
  return claimed;
}

const KEYS = "unnest(?::text[], ?::text[], ?::text[], ?::text[]) AS k(project, session_id, target, id)";
const SAME = KEY.map((name) => `o.${name} = k.${name}`).join(" AND ");

function keysOf(
  target: string,
  rows: readonly { readonly project?: unknown; readonly session_id?: unknown; readonly id?: unknown }[],
): (readonly string[])[] {
  return [
    rows.map(({ project }) => String(project)),
    rows.map(({ session_id }) => String(session_id)),
    rows.map(() => target),
    rows.map(({ id }) => String(id)),
  ];
}

async function waitingCalls(db: Queries, rows: readonly Row[]): Promise<ReadonlyMap<string, Waiting>> {
  const own = rows.filter(({ kind }) => kind === "call");
  const texts = ["id", "project", "session_id", "agent_id", "tool_call_id"].map((name) =>
    own.map((row) => String(row[name])),
  );
  const found = await db.all(
    `SELECT k.id AS outbox_id, c.project, c.session_id, c.record_id, c.record, ${LINK_COLUMNS.map((name) => `c.${name}`).join(", ")}
     FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[])
       AS k(id, project, session_id, agent_id, tool_call_id, occurrence)
     JOIN calls c ON c.project = k.project AND c.session_id = k.session_id AND c.agent_id = k.agent_id
       AND c.tool_call_id = k.tool_call_id AND c.occurrence = k.occurrence AND c.call_count = 1`,
    ...[...texts, own.map((row) => Number(row.occurrence))],
  );
  return new Map(
    found.map((row) => {
      const record = JSON.parse(String(row.record)) as CallRecord;
      const call = callRow(String(row.record_id), record, linksOfRow(row));
      const { project, session_id } = record.key;
      return [String(row.outbox_id), { kind: "call", project, session_id, call }];
    }),
  );
}

async function waitingSessions(db: Queries, rows: readonly Row[]): Promise<ReadonlyMap<string, Waiting>> {
  const own = rows.filter(({ kind }) => kind === "session");
  const found = await db.all(
    `SELECT s.record, ${WORKFLOW_OF_SESSION} FROM unnest(?::text[], ?::text[]) AS k(project, session_id)
     JOIN sessions s ON s.project = k.project AND s.session_id = k.session_id`,
    ...["project", "session_id"].map((name) => own.map((row) => String(row[name]))),
  );
  return new Map(
    found.map((row) => {
      const session = JSON.parse(String(row.record)) as SessionRecord;
      const current = sessionRow(session, workflowOfRow(row));
      return [sessionText(session), { kind: "session", session: current, scores: sessionScores(session) }];
    }),
  );
}

function sessionText({ project, session_id }: { readonly project?: unknown; readonly session_id?: unknown }): string {
  return `${String(project)}\u0000${String(session_id)}`;
}

export async function markSent(db: Queries, target: string, sent: readonly SentRow[]): Promise<void> {
  if (sent.length === 0) return;
  const rows = sortedByKey(
    ["project", "session_id", "id"],
    sent.map(({ id, project, session_id, version, span_sent, sent_scores }) => ({
      ...{ id, project, session_id, version, span_sent: Number(span_sent) },
      sent_scores: JSON.stringify(sent_scores),
    })),
  );
  const names = ["id", "project", "session_id", "version", "span_sent", "sent_scores"];
  await db.all(
    `UPDATE outbox o SET sent_version = greatest(o.sent_version, k.version), span_sent = k.span_sent, sent_scores = k.sent_scores,
       lease_until = 0
     FROM unnest(?::text[], ?::text[], ?::text[], ?::integer[], ?::integer[], ?::text[])
       AS k(id, project, session_id, version, span_sent, sent_scores)
     WHERE o.target = ? AND o.project = k.project AND o.session_id = k.session_id AND o.id = k.id`,
    ...[...names.map((name) => rows.map((row) => row[name] ?? null)), target],
  );
}

export async function dropExpired(db: Queries, target: string, queuedBefore: number): Promise<number> {
  const rows = await db.all(
    `UPDATE outbox SET sent_version = version, lease_until = 0 WHERE target = ? AND version > sent_version AND queued_at < ?
     RETURNING id`,
    ...[target, queuedBefore],
  );
  return rows.length;
}

export async function backlog(db: Queries): Promise<readonly Backlog[]> {
  const rows = await db.all(
    `SELECT target, count(*) AS waiting, min(queued_at) AS oldest FROM outbox WHERE version > sent_version
     GROUP BY target ORDER BY target`,
  );
  return rows.map((row) => ({
    target: String(row.target),
    waiting: Number(row.waiting),
    oldest: Number(row.oldest),
  }));
}

/** Adds sessions in the order of their last activity, some at a time. */
export async function backfill(db: Queries, target: string, query: BackfillQuery): Promise<Filled> {
  const { since = 0, until = Number.MAX_SAFE_INTEGER, limit, now, force: again = false } = query;
  const start = query.cursor === undefined ? [since, "", ""] : (JSON.parse(query.cursor) as [number, string, string]);
  const sessions = await db.all(
    `SELECT project, session_id, last_at FROM sessions
     WHERE last_at >= ? AND last_at < ? AND (last_at, project, session_id) > (?, ?, ?) ORDER BY last_at, project, session_id LIMIT ?`,
    ...[since, until, ...start, limit],
  );
  const keys = ["project", "session_id"].map((name) => sessions.map((row) => String(row[name])));
  const forget = again ? ", span_sent = 0, sent_scores = '{}'" : "";
  const put = `ON CONFLICT (project, session_id, target, id) DO UPDATE SET version = outbox.version + 1, due_at = excluded.due_at,
    queued_at = excluded.queued_at${forget} RETURNING 1 AS put`;
  const from = `FROM unnest(?::text[], ?::text[]) AS k(project, session_id)`;
  const calls = await db.all(
    `INSERT INTO outbox (${COLUMNS})
     SELECT ?, c.record_id, 'call', c.project, c.session_id, c.agent_id, c.tool_call_id, c.occurrence, 1, 0, ?::bigint, ?::bigint, 0, 0, '{}'
     ${from} JOIN calls c ON c.project = k.project AND c.session_id = k.session_id WHERE c.call_count = 1
     ORDER BY c.project, c.session_id, c.record_id ${put}`,
    ...[target, now, now, ...keys],
  );
  const sessionItems = await db.all(
    `INSERT INTO outbox (${COLUMNS})
     SELECT ?, s.trace_id, 'session', s.project, s.session_id, NULL, NULL, NULL, 1, 0, ?::bigint, ?::bigint, 0, 0, '{}'
     ${from} JOIN sessions s ON s.project = k.project AND s.session_id = k.session_id WHERE s.trace_id IS NOT NULL
     ORDER BY s.project, s.session_id ${put}`,
    ...[target, now, now, ...keys],
  );
  const last = sessions.length < limit ? undefined : sessions.at(-1);
  return {
    sessions: sessions.length,
    items: calls.length + sessionItems.length,
    next_cursor: last === undefined ? null : JSON.stringify([Number(last.last_at), last.project, last.session_id]),
  };
}
