import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import type { SortValues } from "../../sort.ts";

export type ToolColumn = "name" | "calls" | "failed" | "rate" | "change" | "excess" | "category" | "recovered" | "p95";

export const TOOL_COLUMNS: SortValues<RankedRow, ToolColumn> = {
  name: (row) => row.key.toLowerCase(),
  calls: (row) => row.calls,
  failed: (row) => row.failed,
  rate: (row) => row.failure_rate,
  change: (row) => row.change,
  excess: (row) => row.excess,
  category: (row) => row.top_category,
  recovered: (row) => row.recovered_rate,
  p95: (row) => row.p95_ms,
};

/** Tools with fewer judged calls are greyed: their rate says little. */
const FLOOR = 5;

export function isUnderFloor({ ok, failed }: RankedRow): boolean {
  return ok + failed < FLOOR;
}
