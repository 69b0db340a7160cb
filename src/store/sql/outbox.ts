import { type CallKey, recordId, traceId } from "../../core/model/call-key.ts";
import { type CallRecord, isCounted } from "../../core/model/call-record.ts";
import type { Changes } from "../../core/model/changes.ts";
import { sessionKeyText } from "../../core/model/fold.ts";
import type { Observation } from "../../core/model/observation.ts";
import type { PromptRecord } from "../../core/model/prompt-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import { isFinished, type SessionRecord } from "../../core/model/session-record.ts";
import { reportsUsage, type UsageRecord } from "../../core/model/usage-record.ts";
import { callRow } from "../call-row.ts";
import { hashText } from "../hash-text.ts";
import type { BackfillQuery, Backlog, Filled, OutboxRow, SentRow, Waiting } from "../outbox-port.ts";
import { responseFacts } from "../response-facts.ts";
import { sessionRow, sessionScores, WORKFLOW_OF_SESSION, workflowOfRow } from "../session-row.ts";
import type { Dialect } from "./dialect.ts";
import type { QueryRow } from "./driver.ts";
import { deleteFrom } from "./statements.ts";
import { LINK_COLUMNS, linksOfRow } from "./tables.ts";
import { change, query, type Statement, sameRow, select, together, type Work } from "./work.ts";

/** A call, response or session to export. */
type OutboxEntry =
  | { readonly kind: "call"; readonly id: string; readonly key: CallKey; readonly due_at: number }
  | {
      readonly kind: "usage" | "request";
      readonly id: string;
      readonly key: { readonly project: string; readonly session_id: string; readonly response: string };
      readonly due_at: number;
    }
  | {
      readonly kind: "session";
      readonly id: string;
      readonly key: { readonly project: string; readonly session_id: string };
      readonly due_at: number;
    };

/** A call is exported when it has not changed for this long. */
const EXPORT_DELAY_MS = 10_000;

type SessionRef = Pick<SessionRecord, "project" | "session_id">;

/** The entries that a batch adds to the outbox. Imports add none: users export the past with a backfill. */
export function outboxEntries(changes: Changes, observations: readonly Observation[]): readonly OutboxEntry[] {
  const live = new Map<string, number>();
  for (const observation of observations) {
    if (!observation.live) continue;
    const key = sessionKeyText(observation);
    live.set(key, Math.max(live.get(key) ?? 0, observation.seen_at));
  }
  const entries: OutboxEntry[] = [];
  const call = (record: CallRecord): void => {
    const seenAt = live.get(sessionKeyText(record.key));
    if (seenAt === undefined || !isCounted(record)) return;
    const id = recordId(record.key, hashText);
    entries.push({ kind: "call", id, key: record.key, due_at: seenAt + EXPORT_DELAY_MS });
  };
  for (const { record } of changes.written) call(record);
  for (const { record } of changes.relinked) call(record);
  const response = (kind: "usage" | "request", { project, session_id }: SessionRef, name: string): void => {
    const seenAt = live.get(sessionKeyText({ project, session_id }));
    if (seenAt === undefined) return;
    const key = { project, session_id, response: name };
    entries.push({ kind, id: `${kind}:${name}`, key, due_at: seenAt + EXPORT_DELAY_MS });
  };
  for (const { after, live } of changes.usages) if (live) response("usage", after, after.response);
  // A response with usage is exported with its usage record, which other sources may complete.
  for (const record of changes.requests)
    if (record.response !== undefined && !reportsUsage(record.response)) response("request", record, record.request_id);
  for (const session of changes.sessions) {
    const seenAt = live.get(sessionKeyText(session));
    if (seenAt === undefined) continue;
    const { project, session_id } = session;
    const id = traceId(session, hashText);
    entries.push({ kind: "session", id, key: { project, session_id }, due_at: seenAt + EXPORT_DELAY_MS });
  }
  return entries;
}

const COLUMNS = `target, id, kind, project, session_id, agent_id, tool_call_id, occurrence, version, sent_version,
  queued_at, due_at, lease_until, span_sent, sent_scores`;
/** The last values of {@link COLUMNS}, for an item that was never sent. */
const NEW = "0, 0, '{}'";
const KEY = { project: "text", session_id: "text", target: "text", id: "text" } as const;
const KEYS = Object.keys(KEY);
const CONFLICT = `ON CONFLICT (${KEYS.join(", ")}) DO UPDATE SET version = outbox.version + 1`;

/** A session changes with every call, so it is exported from time to time, not only when it is idle. */
const PUT: Statement = {
  parameters: {
    ...{ target: "text", id: "text", kind: "text", project: "text", session_id: "text", agent_id: "text" },
    ...{ tool_call_id: "text", occurrence: "integer", version: "integer", sent_version: "integer" },
    ...{ queued_at: "bigint", due_at: "bigint", lease_until: "bigint", span_sent: "integer", sent_scores: "text" },
  },
  key: () => KEYS,
  sql: ({ insert }) => `INSERT INTO outbox (${COLUMNS}) ${insert(COLUMNS.split(/,\s*/))} ${CONFLICT},
    queued_at = CASE WHEN outbox.version > outbox.sent_version THEN outbox.queued_at ELSE excluded.queued_at END,
    due_at = CASE WHEN outbox.kind = 'session' AND outbox.version > outbox.sent_version THEN outbox.due_at ELSE excluded.due_at END`,
};

export function putEntries(targets: readonly string[], entries: readonly OutboxEntry[]): Work<void> {
  const rows = targets.flatMap((target) =>
    entries.map(({ kind, id, key, due_at }) => {
      const call = "tool_call_id" in key ? key : undefined;
      // The key of a response is in the same column as the id of a call.
      const name = "response" in key ? key.response : (call?.tool_call_id ?? null);
      return [
        ...[target, id, kind, key.project, key.session_id],
        ...[call?.agent_id ?? null, name, call?.occurrence ?? null],
        ...[1, 0, due_at, due_at, 0, 0, "{}"],
      ];
    }),
  );
  return change(PUT, rows);
}

const REMOVE = deleteFrom("outbox", KEY);
const LEASE: Statement = {
  parameters: { ...KEY, lease_until: "bigint" },
  key: () => KEYS,
  sql: (row) =>
    `UPDATE outbox AS t SET lease_until = ${row.value("lease_until")} ${row.join("FROM")} WHERE ${sameRow(KEYS, row)}`,
};

/** Skips items that another server is claiming. */
export function* claimDue(
  { lockFreeRows }: Dialect,
  target: string,
  now: number,
  leaseUntil: number,
  limit: number,
): Work<readonly OutboxRow[]> {
  const rows = yield* query(
    `SELECT * FROM outbox WHERE target = ? AND version > sent_version AND due_at <= ? AND lease_until <= ?
     ORDER BY due_at LIMIT ? ${lockFreeRows}`,
    ...[target, now, now, limit],
  );
  const current = yield* currentStates(rows);
  const claimed: OutboxRow[] = [];
  const obsolete: string[][] = [];
  for (const row of rows) {
    const [id, project, session_id] = [String(row.id), String(row.project), String(row.session_id)];
    const about = current.get(row);
    if (about === undefined) obsolete.push([project, session_id, target, id]);
    else
      claimed.push({
        ...{ id, project, session_id, about },
        version: Number(row.version),
        // Earlier versions of Toolmend stored 1 for every span.
        span_digest: Number(row.span_sent),
        sent_scores: JSON.parse(String(row.sent_scores)) as OutboxRow["sent_scores"],
      });
  }
  // Calls that were deleted or renumbered are not exported.
  yield* change(REMOVE, obsolete);
  yield* change(
    LEASE,
    claimed.map(({ id, project, session_id }) => [project, session_id, target, id, leaseUntil]),
  );
  return claimed;
}

const QUEUED_CALL: Statement = {
  parameters: { project: "text", session_id: "text", agent_id: "text", tool_call_id: "text", occurrence: "integer" },
  sql: (row) => `SELECT ${["record_id", "record", ...LINK_COLUMNS].map((name) => `t.${name}`).join(", ")} FROM calls t
    WHERE ${sameRow(["project", "session_id", "agent_id", "tool_call_id", "occurrence"], row)} AND t.call_count = 1`,
};
const QUEUED_USAGE: Statement = {
  parameters: { project: "text", session_id: "text", response: "text" },
  sql: (row) => `SELECT t.record, (SELECT r.record FROM requests r WHERE r.project = t.project
      AND r.request_id = t.request_id AND r.session_id = t.session_id) AS request
    FROM usages t WHERE ${sameRow(["project", "session_id", "response"], row)}`,
};
const QUEUED_REQUEST: Statement = {
  parameters: { project: "text", session_id: "text", request_id: "text" },
  sql: (row) => `SELECT t.record AS request FROM requests t
    WHERE ${sameRow(["project", "session_id", "request_id"], row)}`,
};
const QUEUED_SESSION: Statement = {
  parameters: { project: "text", session_id: "text" },
  sql: ({ value }) => `SELECT s.record, ${WORKFLOW_OF_SESSION},
      (SELECT p.record FROM prompts p WHERE p.project = s.project AND p.session_id = s.session_id
       ORDER BY p.first_at, p.prompt LIMIT 1) AS first_prompt
    FROM sessions s
    WHERE s.project = ${value("project")} AND s.session_id = ${value("session_id")}`,
};

/** What queued items refer to; missing for deleted calls and sessions. */
function* currentStates(rows: readonly QueryRow[]): Work<ReadonlyMap<QueryRow, Waiting>> {
  const calls = rows.filter(({ kind }) => kind === "call");
  const sessions = rows.filter(({ kind }) => kind === "session");
  const usages = rows.filter(({ kind }) => kind === "usage");
  const requests = rows.filter(({ kind }) => kind === "request");
  const responseKey = (row: QueryRow): readonly string[] => [row.project, row.session_id, row.tool_call_id].map(String);
  const [foundCalls, foundSessions, foundUsages, foundRequests] = yield* together([
    select(
      QUEUED_CALL,
      calls.map((row) => [
        ...[row.project, row.session_id, row.agent_id, row.tool_call_id].map(String),
        Number(row.occurrence),
      ]),
    ),
    select(
      QUEUED_SESSION,
      sessions.map((row) => [String(row.project), String(row.session_id)]),
    ),
    select(QUEUED_USAGE, usages.map(responseKey)),
    select(QUEUED_REQUEST, requests.map(responseKey)),
  ]);
  const states = new Map<QueryRow, Waiting>();
  for (const [at, row] of calls.entries()) {
    const found = foundCalls[at]?.[0];
    if (found === undefined) continue;
    const record = JSON.parse(String(found.record)) as CallRecord;
    const call = callRow(String(found.record_id), record, linksOfRow(found));
    states.set(row, { kind: "call", project: record.key.project, session_id: record.key.session_id, call });
  }
  for (const [at, row] of sessions.entries()) {
    const found = foundSessions[at]?.[0];
    if (found === undefined) continue;
    const session = JSON.parse(String(found.record)) as SessionRecord;
    const prompt = parsed<PromptRecord>(found.first_prompt)?.text?.value;
    states.set(row, {
      kind: "session",
      session: sessionRow(session, workflowOfRow(found)),
      finished: isFinished(session),
      ...(prompt !== undefined && { prompt }),
      scores: sessionScores(session),
    });
  }
  const found = [...usages.entries()].map(([at, row]) => [row, foundUsages[at]?.[0]] as const);
  found.push(...[...requests.entries()].map(([at, row]) => [row, foundRequests[at]?.[0]] as const));
  for (const [row, record] of found) {
    const response = responseFacts(parsed<UsageRecord>(record?.record), parsed<RequestRecord>(record?.request));
    const [project, session_id] = [String(row.project), String(row.session_id)];
    if (response !== undefined) states.set(row, { kind: "response", project, session_id, response });
  }
  return states;
}

function parsed<T>(record: unknown): T | undefined {
  return typeof record === "string" ? (JSON.parse(record) as T) : undefined;
}

const MARK_SENT: Statement = {
  parameters: { ...KEY, version: "integer", span_sent: "integer", sent_scores: "text" },
  key: () => KEYS,
  sql: (row) => `UPDATE outbox AS t SET
      sent_version = CASE WHEN ${row.value("version")} > t.sent_version THEN ${row.value("version")} ELSE t.sent_version END,
      span_sent = ${row.value("span_sent")}, sent_scores = ${row.value("sent_scores")}, lease_until = 0
    ${row.join("FROM")} WHERE ${sameRow(KEYS, row)}`,
};

export function markSent(target: string, sent: readonly SentRow[]): Work<void> {
  const rows = sent.map(({ id, project, session_id, version, span_digest, sent_scores }) => [
    ...[project, session_id, target, id, version, span_digest, JSON.stringify(sent_scores)],
  ]);
  return change(MARK_SENT, rows);
}

export function* dropExpired(target: string, queuedBefore: number): Work<number> {
  const dropped = yield* query(
    `UPDATE outbox SET sent_version = version, lease_until = 0 WHERE target = ? AND version > sent_version AND queued_at < ?
     RETURNING id`,
    ...[target, queuedBefore],
  );
  return dropped.length;
}

export function* backlog(): Work<readonly Backlog[]> {
  const rows = yield* query(
    `SELECT target, count(*) AS waiting, min(queued_at) AS oldest FROM outbox WHERE version > sent_version
     GROUP BY target ORDER BY target`,
  );
  return rows.map((row) => ({ target: String(row.target), waiting: Number(row.waiting), oldest: Number(row.oldest) }));
}

/**
 * Statements that add the calls, the responses and the root of one session to the queue.
 *
 * @param force whether to send everything again
 */
function backfillSql(force: boolean): readonly { readonly sql: string; readonly isNested?: true }[] {
  const reset = force ? ", span_sent = 0, sent_scores = '{}'" : "";
  const put = `${CONFLICT}, due_at = excluded.due_at, queued_at = excluded.queued_at${reset} RETURNING 1 AS put`;
  const times = "1, 0, CAST(? AS BIGINT), CAST(? AS BIGINT)";
  const where = "WHERE project = ? AND session_id = ?";
  const response = (kind: string, name: string): string => `INSERT INTO outbox (${COLUMNS})
      SELECT ?, '${kind}:' || ${name}, '${kind}', project, session_id, NULL, ${name}, NULL, ${times}, ${NEW}`;
  return [
    {
      sql: `INSERT INTO outbox (${COLUMNS})
      SELECT ?, record_id, 'call', project, session_id, agent_id, tool_call_id, occurrence, ${times}, ${NEW}
      FROM calls ${where} AND call_count = 1 ORDER BY record_id ${put}`,
    },
    { sql: `${response("usage", "response")} FROM usages ${where} ORDER BY response ${put}` },
    {
      isNested: true,
      sql: `${response("request", "request_id")} FROM requests ${where} AND ended_at IS NOT NULL
      AND request_id NOT IN (SELECT request_id FROM usages ${where} AND request_id IS NOT NULL) ORDER BY request_id ${put}`,
    },
    {
      sql: `INSERT INTO outbox (${COLUMNS})
      SELECT ?, trace_id, 'session', project, session_id, NULL, NULL, NULL, ${times}, ${NEW}
      FROM sessions ${where} AND trace_id IS NOT NULL ${put}`,
    },
  ];
}

/** Adds sessions in the order of their last activity, some at a time, so that other writers can work in between. */
export function* backfill(target: string, range: BackfillQuery): Work<Filled> {
  const { since = 0, until = Number.MAX_SAFE_INTEGER, limit, now, force = false } = range;
  const start = range.cursor === undefined ? [since, "", ""] : (JSON.parse(range.cursor) as [number, string, string]);
  const sessions = yield* query(
    `SELECT project, session_id, last_at FROM sessions
     WHERE last_at >= ? AND last_at < ? AND (last_at, project, session_id) > (?, ?, ?) ORDER BY last_at, project, session_id LIMIT ?`,
    ...[since, until, ...start, limit],
  );
  const sql = backfillSql(force);
  const parts = sessions.flatMap(({ project, session_id }) => {
    const session = [String(project), String(session_id)];
    const values = [target, now, now, ...session];
    return sql.map((one) => query(one.sql, ...values, ...(one.isNested === true ? session : [])));
  });
  const added = (yield* together(parts)) as readonly (readonly QueryRow[])[];
  const last = sessions.length < limit ? undefined : sessions.at(-1);
  return {
    sessions: sessions.length,
    items: added.reduce((sum, rows) => sum + rows.length, 0),
    next_cursor: last === undefined ? null : JSON.stringify([Number(last.last_at), last.project, last.session_id]),
  };
}
