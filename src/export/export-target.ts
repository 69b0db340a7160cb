import type { Posted } from "./post.ts";

/** A score with its call or session. */
export interface ScoreOf {
  readonly about: ExportedCall | ExportedSession;
  readonly score: ExportedScore;
}

/** A system that receives spans and scores. Sending is idempotent, because every id is a hash. */
export interface ExportTarget {
  readonly name: string;
  readonly spanBatchSize: number;
  readonly scoreBatchSize: number;
  /** Whether a span sent again under the same id takes the place of the first one. */
  readonly replacesSpans?: boolean;
  sendSpans(calls: readonly ExportedCall[]): Promise<Posted>;
  sendScores(scores: readonly ScoreOf[]): Promise<Posted>;
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

/** A settled call, as sent to a target. Includes text only if the user enabled it. */
export interface ExportedCall {
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

/** A session whose scores are sent, and sent again when they change. */
export interface ExportedSession {
  readonly project: string;
  readonly session_id: string;
  readonly at: number;
  readonly scores: readonly ExportedScore[];
}
