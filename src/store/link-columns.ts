import type { CallLinks, CascadeRule } from "../core/model/call-links.ts";

/** The columns of `calls` that hold its links, in this order. */
export const LINK_COLUMNS = [
  "position",
  "preceding_tool",
  "preceding_success",
  "is_cascade_failure",
  "retry_of",
  "retry_count",
  "recovered_by",
  "cascade_of",
  "cascade_rule",
] as const;

export type LinkColumns = Readonly<Record<(typeof LINK_COLUMNS)[number], string | number | null>>;

/** Links as columns; all null for a call that counts nowhere. */
export function linkColumns(links: CallLinks | undefined): LinkColumns {
  return {
    position: links?.position ?? null,
    preceding_tool: links?.preceding_tool ?? null,
    preceding_success: links?.preceding_success === undefined ? null : Number(links.preceding_success),
    is_cascade_failure: links === undefined ? null : Number(links.is_cascade_failure),
    retry_of: links?.retry_of ?? null,
    retry_count: links?.retry_count ?? null,
    recovered_by: links?.recovered_by ?? null,
    cascade_of: links?.cascade_of ?? null,
    cascade_rule: links?.cascade_rule ?? null,
  };
}

/** The other way round; rows of any store have these columns. */
export function linksOfRow(row: { readonly [column: string]: unknown }): CallLinks | undefined {
  if (row.position === null || row.position === undefined) return undefined;
  return {
    position: Number(row.position),
    ...(row.preceding_tool !== null && { preceding_tool: String(row.preceding_tool) }),
    ...(row.preceding_success !== null && { preceding_success: Number(row.preceding_success) === 1 }),
    is_cascade_failure: Number(row.is_cascade_failure) === 1,
    ...(row.retry_of !== null && { retry_of: String(row.retry_of) }),
    retry_count: Number(row.retry_count),
    ...(row.recovered_by !== null && { recovered_by: String(row.recovered_by) }),
    ...(row.cascade_of !== null && { cascade_of: String(row.cascade_of) }),
    ...(row.cascade_rule !== null && { cascade_rule: row.cascade_rule as CascadeRule }),
  };
}
