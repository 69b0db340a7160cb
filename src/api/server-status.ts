import type { SpoolState } from "../hook/spool-state.ts";
import type { DeletionProgress } from "../ingest/deletion/deletion-report.ts";

/** How the recorder is doing; shown on the page, so that a silent loss is not silent. */
export interface ServerStatus {
  readonly version: string;
  readonly acknowledged: number;
  readonly applied: number;
  readonly dropped: number;
  readonly rejected: number;
  readonly unapplied_bytes: number;
  readonly store_problem: string | null;
  /** Null if no deletion runs. */
  readonly deleting?: DeletionProgress | null;
  /** Why observations are being dropped, or null. */
  readonly journal_problem: string | null;
}

/** The same, and whether there is anything to show at all. */
export interface StatusResponse extends ServerStatus {
  /** Events that hooks wrote to files; null where nobody reads them. */
  readonly spool: SpoolState | null;
  /** No session was ever recorded, or none is left. */
  readonly empty: boolean;
}
