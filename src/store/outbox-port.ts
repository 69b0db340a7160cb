import type { Score } from "../core/score/scores.ts";
import type { CallRow, SessionRow } from "./rows.ts";

/** The current state of a call or a session with changes that the target has not received. */
export type Waiting =
  | { readonly kind: "call"; readonly project: string; readonly session_id: string; readonly call: CallRow }
  | { readonly kind: "session"; readonly session: SessionRow; readonly scores: readonly Score[] };

export interface OutboxRow {
  readonly id: string;
  readonly project: string;
  readonly session_id: string;
  /** Incremented by every change. Sending marks the item as sent up to a version. */
  readonly version: number;
  readonly span_sent: boolean;
  /** The last values sent to the target, by score name. */
  readonly sent_scores: Readonly<Record<string, number | string>>;
  readonly about: Waiting;
}

/** What was sent of an item. */
export interface SentRow {
  readonly id: string;
  readonly project: string;
  readonly session_id: string;
  readonly version: number;
  readonly span_sent: boolean;
  readonly sent_scores: Readonly<Record<string, number | string>>;
}

export interface Backlog {
  readonly target: string;
  readonly waiting: number;
  /** When the oldest queued item was added, in ms; null if the queue is empty. */
  readonly oldest: number | null;
}

/** The progress of a backfill. */
export interface Filled {
  readonly sessions: number;
  readonly items: number;
  /** Cursor for the next call; null at the end. */
  readonly next_cursor: string | null;
}

export interface BackfillQuery {
  readonly since?: number;
  readonly until?: number;
  /** `next_cursor` of the previous result. */
  readonly cursor?: string;
  readonly limit: number;
  readonly now: number;
  /** Whether to resend items that were already exported. */
  readonly force?: boolean;
}

/** The queue of items to export. It survives restarts and is shared by all servers of this store. */
export interface OutboxStore {
  /** Adds later changes by live traffic to the outbox of these targets. */
  exportTo(targets: readonly string[]): Promise<void>;
  /** Leases due items until `leaseUntil`, so that other servers do not send them. */
  claimDue(target: string, now: number, leaseUntil: number, limit: number): Promise<readonly OutboxRow[]>;
  markSent(target: string, sent: readonly SentRow[]): Promise<void>;
  /** Drops items queued before that time. Returns their number. */
  dropExpired(target: string, queuedBefore: number): Promise<number>;
  backlog(): Promise<readonly Backlog[]>;
  /** Adds recorded calls and sessions of a range, some sessions at a time. */
  backfill(target: string, query: BackfillQuery): Promise<Filled>;
}
