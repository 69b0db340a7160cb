import type { CallRecord } from "../../core/model/call-record.ts";
import type { LeakObservation, SuspensionObservation } from "../../core/model/observation.ts";
import { HOUR } from "../../core/model/rollup.ts";
import { addTally, EMPTY_TALLY, failureRate, type SessionRecord, type Tally } from "../../core/model/session-record.ts";
import type { CallOrigin } from "../../core/model/tool-call.ts";
import type {
  IdleSession,
  LeakQuery,
  LeakRow,
  OriginRow,
  PendingRepairedCall,
  Range,
  SessionQuery,
  SuspensionRow,
} from "../port.ts";
import { toPendingRepairedCall } from "./call-lookups.ts";
import { type SqlDriver, type Where, whereOf } from "./driver.ts";

export async function leaks(db: SqlDriver, query: LeakQuery): Promise<readonly LeakRow[]> {
  const [where, values] = occurredIn(query);
  const rows = await db.all(
    `SELECT record FROM leaks ${where} ORDER BY occurred_at DESC, request_id, format, reason LIMIT ?`,
    ...[...values, query.limit ?? 100],
  );
  return rows.map((row) => leakRow(JSON.parse(row.record as string) as LeakObservation));
}

/** A session with more leaks shows the same problem again and again. */
const MAX_LEAKS_PER_SESSION = 1000;

/** The leaks of a session, oldest first. */
export async function leaksOfSession(db: SqlDriver, project: string, sessionId: string): Promise<readonly LeakRow[]> {
  const rows = await db.all(
    `SELECT record FROM leaks WHERE project = ? AND session_id = ?
     ORDER BY occurred_at, request_id, format, reason LIMIT ${MAX_LEAKS_PER_SESSION}`,
    ...[project, sessionId],
  );
  return rows.map((row) => leakRow(JSON.parse(row.record as string) as LeakObservation));
}

function occurredIn({ project, since, until }: Range): Where {
  return whereOf([
    ["project = ?", project],
    ["occurred_at >= ?", since],
    ["occurred_at < ?", until],
  ]);
}

export async function suspensions(db: SqlDriver, query: SessionQuery): Promise<readonly SuspensionRow[]> {
  const [where, values] = occurredIn(query);
  const rows = await db.all(
    `SELECT record FROM suspensions ${where} ORDER BY occurred_at DESC, request_id LIMIT ?`,
    ...[...values, query.limit ?? 100],
  );
  return rows.map((row) => suspensionRow(JSON.parse(row.record as string) as SuspensionObservation));
}

/** Fast, because pending calls have their own index. */
export async function pendingRepairedCalls(
  db: SqlDriver,
  since: number,
  limit: number,
): Promise<readonly PendingRepairedCall[]> {
  const rows = await db.all(
    "SELECT record FROM calls WHERE status = 'pending' AND origin = 'recovered' AND first_at >= ? ORDER BY first_at DESC LIMIT ?",
    ...[since, limit],
  );
  return rows.flatMap((row) => toPendingRepairedCall(JSON.parse(row.record as string) as CallRecord));
}

/** Reads settled calls from rollups, and counts the few pending calls directly. */
export async function originOutcomes(db: SqlDriver, range: Range): Promise<readonly OriginRow[]> {
  const { project, since, until } = range;
  const [settled, settledValues] = whereOf([
    ["project = ?", project],
    ["hour >= ?", since === undefined ? undefined : since - (since % HOUR)],
    ["hour < ?", until],
  ]);
  const [open, openValues] = pendingRange(range);
  const [sums, waiting] = await Promise.all([
    db.all(
      `SELECT origin, phase, sum(calls) AS calls, sum(ok) AS ok, sum(failed) AS failed, sum(unknown) AS unknown, sum(soft) AS soft
       FROM origin_rollups ${settled} GROUP BY origin, phase`,
      ...settledValues,
    ),
    db.all(
      `SELECT CASE WHEN c.origin = 'recovered' THEN 'recovered' ELSE 'native' END AS origin, count(*) AS open,
         count(*) FILTER (WHERE ${DISCARDED}) AS discarded FROM calls c ${open} GROUP BY 1`,
      ...openValues,
    ),
  ]);
  return (["native", "recovered"] as const).map((origin) => {
    const own = waiting.find((row) => row.origin === origin);
    const thrown = Number(own?.discarded ?? 0);
    const tallies = sums
      .filter((row) => row.origin === origin)
      .map((row) => ({
        ...EMPTY_TALLY,
        phase: String(row.phase),
        ...{ calls: Number(row.calls), ok: Number(row.ok), failed: Number(row.failed) },
        ...{ unknown: Number(row.unknown), soft: Number(row.soft) },
      }));
    return originRow(origin, tallies, Number(own?.open ?? 0) - thrown, thrown);
  });
}

/** A call of a response that a later request of the same conversation does not contain. */
export const DISCARDED = `(c.made_here = 1 AND c.in_history = 0 AND EXISTS (
  SELECT 1 FROM requests r WHERE r.project = c.project AND r.session_id = c.session_id AND r.agent_id = c.agent_id
    AND r.conversation = c.conversation AND r.started_at > c.made_at))`;

export function pendingRange(range: Range): Where {
  const [sql, values] = whereOf([
    ["project = ?", range.project],
    ["first_at >= ?", range.since],
    ["first_at < ?", range.until],
  ]);
  return [sql === "" ? "WHERE status = 'pending'" : `${sql} AND status = 'pending'`, values];
}

export async function idleCalls(db: SqlDriver, before: number, limit: number): Promise<readonly CallRecord[]> {
  const rows = await db.all(
    `SELECT c.record FROM calls c JOIN sessions s ON s.project = c.project AND s.session_id = c.session_id
     WHERE c.status = 'pending' AND (s.last_at < ? OR s.ended_at >= c.first_at) AND NOT ${DISCARDED} LIMIT ?`,
    ...[before, limit],
  );
  return rows.map((row) => JSON.parse(row.record as string) as CallRecord);
}

export async function idleSessions(db: SqlDriver, before: number, limit: number): Promise<readonly IdleSession[]> {
  const rows = await db.all(
    "SELECT record FROM sessions WHERE scored_at < last_at AND last_at < ? ORDER BY last_at LIMIT ?",
    ...[before, limit],
  );
  return rows.map((row) => {
    const { project, session_id, last_at, sources } = JSON.parse(row.record as string) as SessionRecord;
    return { project, session_id, last_at, source: sources[0] ?? "proxy" };
  });
}

function leakRow(leak: LeakObservation): LeakRow {
  return {
    project: leak.project,
    session_id: leak.session_id,
    agent_id: leak.agent_id,
    request_id: leak.request_id,
    at: new Date(leak.occurred_at).toISOString(),
    model: leak.model ?? null,
    provider: leak.provider ?? null,
    result: leak.result,
    format: leak.format,
    reason: leak.reason ?? null,
    evidence: leak.evidence ?? [],
    parsed: leak.parsed,
    dropped: leak.dropped,
    repairs: leak.repairs,
    tool_names: leak.tool_names,
    tool_call_ids: leak.tool_call_ids,
    before: leak.before ?? null,
    after: leak.after ?? [],
  };
}

/** Phases of calls that did not run. */
const NOT_RUN = new Set(["call", "gate"]);

function originRow(
  origin: CallOrigin,
  tallies: readonly (Tally & { readonly phase: string })[],
  pending: number,
  discarded: number,
): OriginRow {
  const tally = tallies.reduce<Tally>((sum, one) => addTally(sum, one), EMPTY_TALLY);
  const refused = tallies.filter(({ phase }) => NOT_RUN.has(phase)).reduce((sum, { failed }) => sum + failed, 0);
  const { calls, ok, failed, unknown, soft } = tally;
  return { origin, calls, ok, failed, unknown, soft, failure_rate: failureRate(tally), refused, pending, discarded };
}

function suspensionRow(suspension: SuspensionObservation): SuspensionRow {
  return {
    project: suspension.project,
    session_id: suspension.session_id,
    request_id: suspension.request_id,
    at: new Date(suspension.occurred_at).toISOString(),
    provider: suspension.provider ?? null,
    model: suspension.model ?? null,
    http_status: suspension.http_status,
    message: suspension.message ?? null,
    tool_call_ids: suspension.tool_call_ids,
  };
}
