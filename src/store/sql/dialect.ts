/** Where the two databases want other words for the same. */
export interface Dialect {
  /** Compares without regard to case. */
  readonly like: string;
  readonly real: string;
  /** SQLite takes any index it finds, also where walking in the order asked for meets enough rows soon: a sign before a column keeps its index out. */
  readonly noIndex: string;
  /** A join that begins with its left side. PostgreSQL's planner knows by itself. */
  readonly joinFromLeft: string;
  /** Rows of events to ask for at a time: each may hold hundreds, and where asking costs nothing one is enough. */
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
