import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import type { SortValues } from "../../sort.ts";

export type ToolColumn = "name" | "calls" | "failed" | "rate" | "change" | "excess" | "category" | "recovered" | "p95";

/** What each column that can be clicked sorts by. */
export const TOOL_SORT: SortValues<RankedRow, ToolColumn> = {
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
