/** What a deletion removed from the store. */
export interface Removed {
  readonly sessions: number;
  readonly calls: number;
  /** Events that were still in the store: unread ones, and the last ones for the live feed. */
  readonly events: number;
  /** Calls and sessions that had been exported; the target keeps them. */
  readonly exported: number;
}

/** A deleted session, for data folders that have copies of its lines. */
export interface Deletion {
  readonly id: number;
  /** A hash of project and session id. */
  readonly session: string;
  /** Deleted by retention: the aggregates still count the session. */
  readonly keepsSums: boolean;
}
