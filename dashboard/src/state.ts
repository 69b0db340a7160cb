import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  customRangeOf,
  hrefOf,
  lengthOf,
  PAGES,
  type PageName,
  parseRoute,
  type Query,
  type Route,
  rangeOf,
} from "./route.ts";

export const place = signal<Route>(parseRoute(location.pathname, location.search));
export const range = computed(() => rangeOf(place.value.query));
/** A time range other than the presets, from the URL. */
export const customRange = computed(() => customRangeOf(place.value.query));
/** The times that the page shows, in ms; without `since` for all time. */
export const period = computed((): { readonly since: number | undefined; readonly until: number } => {
  const custom = customRange.value;
  if (custom !== undefined) return { since: custom.since, until: Math.min(custom.until - 1, now.value) };
  const length = lengthOf(range.value);
  return { since: length === undefined ? undefined : now.value - length, until: now.value };
});
export const connection = signal<"connecting" | "open" | "lost">("connecting");
/** Updated by a timer, so that "5 min ago" stays correct on an idle page. */
export const now = signal(Date.now());

/** The name of the current item, for the window title; undefined until it is known. */
const subject = signal<string | undefined>(undefined);

/** Sets the name of the current item in the window title. */
export function useSubject(text: string | undefined): void {
  useEffect(() => {
    subject.value = text;
    return () => {
      subject.value = undefined;
    };
  }, [text]);
}

let typing: string | undefined;

/** URL of another page; keeps the time range, unless the query has one. */
export function addressOf(page: PageName, query: Query = {}): string {
  const { range: current = "", since = "", until = "" } = place.value.query;
  const custom = "range" in query || "since" in query ? {} : { since, until };
  return hrefOf({ page, query: { range: current, ...custom, ...query } });
}

export function visit(href: string): void {
  typing = undefined;
  if (href !== `${location.pathname}${location.search}`) history.pushState(null, "", href);
  updatePlace();
  scrollTo(0, 0);
}

/** Changes the query of the current page. Adds a history entry, except while the user types in one field. */
export function show(change: Query): void {
  const { page, query } = place.peek();
  const next = hrefOf({ page, query: { ...query, ...change } });
  if (next === hrefOf(place.peek())) return;
  const [name = ""] = Object.keys(change);
  const isText = name === "filter" || name === "text";
  history[isText && typing === name ? "replaceState" : "pushState"](null, "", next);
  typing = isText ? name : undefined;
  updatePlace();
}

addEventListener("popstate", () => {
  typing = undefined;
  updatePlace();
});

function updatePlace(): void {
  place.value = parseRoute(location.pathname, location.search);
}

export function titleOf({ page, query }: Route): string {
  const { title } = PAGES[page];
  const name = page === "tool" ? query.name : subject.value;
  return name === undefined || name === "" ? title : `${name} · ${title}`;
}
