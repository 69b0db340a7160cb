// Types only, because the dashboard imports this file too.

/** What a running deletion does, and what it has removed so far. */
export interface DeletionProgress {
  readonly step: "rows" | "files" | "database" | "journal";
  readonly sessions: number;
  readonly calls: number;
}

/** What a deletion removed, and how long that took. */
export interface Deleted {
  /** Sessions. */
  readonly deleted: number;
  readonly calls: number;
  /** Lines of `events/*.jsonl`. */
  readonly event_lines: number;
  /** Days of `events/`, removed as whole files. */
  readonly event_files: number;
  readonly journal_segments: number;
  /** Calls and sessions that had been exported: they stay where they were sent to. */
  readonly exported: number;
  readonly took_ms: number;
}
