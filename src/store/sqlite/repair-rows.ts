import type { CallRecord } from "../../core/model/call-record.ts";
import type { SuspensionObservation } from "../../core/model/observation.ts";
import type { OriginDelta } from "../../core/model/rollup.ts";
import { NO_CALLS } from "../../core/model/session-record.ts";
import { openMendedCall } from "../open-mended-call.ts";
import { originRow } from "../origin-row.ts";
import type { OpenMendedCall, OriginRow, SessionQuery, SuspensionRow } from "../port.ts";
import { suspensionRow } from "../suspension-row.ts";
import type { Database, Value } from "./database.ts";

export function isKnownSuspension(db: Database, { project, request_id }: SuspensionObservation): boolean {
  const sql = "SELECT 1 AS known FROM suspensions WHERE project = ? AND request_id = ?";
  return db.get(sql, project, request_id) !== undefined;
}

export function writeSuspension(db: Database, refusal: SuspensionObservation): void {
  db.run(
    `INSERT INTO suspensions (project, request_id, session_id, provider, model, occurred_at, record)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project, request_id) DO NOTHING`,
    ...[refusal.project, refusal.request_id, refusal.session_id, refusal.provider ?? null, refusal.model ?? null],
    ...[refusal.occurred_at, JSON.stringify(refusal)],
  );
}

export function readSuspensions(db: Database, query: SessionQuery): readonly SuspensionRow[] {
  const { project, since = 0, until = Number.MAX_SAFE_INTEGER, limit = 100 } = query;
  const [own, values]: [string, Value[]] = project === undefined ? ["", []] : ["AND project = ?", [project]];
  const rows = db.all(
    `SELECT record FROM suspensions WHERE occurred_at >= ? AND occurred_at < ? ${own}
     ORDER BY occurred_at DESC, request_id LIMIT ?`,
    ...[since, until, ...values, limit],
  );
  return rows.map((row) => suspensionRow(JSON.parse(row.record as string) as SuspensionObservation));
}

/** Few: open calls have an index of their own. */
export function readOpenMended(db: Database, since: number, limit: number): readonly OpenMendedCall[] {
  const rows = db.all(
    "SELECT record FROM calls WHERE status = 'pending' AND origin = 'recovered' AND first_at >= ? ORDER BY first_at DESC LIMIT ?",
    ...[since, limit],
  );
  return rows.flatMap((row) => openMendedCall(JSON.parse(row.record as string) as CallRecord));
}

const AT_ONCE = 500;

/** Which of these ids are calls that repair made. */
export function readRecovered(db: Database, project: string, ids: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    // Always as many places: one statement is prepared for all.
    const some = Array.from({ length: AT_ONCE }, (_, index) => ids[at + index] ?? null);
    const rows = db.all(
      `SELECT tool_call_id FROM calls WHERE project = ? AND origin = 'recovered' AND tool_call_id IN (${some.map(() => "?").join(", ")})`,
      ...[project, ...some],
    );
    for (const row of rows) found.add(String(row.tool_call_id));
  }
  return ids.filter((id) => found.has(id));
}

export function moveOrigin(db: Database, { key, tally }: OriginDelta): void {
  db.run(
    `INSERT INTO origin_rollups (project, hour, origin, phase, calls, ok, failed, unknown, soft) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (project, hour, origin, phase) DO UPDATE SET
       calls = origin_rollups.calls + excluded.calls, ok = origin_rollups.ok + excluded.ok,
       failed = origin_rollups.failed + excluded.failed, unknown = origin_rollups.unknown + excluded.unknown,
       soft = origin_rollups.soft + excluded.soft`,
    ...[key.project, key.hour, key.origin, key.phase],
    ...[tally.calls, tally.ok, tally.failed, tally.unknown, tally.soft],
  );
}

type Where = readonly [sql: string, values: readonly Value[]];

/** Figures of the rollups, and what has no result yet from the few calls that are open. */
export function readOrigins(
  db: Database,
  [settled, settledValues]: Where,
  [open, openValues]: Where,
  discarded: string,
): readonly OriginRow[] {
  const sums = db.all(
    `SELECT origin, phase, sum(calls) AS calls, sum(ok) AS ok, sum(failed) AS failed, sum(unknown) AS unknown, sum(soft) AS soft
     FROM origin_rollups ${settled} GROUP BY origin, phase`,
    ...settledValues,
  );
  const waiting = db.all(
    `SELECT CASE WHEN c.origin = 'recovered' THEN 'recovered' ELSE 'native' END AS origin, count(*) AS open,
       sum(${discarded}) AS discarded FROM calls c ${open} GROUP BY 1`,
    ...openValues,
  );
  return (["native", "recovered"] as const).map((origin) => {
    const own = waiting.find((row) => row.origin === origin);
    const thrown = Number(own?.discarded ?? 0);
    const tallies = sums
      .filter((row) => row.origin === origin)
      .map((row) => ({
        ...NO_CALLS,
        phase: String(row.phase),
        ...{ calls: Number(row.calls), ok: Number(row.ok), failed: Number(row.failed) },
        ...{ unknown: Number(row.unknown), soft: Number(row.soft) },
      }));
    return originRow(origin, tallies, Number(own?.open ?? 0) - thrown, thrown);
  });
}
