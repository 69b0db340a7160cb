import { parseSort, sortText, type ToolSort, WORST_FIRST } from "./sort-tools.ts";

export const RANGES = ["1h", "24h", "7d", "30d", "all"] as const;
export type RangeName = (typeof RANGES)[number];

/** What the page shows. All of it stands in the address, so that a view can be shared and Back works. */
export interface View {
  readonly range: RangeName;
  readonly filter: string;
  readonly sort: ToolSort;
}

const DEFAULT_RANGE: RangeName = "24h";

/** Reads the query of an address. What it does not understand is the default, never an error. */
export function readView(search: string): View {
  const query = new URLSearchParams(search);
  const range = query.get("range") as RangeName;
  return {
    range: RANGES.includes(range) ? range : DEFAULT_RANGE,
    filter: query.get("filter") ?? "",
    sort: parseSort(query.get("sort") ?? ""),
  };
}

/** The query of a view; defaults are left out, so that the plain address is the plain page. */
export function viewSearch({ range, filter, sort }: View): string {
  const query = new URLSearchParams();
  if (range !== DEFAULT_RANGE) query.set("range", range);
  if (filter !== "") query.set("filter", filter);
  if (sortText(sort) !== sortText(WORST_FIRST)) query.set("sort", sortText(sort));
  return query.size === 0 ? "" : `?${query}`;
}
