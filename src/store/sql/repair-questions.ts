import type { CallRecord } from "../../core/model/call-record.ts";
import type { SuspensionObservation } from "../../core/model/observation.ts";
import { HOUR } from "../../core/model/rollup.ts";
import { EMPTY_TALLY } from "../../core/model/session-record.ts";
import { toPendingRepairedCall } from "../open-mended-call.ts";
import { originRow } from "../origin-row.ts";
import type { OriginRow, PendingRepairedCall, Range, SessionQuery, SuspensionRow } from "../port.ts";
import { suspensionRow } from "../suspension-row.ts";
import { DISCARDED, pendingRange } from "./open-calls.ts";
import type { Queries } from "./queries.ts";
import { whereOf } from "./where.ts";

export async function suspensions(db: Queries, query: SessionQuery): Promise<readonly SuspensionRow[]> {
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

/** Few: open calls have an index of their own. */
export async function pendingRepairedCalls(
  db: Queries,
  since: number,
  limit: number,
): Promise<readonly PendingRepairedCall[]> {
  const rows = await db.all(
    "SELECT record FROM calls WHERE status = 'pending' AND origin = 'recovered' AND first_at >= ? ORDER BY first_at DESC LIMIT ?",
    ...[since, limit],
  );
  return rows.flatMap((row) => toPendingRepairedCall(JSON.parse(row.record as string) as CallRecord));
}

/** AggregateDeltas of the rollups, and what has no result yet from the few calls that are open. */
export async function originOutcomes(db: Queries, range: Range): Promise<readonly OriginRow[]> {
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
