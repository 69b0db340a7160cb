/** What a deletion removed from the store. */
export interface Removed {
  readonly sessions: number;
  readonly calls: number;
  /** Events that were still in the store: unread ones, and the last ones kept for the live feed. */
  readonly events: number;
  /** Calls and sessions that had been exported; the other system keeps them. */
  readonly exported: number;
}

export const NOTHING_REMOVED: Removed = { sessions: 0, calls: 0, events: 0, exported: 0 };

export function addRemoved(a: Removed, b: Removed): Removed {
  return {
    sessions: a.sessions + b.sessions,
    calls: a.calls + b.calls,
    events: a.events + b.events,
    exported: a.exported + b.exported,
  };
}

/** A deleted session, for data folders that have copies of its lines. */
export interface Deletion {
  readonly id: number;
  /** A hash of its project and id: see `sessionHash`. */
  readonly session: string;
  /** Deleted by age: sums keep the session. */
  readonly keepsSums: boolean;
}
