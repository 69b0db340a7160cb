import type { ExportedCall, ExportedScore, ExportedSession } from "./exported-call.ts";
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
  sendSpans(calls: readonly ExportedCall[]): Promise<Posted>;
  sendScores(scores: readonly ScoreOf[]): Promise<Posted>;
  /**
   * Deletes an obsolete score, such as the category of a call reclassified as ok. Absent if the target cannot delete.
   */
  withdrawScore?(id: string): Promise<Posted>;
}
