import type { Health } from "../core/score/health.ts";

/** Restricts a query. Times in ms; rollups have a resolution of one hour. */
export interface Range {
  readonly project?: string;
  readonly since?: number;
  readonly until?: number;
}

/** Filters of queries on rollups, whose cost does not depend on the number of calls. */
export interface RollupQuery extends Range {
  readonly tool?: string;
  readonly model?: string;
  readonly provider?: string;
  /** Only failures of this category; other calls are not counted. */
  readonly category?: string;
  readonly phase?: string;
}

export const BREAKDOWNS = ["tool", "model", "provider", "category", "phase", "workflow", "day", "session"] as const;
export type Breakdown = (typeof BREAKDOWNS)[number];

export interface BreakdownQuery extends RollupQuery {
  /** Whether to include the preceding window of the same length; needs `since`. */
  readonly previous?: boolean;
}

/** Every breakdown that responses have; `all` for one row with the total. */
export const USAGE_BREAKDOWNS = ["model", "provider", "day", "all"] as const;
export type UsageBreakdown = (typeof USAGE_BREAKDOWNS)[number];

export type UsageQuery = Range & Pick<RollupQuery, "model" | "provider">;

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

export interface LoopQuery extends Range {
  readonly limit?: number;
}

export const SESSION_SORTS = ["recent", "severity", "failures", "unrecovered"] as const;
export type SessionSort = (typeof SESSION_SORTS)[number];

/** A comparison, as in `--severity ">0.7"`. */
export interface SeverityFilter {
  readonly is: ">" | ">=" | "<" | "<=" | "=";
  readonly value: number;
}

/** A filter matches if any call of the session does. All filters must match, not necessarily for the same call. */
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
  /** Only sessions with a loop, ended or not. */
  readonly looping?: boolean;
  /**
   * The beginning of the id, of words of the name (folder, branch, client, task), of a tool, model, category or
   * workflow; part of the text of a failure; or, among the newest sessions, part of any of these.
   */
  readonly text?: string;
}

export interface Page {
  readonly offset?: number;
  /** At most 5000; default: 1000. */
  readonly limit?: number;
}

/** A query with a filter that the rollups do not support. */
export class UnsupportedQueryError extends Error {
  readonly code = "unanswerable";
  constructor(query: string, filter: string) {
    super(`${query} cannot be filtered by ${filter}. Remove that filter.`);
    this.name = "UnsupportedQueryError";
  }
}

/** Supported filters of rollups that lack some dimensions. */
const FILTERS = {
  "by workflow": ["category", "phase"],
  fingerprints: ["tool", "model", "category"],
} as const;

/** Rejects unsupported filters, which would otherwise be ignored silently. */
export function checkFilters(question: keyof typeof FILTERS, query: RollupQuery): void {
  for (const filter of ["tool", "model", "provider", "category", "phase"] as const) {
    if (query[filter] !== undefined && !(FILTERS[question] as readonly string[]).includes(filter))
      throw new UnsupportedQueryError(question, filter);
  }
}
