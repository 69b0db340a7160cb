import type { TokenUsage } from "../core/model/token-usage.ts";
import type { Score } from "../core/score/scores.ts";
import type { CallRow, SessionRow } from "./rows.ts";

/** One response of a model, or the failure of a request for one. */
export interface ResponseFacts {
  readonly agent_id: string;
  readonly client?: string;
  readonly provider?: string;
  readonly request_model?: string;
  readonly response_model?: string;
  readonly response_id?: string;
  readonly request_id?: string;
  readonly streaming?: boolean;
  /** In ms, like all times here. Equal to `ended_at` if only a transcript reported the response. */
  readonly started_at: number;
  readonly ended_at: number;
  readonly first_byte_ms?: number;
  readonly stop_reason?: string;
  /** Why it is no complete response: the HTTP status, or how the exchange ended. */
  readonly failure?: string;
  readonly usage?: TokenUsage;
}

/** The current state of a call, a response or a session with changes that the target has not received. */
export type Waiting =
  | { readonly kind: "call"; readonly project: string; readonly session_id: string; readonly call: CallRow }
  | {
      readonly kind: "response";
      readonly project: string;
      readonly session_id: string;
      readonly response: ResponseFacts;
    }
  | {
      readonly kind: "session";
      readonly session: SessionRow;
      /** Whether nothing followed its last stop, end or idle timeout. */
      readonly finished: boolean;
      /** Its first prompt; absent unless texts are captured. */
      readonly prompt?: string;
      readonly scores: readonly Score[];
    };

export interface OutboxRow {
  readonly id: string;
  readonly project: string;
  readonly session_id: string;
  /** Incremented by every change. Sending marks the item as sent up to a version. */
  readonly version: number;
  /** Of the span that was sent last; 0 if none was. */
  readonly span_digest: number;
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
  readonly span_digest: number;
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
