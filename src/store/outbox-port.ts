import type { Score } from "../core/score/scores.ts";
import type { CallRow, SessionRow } from "./rows.ts";

/** What is known of a call or a session that a target has not heard the latest about. */
export type Waiting =
  | { readonly kind: "call"; readonly project: string; readonly session_id: string; readonly call: CallRow }
  | { readonly kind: "session"; readonly session: SessionRow; readonly scores: readonly Score[] };

export interface OutboxRow {
  readonly id: string;
  readonly project: string;
  readonly session_id: string;
  /** Grows with every change: what was sent is marked as sent up to here. */
  readonly version: number;
  readonly span_sent: boolean;
  /** Values as the target was last told them, by score name. */
  readonly sent_scores: Readonly<Record<string, number | string>>;
  readonly about: Waiting;
}

/** What a target was told. */
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
  /** When the oldest waiting item was put in; null with nothing waiting. */
  readonly oldest: number | null;
}

/** How far a back-fill has come. */
export interface Filled {
  readonly sessions: number;
  readonly items: number;
  /** Where to go on; null when all is in. */
  readonly next_cursor: string | null;
}

export interface BackfillQuery {
  readonly since?: number;
  readonly until?: number;
  /** `next` of the answer before. */
  readonly cursor?: string;
  readonly limit: number;
  readonly now: number;
  /** Also what was sent before: the target forgot. */
  readonly force?: boolean;
}

/** What waits to be sent elsewhere: survives restarts, and is shared by all who write to this store. */
export interface OutboxStore {
  /** From now on, changes by live traffic are put in for these targets. */
  exportTo(targets: readonly string[]): Promise<void>;
  /** Items that have been quiet long enough; nobody else gets them until `leaseUntil`. */
  claimDue(target: string, now: number, leaseUntil: number, limit: number): Promise<readonly OutboxRow[]>;
  markSent(target: string, sent: readonly SentRow[]): Promise<void>;
  /** Lets go of what has waited since before that time; answers how many. */
  dropExpired(target: string, queuedBefore: number): Promise<number>;
  backlog(): Promise<readonly Backlog[]>;
  /** Puts in what was recorded in a range, some sessions at a time. */
  backfill(target: string, query: BackfillQuery): Promise<Filled>;
}
