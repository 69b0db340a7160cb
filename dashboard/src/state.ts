import { computed, signal } from "@preact/signals";
import { hrefOf, PAGES, type PageName, parseRoute, type Query, type Route, rangeOf } from "./route.ts";

export const place = signal<Route>(parseRoute(location.pathname, location.search));
export const range = computed(() => rangeOf(place.value.query));
export const connection = signal<"connecting" | "open" | "lost">("connecting");
/** Moves by itself, so that "5 min ago" stays true on an idle page. */
export const now = signal(Date.now());

let typing: string | undefined;

/** The address of another page; the time range goes along. */
export function addressOf(page: PageName, query: Query = {}): string {
  const { range: kept = "" } = place.value.query;
  return hrefOf({ page, query: { ...(kept !== "" && { range: kept }), ...query } });
}

export function visit(href: string): void {
  typing = undefined;
  if (href !== `${location.pathname}${location.search}`) history.pushState(null, "", href);
  arrive();
  scrollTo(0, 0);
}

/** Shows the same page otherwise: a step of its own for Back, except for each letter of one text. */
export function show(change: Query): void {
  const { page, query } = place.peek();
  const next = hrefOf({ page, query: { ...query, ...change } });
  if (next === hrefOf(place.peek())) return;
  const [name = ""] = Object.keys(change);
  const isText = name === "filter" || name === "text";
  history[isText && typing === name ? "replaceState" : "pushState"](null, "", next);
  typing = isText ? name : undefined;
  arrive();
}

addEventListener("popstate", () => {
  typing = undefined;
  arrive();
});

function arrive(): void {
  place.value = parseRoute(location.pathname, location.search);
}

export function titleOf({ page, query }: Route): string {
  if (page === "tool") return query.name ?? "";
  return PAGES[page].title;
}
