import type { CallRow } from "./call-row.ts";
import type { RollupQuery } from "./queries.ts";

/**
 * `pending`: no result yet. `discarded`: no result, and a later request of the same conversation does not contain the
 * call. Totals count neither.
 */
export const CALL_STATUSES = ["ok", "failed", "unknown", "pending", "discarded"] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];
/** The statuses that totals count, and the default of a list. */
export const SETTLED_STATUSES = ["ok", "failed", "unknown"] as const satisfies readonly CallStatus[];

export const CALL_SORTS = ["recent", "oldest", "slowest", "severity"] as const;
export type CallSort = (typeof CALL_SORTS)[number];

/** As counted by the columns of a tally: retries, follow_on, recovered and unrecovered. */
export const LINK_FILTERS = ["retry", "follow_on", "recovered", "unrecovered"] as const;
export type LinkFilter = (typeof LINK_FILTERS)[number];

/**
 * Filters of the list of calls; all must match. Times refer to the result, in whole hours as in rollups, so that the
 * list contains exactly the calls that a total counts. Calls without a result are listed by the time of the call.
 */
export interface CallQuery extends Omit<RollupQuery, "category"> {
  /** Default: those with a result. */
  readonly status?: readonly CallStatus[];
  /** Only failures of these categories. */
  readonly category?: readonly string[];
  /** An MCP server: calls of the tools that are named `mcp__SERVER__TOOL`. */
  readonly server?: string;
  readonly client?: string;
  readonly session?: string;
  readonly workflow?: string;
  readonly fingerprint?: string;
  readonly origin?: "native" | "recovered";
  readonly repaired?: boolean;
  readonly soft?: boolean;
  readonly link?: LinkFilter;
  /** Part of the tool name, status message, arguments or result, or the id of a call. */
  readonly text?: string;
  readonly sort?: CallSort;
  /** The `next_cursor` of the preceding page. */
  readonly cursor?: string;
  readonly limit?: number;
}

/** A call in the list of calls. */
export interface ListedCall extends Omit<CallRow, "scores"> {
  readonly project: string;
  readonly session_id: string;
  /** Folder, branch and client of the session; null if none is known. */
  readonly session_name: string | null;
  readonly session_started_at: string | null;
}

export interface CallPage {
  readonly calls: readonly ListedCall[];
  /** Null at the end. A text search may return a page without calls and with a cursor. */
  readonly next_cursor: string | null;
  /** Number of matching calls; null if it is unknown. */
  readonly total: number | null;
}

/** A cursor that this version did not create. */
export class CursorError extends Error {
  /** As of all queries that the store rejects. */
  readonly code = "unanswerable";
  constructor() {
    super("cursor is not the next_cursor of a page with the same sort. Remove it to start from the beginning.");
    this.name = "CursorError";
  }
}
