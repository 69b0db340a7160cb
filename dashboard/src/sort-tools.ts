import type { BreakdownRow } from "../../src/store/port.ts";

export const TOOL_COLUMNS = ["name", "calls", "failed", "unknown", "rate", "category"] as const;
export type ToolColumn = (typeof TOOL_COLUMNS)[number];

export interface ToolSort {
  readonly column: ToolColumn;
  readonly descending: boolean;
}

export const WORST_FIRST: ToolSort = { column: "failed", descending: true };

/** `failed` is ascending, `-failed` descending. */
export function sortText({ column, descending }: ToolSort): string {
  return `${descending ? "-" : ""}${column}`;
}

export function parseSort(text: string): ToolSort {
  const descending = text.startsWith("-");
  const column = (descending ? text.slice(1) : text) as ToolColumn;
  return TOOL_COLUMNS.includes(column) ? { column, descending } : WORST_FIRST;
}

/** What a click on a column's head asks for: texts start at A, numbers at the largest; a second click turns it round. */
export function nextSort(current: ToolSort, column: ToolColumn): ToolSort {
  if (current.column === column) return { column, descending: !current.descending };
  return { column, descending: column !== "name" && column !== "category" };
}

const VALUE: Readonly<Record<ToolColumn, (row: BreakdownRow) => number | string | null>> = {
  name: (row) => row.key.toLowerCase(),
  calls: (row) => row.calls,
  failed: (row) => row.failed,
  unknown: (row) => row.unknown,
  rate: (row) => row.failure_rate,
  category: (row) => row.top_category,
};

/** Rows without a value stand last either way; equal ones keep the server's order, worst first. */
export function sortTools(rows: readonly BreakdownRow[], { column, descending }: ToolSort): readonly BreakdownRow[] {
  const value = VALUE[column];
  return rows.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (x === y) return 0;
    return x < y === descending ? 1 : -1;
  });
}
