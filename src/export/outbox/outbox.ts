import type { ExportedCall, ExportedSession } from "../exported-call.ts";

/** A call or a session that a target has not heard the latest about. */
export interface OutboxItem {
  readonly id: string;
  /** Grows with every change: what was sent is marked as sent up to here. */
  readonly version: number;
  readonly about: ExportedCall | ExportedSession;
  readonly span_sent: boolean;
  /** Values as the target was last told them, by score name. */
  readonly sent_scores: Readonly<Record<string, number | string>>;
}

/** What a target was told of an item. */
export interface Sent {
  readonly id: string;
  readonly version: number;
  readonly span_sent: boolean;
  readonly sent_scores: Readonly<Record<string, number | string>>;
}

/** What waits to be sent; part of the store, so that it survives restarts and is shared by replicas. */
export interface Outbox {
  /** Items that have been quiet long enough. They are kept from other replicas until `leaseUntil`. */
  claimDue(target: string, now: number, leaseUntil: number, limit: number): Promise<readonly OutboxItem[]>;
  markSent(target: string, sent: readonly Sent[]): Promise<void>;
  /** Lets go of what has waited since before that time; answers how many. */
  giveUp(target: string, queuedBefore: number): Promise<number>;
}
