import type { SuspensionObservation } from "../../core/model/observation.ts";
import type { OriginDelta } from "../../core/model/rollup.ts";
import type { Database } from "./database.ts";

export function isKnownSuspension(db: Database, { project, request_id }: SuspensionObservation): boolean {
  const sql = "SELECT 1 AS known FROM suspensions WHERE project = ? AND request_id = ?";
  return db.get(sql, project, request_id) !== undefined;
}

export function writeSuspension(db: Database, suspension: SuspensionObservation): void {
  db.run(
    `INSERT INTO suspensions (project, request_id, session_id, provider, model, occurred_at, record)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project, request_id) DO NOTHING`,
    ...[
      suspension.project,
      suspension.request_id,
      suspension.session_id,
      suspension.provider ?? null,
      suspension.model ?? null,
    ],
    ...[suspension.occurred_at, JSON.stringify(suspension)],
  );
}

const BATCH_SIZE = 500;

/** The ids among these that are repaired calls. */
export function readRecovered(db: Database, project: string, ids: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    // Always the same number of placeholders, so that one statement is prepared.
    const some = Array.from({ length: BATCH_SIZE }, (_, index) => ids[at + index] ?? null);
    const rows = db.all(
      `SELECT tool_call_id FROM calls WHERE project = ? AND origin = 'recovered' AND tool_call_id IN (${some.map(() => "?").join(", ")})`,
      ...[project, ...some],
    );
    for (const row of rows) found.add(String(row.tool_call_id));
  }
  return ids.filter((id) => found.has(id));
}

export function addOrigin(db: Database, { key, tally }: OriginDelta): void {
  db.run(
    `INSERT INTO origin_rollups (project, hour, origin, phase, calls, ok, failed, unknown, soft) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (project, hour, origin, phase) DO UPDATE SET
       calls = origin_rollups.calls + excluded.calls, ok = origin_rollups.ok + excluded.ok,
       failed = origin_rollups.failed + excluded.failed, unknown = origin_rollups.unknown + excluded.unknown,
       soft = origin_rollups.soft + excluded.soft`,
    ...[key.project, key.hour, key.origin, key.phase],
    ...[tally.calls, tally.ok, tally.failed, tally.unknown, tally.soft],
  );
  if (tally.calls < 0)
    db.run(
      "DELETE FROM origin_rollups WHERE project = ? AND hour = ? AND origin = ? AND phase = ? AND calls <= 0",
      ...[key.project, key.hour, key.origin, key.phase],
    );
}
