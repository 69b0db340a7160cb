/** The state of the export to one target. */
export interface TargetStatus {
  readonly target: string;
  readonly queued: number;
  /** When the oldest waiting item was put in, in ms; null with nothing waiting. */
  readonly oldest_queued_at: number | null;
  /** Why nothing goes out at the moment. */
  readonly problem: string | null;
  /** Nothing is wrong: the target asked to be left alone for a while. */
  readonly throttled: boolean;
}
