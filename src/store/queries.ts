import type { Health } from "../core/score/health.ts";

/** Which records a question is about. Times in ms; rollups answer by whole hours. */
export interface Range {
  readonly project?: string;
  readonly since?: number;
  readonly until?: number;
}

/** Of these, only calls with … Answered from rollups, whatever the number of calls. */
export interface RollupQuery extends Range {
  readonly tool?: string;
  readonly model?: string;
  readonly provider?: string;
  /** Only failures of this category; the calls that did not fail are then not counted. */
  readonly category?: string;
  readonly phase?: string;
}

export const BREAKDOWNS = ["tool", "model", "provider", "category", "phase", "workflow", "day", "session"] as const;
export type Breakdown = (typeof BREAKDOWNS)[number];

export interface BreakdownQuery extends RollupQuery {
  /** Also sum up the window of the same length right before; needs `since`. */
  readonly previous?: boolean;
}

export const STEPS = ["hour", "day"] as const;
export type Step = (typeof STEPS)[number];

export interface SeriesQuery extends RollupQuery {
  readonly step: Step;
}

export interface FingerprintQuery extends RollupQuery {
  readonly limit?: number;
}

export interface LeakQuery extends Range {
  readonly limit?: number;
}

export const SESSION_SORTS = ["recent", "severity", "failures", "unrecovered"] as const;
export type SessionSort = (typeof SESSION_SORTS)[number];

/** A comparison, as in `--severity ">0.7"`. */
export interface SeverityFilter {
  readonly is: ">" | ">=" | "<" | "<=" | "=";
  readonly value: number;
}

/** Each filter matches when any call of the session does; several must all match, not necessarily by the same call. */
export interface SessionQuery extends Range {
  readonly limit?: number;
  readonly offset?: number;
  readonly sort?: SessionSort;
  readonly health?: Health;
  readonly rate_health?: Health;
  readonly category?: string;
  readonly severity?: SeverityFilter;
  readonly tool?: string;
  readonly model?: string;
  readonly workflow?: string;
  /** The beginning of the id; or, among the newest sessions, part of id, client, provider, tool, model, category or kind of work. */
  readonly text?: string;
}

export interface Page {
  readonly offset?: number;
  /** At most 5000; 1000 unless told. */
  readonly limit?: number;
}

/** A question that the sums kept cannot answer. */
export class UnsupportedQueryError extends Error {
  readonly code = "unanswerable";
  constructor(query: string, filter: string) {
    super(`${query} cannot be filtered by ${filter}: leave that filter out.`);
    this.name = "UnsupportedQueryError";
  }
}

/** By what the sums of failures by kind of work, of times and of fingerprints can be filtered. */
const FILTERS = {
  "by workflow": ["category", "phase"],
  fingerprints: ["tool", "model", "category"],
} as const;

/** Refuses what would otherwise be left out silently. */
export function checkFilters(question: keyof typeof FILTERS, query: RollupQuery): void {
  for (const filter of ["tool", "model", "provider", "category", "phase"] as const) {
    if (query[filter] !== undefined && !(FILTERS[question] as readonly string[]).includes(filter))
      throw new UnsupportedQueryError(question, filter);
  }
}
