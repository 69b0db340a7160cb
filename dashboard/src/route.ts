import { PAGE_PATHS } from "../../src/api/page-paths.ts";

/** Pages with their path and title. */
export const PAGES = {
  overview: { path: PAGE_PATHS.overview, title: "Overview" },
  tools: { path: PAGE_PATHS.tools, title: "Tools" },
  errors: { path: PAGE_PATHS.errors, title: "Errors" },
  models: { path: PAGE_PATHS.models, title: "Models" },
  sessions: { path: PAGE_PATHS.sessions, title: "Sessions" },
  calls: { path: PAGE_PATHS.calls, title: "Calls" },
  live: { path: PAGE_PATHS.live, title: "Live" },
  setup: { path: PAGE_PATHS.setup, title: "Setup" },
  tool: { path: PAGE_PATHS.tool, title: "Tool" },
  session: { path: PAGE_PATHS.session, title: "Session" },
  error: { path: PAGE_PATHS.error, title: "Error" },
  missing: { path: "", title: "Page not found" },
} as const;

export type PageName = keyof typeof PAGES;
export const MENU = [
  "overview",
  "tools",
  "errors",
  "models",
  "sessions",
  "calls",
  "live",
  "setup",
] as const satisfies PageName[];

/** The menu entry of a page that is not in the menu itself. */
export function menuOf(page: PageName): PageName {
  if (page === "error") return "errors";
  return page === "tool" ? "tools" : page === "session" ? "sessions" : page;
}

export const RANGES = ["1h", "24h", "7d", "30d", "all"] as const;
export type RangeName = (typeof RANGES)[number];
const DEFAULT_RANGE: RangeName = "24h";

/** The state of the view. All of it is in the URL, so that it can be shared and Back works. */
export interface Route {
  readonly page: PageName;
  readonly query: Query;
}
export type Query = Readonly<Record<string, string>>;

/** Names from models and tools are query parameters, which allow any character; paths are fixed. */
export function parseRoute(path: string, search: string): Route {
  const page = (Object.keys(PAGES) as PageName[]).find((name) => PAGES[name].path === path) ?? "missing";
  return { page, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** Empty values are omitted, so that the plain URL is the plain page. */
export function hrefOf({ page, query }: Route): string {
  const given = Object.entries(query).filter(([name, value]) => value !== "" && !isDefault(name, value));
  const search = new URLSearchParams(given).toString();
  return `${PAGES[page].path}${search === "" ? "" : `?${search}`}`;
}

function isDefault(name: string, value: string): boolean {
  return name === "range" && value === DEFAULT_RANGE;
}

/** Reads `since=7d` too, as in the API. Falls back to the default for an invalid value. */
export function rangeOf({ range, since }: Query): RangeName {
  return RANGES.find((one) => one === range) ?? RANGES.find((one) => one === since) ?? DEFAULT_RANGE;
}

const HOURS: Readonly<Record<RangeName, number | undefined>> = {
  "1h": 1,
  "24h": 24,
  "7d": 168,
  "30d": 720,
  all: undefined,
};

/** Length in ms; undefined for a range without a start. */
export function lengthOf(range: RangeName): number | undefined {
  const hours = HOURS[range];
  return hours === undefined ? undefined : hours * 3_600_000;
}

/** The times in the URL; undefined without a valid start. */
export function customRangeOf({
  since = "",
  until = "",
}: Query): { readonly since: number; readonly until: number } | undefined {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  if (Number.isNaN(from)) return undefined;
  return { since: from, until: Number.isNaN(to) ? Number.MAX_SAFE_INTEGER : to };
}
