/** What a running deletion does, and what it has removed so far. */
export interface DeletionProgress {
  readonly step: "rows" | "files" | "database" | "journal";
  readonly sessions: number;
  readonly calls: number;
}
