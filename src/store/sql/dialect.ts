/** SQL that differs between the two databases. */
export interface Dialect {
  /** Case-insensitive LIKE. */
  readonly like: string;
  readonly real: string;
  /**
   * Prefix that disables the index of a column. SQLite prefers such an index even if a scan in sort order finds enough
   * rows sooner.
   */
  readonly noIndex: string;
  /** A join that starts with its left side. PostgreSQL's planner decides correctly without it. */
  readonly joinFromLeft: string;
  /** Event rows per query. Each contains up to hundreds of events, so 1 is enough where queries need no round trip. */
  readonly eventRows: number;
}

export const SQLITE: Dialect = { like: "LIKE", real: "REAL", noIndex: "+", joinFromLeft: "CROSS JOIN", eventRows: 1 };
export const POSTGRES: Dialect = {
  like: "ILIKE",
  real: "DOUBLE PRECISION",
  noIndex: "",
  joinFromLeft: "JOIN",
  eventRows: 20,
};
