import type { FacetKey } from "../../core/model/aggregates.ts";
import { type SessionRecord, worstSeverity } from "../../core/model/session-record.ts";
import { rateHealth, sessionHealth } from "../../core/score/health.ts";
import type { SessionQuery, SessionSort, SeverityFilter } from "../queries.ts";

type Facets = (kind: FacetKey["kind"]) => readonly string[];

/** Does a session pass every filter? Each is passed when any of its calls passes it. */
export function matches(session: SessionRecord, query: SessionQuery, facets: Facets): boolean {
  const has = (kind: "tool" | "model" | "category" | "workflow"): boolean =>
    query[kind] === undefined || facets(kind).includes(query[kind]);
  return (
    (query.health === undefined || sessionHealth(session.tally) === query.health) &&
    (query.rate_health === undefined || rateHealth(session.tally, session.thresholds) === query.rate_health) &&
    (query.severity === undefined || facets("severity").some((value) => compares(Number(value), query.severity))) &&
    has("tool") &&
    has("model") &&
    has("category") &&
    has("workflow") &&
    (query.text === undefined || mentions(session, query.text.toLowerCase(), facets))
  );
}

function compares(value: number, filter: SeverityFilter | undefined): boolean {
  if (filter === undefined) return true;
  switch (filter.is) {
    case ">":
      return value > filter.value;
    case ">=":
      return value >= filter.value;
    case "<":
      return value < filter.value;
    case "<=":
      return value <= filter.value;
    case "=":
      return value === filter.value;
  }
}

function mentions({ session_id, client, provider }: SessionRecord, text: string, facets: Facets): boolean {
  const kinds = ["tool", "model", "workflow", "category"] as const;
  const texts = [session_id, client?.value, provider?.value, ...kinds.flatMap(facets)];
  return texts.some((one) => one?.toLowerCase().includes(text) === true);
}

/** Newest first where nothing else decides. */
export function sessionOrder(sort: SessionSort): (a: SessionRecord, b: SessionRecord) => number {
  const figure = {
    recent: () => 0,
    severity: (session: SessionRecord) => worstSeverity(session) ?? 0,
    failures: ({ tally }: SessionRecord) => tally.failed,
    unrecovered: ({ tally }: SessionRecord) => tally.unrecovered,
  }[sort];
  return (a, b) => figure(b) - figure(a) || b.last_at - a.last_at || (a.session_id < b.session_id ? -1 : 1);
}
