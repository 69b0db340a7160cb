import type { SuspensionObservation } from "../../core/model/observation.ts";
import type { SessionQuery, SuspensionRow } from "../port.ts";
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
