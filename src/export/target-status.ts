/** The state of the export to one target. */
export interface TargetStatus {
  readonly target: string;
  readonly waiting: number;
  /** When the oldest queued item was added, in ms; null if the queue is empty. */
  readonly oldest: number | null;
  /** Why the export is failing; null if it is not. */
  readonly problem: string | null;
  /** Whether the target only throttles the export. */
  readonly busy: boolean;
}
