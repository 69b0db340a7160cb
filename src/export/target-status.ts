/** The state of the export to one target. */
export interface TargetStatus {
  readonly target: string;
  readonly queued: number;
  /** Time in ms when the oldest queued item was added; null if the queue is empty. */
  readonly oldest_queued_at: number | null;
  /** Why nothing is sent at the moment. */
  readonly problem: string | null;
  /** Not an error: the target asked to wait. */
  readonly throttled: boolean;
}
