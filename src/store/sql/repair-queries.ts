import type { CallRecord } from "../../core/model/call-record.ts";
import type { SuspensionObservation } from "../../core/model/observation.ts";
import { HOUR } from "../../core/model/rollup.ts";
import { EMPTY_TALLY, type SessionRecord } from "../../core/model/session-record.ts";
import { originRow, suspensionRow } from "../leak-rows.ts";
import type { IdleSession, OriginRow, PendingRepairedCall, Range, SessionQuery, SuspensionRow } from "../port.ts";
import { toPendingRepairedCall } from "../stored-turn.ts";
import type { SqlDriver } from "./driver.ts";
import { type Where, whereOf } from "./where.ts";

export async function suspensions(db: SqlDriver, query: SessionQuery): Promise<readonly SuspensionRow[]> {
  const [where, values] = whereOf([
    ["project = ?", query.project],
    ["occurred_at >= ?", query.since],
    ["occurred_at < ?", query.until],
  ]);
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
