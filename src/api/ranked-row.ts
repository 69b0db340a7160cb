import { failureRate } from "../core/model/session-record.ts";
import { compareToOverall, type OutcomeCounts, wilsonInterval } from "../core/score/index.ts";
import type { Breakdown, BreakdownRow, RollupQuery, StoreReader } from "../store/port.ts";

/** A breakdown row with the values used to rank it. */
export interface RankedRow extends BreakdownRow {
  /** 95 % interval of `failure_rate`. Null without a known outcome. */
  readonly interval: readonly [low: number, high: number] | null;
  /** Failures above the average rate of all rows. Denied and cancelled calls are excluded. */
  readonly excess: number;
  /** `failure_rate` minus that of the previous window. Null if either is null, or there is no previous window. */
  readonly change: number | null;
  /** recovered / failed. Null without a failure. */
  readonly recovered_rate: number | null;
}

/** Reads and ranks a breakdown. Compares it with the previous window if the range has a start. */
export async function rankedBreakdown(
  reader: Pick<StoreReader, "breakdown">,
  by: Breakdown,
  query: RollupQuery,
  now: number,
): Promise<{ readonly rows: readonly RankedRow[] }> {
  // Days are compared with each other.
  const compared = query.since === undefined || by === "day" ? {} : { until: query.until ?? now, previous: true };
  return { rows: rankRows(by, await reader.breakdown(by, { ...query, ...compared })) };
}

/** Sorts days by date, categories and phases by number of failures, and everything else by excess failures. */
export function rankRows(by: Breakdown, rows: readonly BreakdownRow[]): readonly RankedRow[] {
  const overall = rows.reduce<OutcomeCounts>(
    (sum, { ok, failed, excused }) => ({
      ok: sum.ok + ok,
      failed: sum.failed + failed,
      excused: sum.excused + excused,
    }),
    { ok: 0, failed: 0, excused: 0 },
  );
  return rows.map((row) => ranked(row, overall)).sort(ORDER[orderOf(by)]);
}

/** Whether the rows of a breakdown contain only failures, so that a failure rate has no meaning. */
export function hasOnlyFailures(by: Breakdown): boolean {
  return by === "category" || by === "phase";
}

function orderOf(by: Breakdown): keyof typeof ORDER {
  return by === "day" ? "key" : hasOnlyFailures(by) ? "failed" : "excess";
}

type Order = (a: RankedRow, b: RankedRow) => number;
const byKey: Order = (a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
/** Failures that a user or a rule caused come last among equal numbers. */
const byFailed: Order = (a, b) => b.failed - a.failed || a.excused - b.excused || b.calls - a.calls || byKey(a, b);
const ORDER = {
  key: byKey,
  failed: byFailed,
  excess: (a, b) => b.excess - a.excess || byFailed(a, b),
} as const satisfies Record<string, Order>;

function ranked(row: BreakdownRow, overall: OutcomeCounts): RankedRow {
  const interval = wilsonInterval(row.failed, row.ok + row.failed);
  const before = row.previous === null ? null : failureRate(row.previous);
  return {
    ...row,
    interval: interval === null ? null : [rounded(interval[0]), rounded(interval[1])],
    excess: rounded(compareToOverall(row, overall).excess),
    change: before === null || row.failure_rate === null ? null : rounded(row.failure_rate - before),
    recovered_rate: row.failed === 0 ? null : row.recovered / row.failed,
  };
}

/** Removes floating-point noise, so that equal rates do not differ by 1e-17. */
function rounded(value: number): number {
  return Math.round(value * 1e9) / 1e9 + 0;
}
