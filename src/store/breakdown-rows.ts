import type { Category } from "../core/model/outcome.ts";
import {
  addTally,
  failureRate,
  healthOf,
  NO_CALLS,
  type SessionRecord,
  type Tally,
} from "../core/model/session-record.ts";
import type { BreakdownRow, SessionRow } from "./port.ts";

/** A sum by key and category, as every store can compute it. */
export interface CategorySum extends Tally {
  readonly key: string;
  readonly category: string;
}

/** Folds sums by (key, category) into one row per key, worst first; equal ones by name. */
export function breakdownRows(sums: Iterable<CategorySum>): readonly BreakdownRow[] {
  const byKey = new Map<string, { tally: Tally; readonly failed: Map<string, number> }>();
  for (const sum of sums) {
    const row = byKey.get(sum.key) ?? { tally: NO_CALLS, failed: new Map<string, number>() };
    row.tally = addTally(row.tally, sum);
    if (sum.failed > 0) row.failed.set(sum.category, (row.failed.get(sum.category) ?? 0) + sum.failed);
    byKey.set(sum.key, row);
  }
  return [...byKey]
    .map(([key, { tally, failed }]) => ({
      key,
      ...tally,
      failure_rate: failureRate(tally),
      top_category: mostFrequent(failed),
    }))
    .filter((row) => row.calls > 0)
    .sort((a, b) => b.failed - a.failed || b.calls - a.calls || (a.key < b.key ? -1 : 1));
}

/** Ties go to the name that comes first, so that the answer does not depend on the store. */
function mostFrequent(failed: ReadonlyMap<string, number>): Category | null {
  const [top] = [...failed].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return top === undefined || top[0] === "" ? null : (top[0] as Category);
}

/** A session as the list shows it. */
export function sessionRow(session: SessionRecord): SessionRow {
  const rate = failureRate(session.tally);
  return {
    project: session.project,
    session_id: session.session_id,
    source: session.sources.join("+"),
    client: session.client?.value ?? null,
    provider: session.provider?.value ?? null,
    model_used: session.model_used?.value ?? null,
    started_at: new Date(session.started_at).toISOString(),
    last_at: new Date(session.last_at).toISOString(),
    requests: session.requests,
    ...session.tally,
    success_rate: session.tally.calls === 0 ? 1 : rate === null ? null : 1 - rate,
    health: healthOf(session.tally),
  };
}
