/** Progress of an import in the server, or its result. */
export interface MachineImportStatus {
  readonly state: "running" | "done" | "failed";
  /** Files that were read so far; all files at the end. */
  readonly files: number;
  readonly files_total: number;
  readonly bytes: number;
  readonly bytes_total: number;
  readonly calls: number;
  readonly failed: number;
  /** Why the import ended early, or null. */
  readonly problem: string | null;
}
