import type { ExportedCall, ExportedScore, ExportedSession } from "./exported-call.ts";
import type { Posted } from "./post.ts";

/** A score with what it is about. */
export interface ScoreOf {
  readonly about: ExportedCall | ExportedSession;
  readonly score: ExportedScore;
}

/** A system that spans and scores are sent to. Sending the same twice changes nothing there: every id is a hash. */
export interface ExportTarget {
  readonly name: string;
  /** How many may go in one request. */
  readonly spansAtOnce: number;
  readonly scoresAtOnce: number;
  sendSpans(calls: readonly ExportedCall[]): Promise<Posted>;
  sendScores(scores: readonly ScoreOf[]): Promise<Posted>;
  /** Takes back a score that no longer holds, such as the category of a failure that was none. Absent where nothing can be taken back. */
  withdrawScore?(id: string): Promise<Posted>;
}
