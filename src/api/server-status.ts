import type { SpoolState } from "../hook/spool-state.ts";
import type { DeletionProgress } from "../ingest/deletion/deletion-report.ts";
import type { MachineImportStatus } from "../ingest/import/import-status.ts";

/** State of the recorder, shown on the dashboard so that data loss is visible. */
export interface ServerStatus {
  readonly version: string;
  /** How commands of Toolmend are run where this server is installed. */
  readonly command: string;
  /** Options of commands that read the records of this server, such as `--data FOLDER`. Often empty. */
  readonly command_options: string;
  /** Names of the upstreams that the user configured, each available at `/NAME/…`. */
  readonly upstreams: readonly string[];
  readonly acknowledged: number;
  readonly applied: number;
  readonly dropped: number;
  readonly rejected: number;
  readonly unapplied_bytes: number;
  readonly store_problem: string | null;
  /** Where the database was moved at the start because it was broken. */
  readonly set_aside: string | null;
  /** Null if no deletion runs. */
  readonly deleting?: DeletionProgress | null;
  /** Why observations are being dropped, or null. */
  readonly journal_problem: string | null;
  /** Import of this machine's transcripts, running or finished. Null if there was none since the start. */
  readonly import?: MachineImportStatus | null;
}

export interface StatusResponse extends ServerStatus {
  /** Hook events waiting in files. Null if this server does not read them. */
  readonly spool: SpoolState | null;
  /** No session is recorded. */
  readonly empty: boolean;
}

/** Transcripts in the folders of this machine's coding agents. */
export interface FoundTranscriptsResponse {
  readonly files: number;
  readonly bytes: number;
}
