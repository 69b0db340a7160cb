import { failureRate } from "../core/model/session-record.ts";
import { compareToOverall, type OutcomeCounts, wilsonInterval } from "../core/score/index.ts";
import type { Breakdown, BreakdownRow } from "../store/port.ts";

/** A row of a report with what ranks it. */
export interface RankedRow extends BreakdownRow {
  /** 95 % interval of `failure_rate`; null without a verdict. */
  readonly interval: readonly [low: number, high: number] | null;
  /** Failures beyond what the average of all rows would give this many calls. Denied and cancelled calls are left out. */
  readonly excess: number;
  /** `failure_rate` less that of the window before; null where either has no verdict, or there is no window. */
  readonly change: number | null;
  /** recovered / failed; null without a failure. */
  readonly recovered_rate: number | null;
}

/** Days in their order; kinds of failures by how many; everything else by excess failures. */
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

/** Rows of these are made of failures alone: there is no rate among them. */
export function hasOnlyFailures(by: Breakdown): boolean {
  return by === "category" || by === "phase";
}

function orderOf(by: Breakdown): keyof typeof ORDER {
  return by === "day" ? "key" : hasOnlyFailures(by) ? "failed" : "excess";
}

type Order = (a: RankedRow, b: RankedRow) => number;
const byKey: Order = (a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
const byFailed: Order = (a, b) => b.failed - a.failed || b.calls - a.calls || byKey(a, b);
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

/** Without the dust of a subtraction: equal rates do not differ by 1e-17. */
function rounded(value: number): number {
  return Math.round(value * 1e9) / 1e9 + 0;
}
