import type { TokenUsage } from "../core/model/token-usage.ts";
import type { ResponseFacts } from "../store/port.ts";
import type { Posted } from "./post.ts";

/** A score with its call or session. */
export interface ScoreOf {
  readonly about: ExportedCall | ExportedSession;
  readonly score: ExportedScore;
}

/** A system that receives spans and scores. Sending is idempotent, because every id is a hash. */
export interface ExportTarget {
  readonly name: string;
  /** The server and project that receives. What another one received is sent again. */
  readonly destination?: string;
  readonly spanBatchSize: number;
  readonly scoreBatchSize: number;
  /** Whether a span sent again under the same id replaces the first one. */
  readonly replacesSpans?: boolean;
  sendSpans(spans: readonly Exported[]): Promise<Posted>;
  sendScores(scores: readonly ScoreOf[]): Promise<Posted>;
  /** What every score of a call or session tells beside its value. If it changes, the scores are sent again. */
  textOfScores?(about: ExportedCall | ExportedSession): string;
  /**
   * Deletes an obsolete score, such as the category of a call reclassified as ok. Absent if the target cannot delete.
   */
  withdrawScore?(id: string): Promise<Posted>;
}

/** One score of a call or a session. */
export interface ExportedScore {
  readonly id: string;
  readonly name: string;
  readonly data_type: "NUMERIC" | "BOOLEAN" | "CATEGORICAL";
  readonly value: number | string;
}

/** Everything that becomes a span. */
export type Exported = ExportedCall | ExportedResponse | ExportedSession;

/** A settled call, as sent to a target. Includes text only if the user enabled it. */
export interface ExportedCall {
  readonly kind: "call";
  /** 16 hex digits: the span id, and the prefix of the score ids. */
  readonly record_id: string;
  readonly project: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly started_at: number;
  readonly ended_at: number;
  readonly status: "ok" | "failed" | "unknown";
  readonly category?: string;
  /** Quotes the result only if the user enabled text. */
  readonly status_message?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly client?: string;
  /** Links, workflow and origin, under the same names as in the store. */
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
  readonly arguments?: string;
  readonly result?: string;
  readonly scores: readonly ExportedScore[];
}

/** A response of a model, or the failure of a request for one. It has no scores. */
export interface ExportedResponse extends ResponseFacts {
  readonly kind: "response";
  /** The key of the response in its session, from which its span id is computed. */
  readonly response: string;
  readonly project: string;
  readonly session_id: string;
  readonly scores: readonly [];
}

/** A session: the root of its trace. Its scores are sent again when they change. */
export interface ExportedSession {
  readonly kind: "session";
  readonly project: string;
  readonly session_id: string;
  readonly started_at: number;
  readonly at: number;
  /** Whether nothing followed its last stop, end or idle timeout. */
  readonly finished: boolean;
  readonly client?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly usage?: TokenUsage;
  /** The first prompt. Present only if the user enabled it and texts are captured. */
  readonly prompt?: string;
  /** Workflow and counts, under the same names as in the store. */
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
  readonly scores: readonly ExportedScore[];
}
