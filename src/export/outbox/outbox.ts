import type { ExportedCall, ExportedSession } from "../exported-call.ts";

/** A call or a session with changes that the target has not received. */
export interface OutboxItem {
  readonly id: string;
  /** Incremented by every change. Sending marks the item as sent up to a version. */
  readonly version: number;
  readonly about: ExportedCall | ExportedSession;
  readonly span_sent: boolean;
  /** The last values sent to the target, by score name. */
  readonly sent_scores: Readonly<Record<string, number | string>>;
}

/** What was sent of an item. */
export interface Sent {
  readonly id: string;
  readonly version: number;
  readonly span_sent: boolean;
  readonly sent_scores: Readonly<Record<string, number | string>>;
}

/** The queue of items to send; part of the store, so that it survives restarts and is shared by replicas. */
export interface Outbox {
  /** Leases due items until `leaseUntil`, so that other replicas do not send them. */
  claimDue(target: string, now: number, leaseUntil: number, limit: number): Promise<readonly OutboxItem[]>;
  markSent(target: string, sent: readonly Sent[]): Promise<void>;
  /** Drops items queued before that time. Returns their number. */
  dropExpired(target: string, queuedBefore: number): Promise<number>;
}
