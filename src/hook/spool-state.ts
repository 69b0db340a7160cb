/** Event files in the spool. A healthy server consumes new files within 2 seconds. */
export interface SpoolState {
  readonly waiting: number;
  /** Unreadable events in quarantine; their number is limited. */
  readonly broken: number;
}
