import type { TokenUsage } from "../../core/model/token-usage.ts";
import type { RawResult } from "../../ingest/observe/observe-call.ts";

/**
 * The content of one line of a transcript, or of one entry of a document. Clients write it in different formats; from
 * here on, all are processed in the same way.
 */
export type TranscriptEvent =
  /** The thread to which the following lines belong. */
  | { readonly kind: "session"; readonly session: string; readonly agent?: string | undefined }
  | { readonly kind: "model"; readonly model?: string | undefined; readonly provider?: string | undefined }
  | { readonly kind: "prompt"; readonly text: string; readonly id?: string | undefined }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly name?: string | undefined;
      readonly arguments?: unknown;
      /** The message that made it: calls of one message form a turn. */
      readonly message: string;
      readonly agent?: string | undefined;
    }
  | {
      readonly kind: "result";
      readonly id: string;
      readonly result: RawResult;
      readonly executionMs?: number | undefined;
      readonly agent?: string | undefined;
    }
  /** The run time of a call, if it is not written beside its result. */
  | { readonly kind: "duration"; readonly id: string; readonly ms: number; readonly agent?: string | undefined }
  | {
      readonly kind: "usage";
      readonly usage: TokenUsage;
      readonly response?: string | undefined;
      readonly agent?: string | undefined;
    };

/** An event, and its own time if it has one. */
export type TimedEvent = TranscriptEvent & { readonly at?: number | undefined };

/** How the transcripts of one client are read. */
export interface TranscriptFormat {
  /** As in `client` of records. */
  readonly client: string;
  readonly provider?: string;
  /** Substrings of relevant lines. */
  readonly markers: readonly string[];
  readonly read: (line: { readonly [name: string]: unknown }) => readonly TimedEvent[];
}
