import { getErrorSeverity } from "../detect/severity.ts";
import { noCounts } from "../model/counts.ts";
import { keysOf } from "../model/narrow.ts";
import type { Category, Phase, Status } from "../model/outcome.ts";
import {
  HEALTH_THRESHOLDS,
  type Health,
  type HealthFigures,
  type HealthThresholds,
  hasNoKnownStatus,
  type OutcomeFigures,
  rateHealth,
  sessionHealth,
} from "./health.ts";

export const SCORE_TOOL_SUCCESS = "tool_success";
export const SCORE_FAILURE_CATEGORY = "failure_category";
export const SCORE_ERROR_SEVERITY = "error_severity";
export const SCORE_IS_CASCADE_FAILURE = "is_cascade_failure";
export const SCORE_SESSION_SUCCESS_RATE = "session_success_rate";
export const SCORE_SESSION_HEALTH = "session_health";
export const SCORE_DOMINANT_FAILURE_MODE = "dominant_failure_mode";
/** Health by rate, in addition to health by count. */
export const SCORE_SESSION_RATE_HEALTH = "session_rate_health";

export type ScoreName =
  | typeof SCORE_TOOL_SUCCESS
  | typeof SCORE_FAILURE_CATEGORY
  | typeof SCORE_ERROR_SEVERITY
  | typeof SCORE_IS_CASCADE_FAILURE
  | typeof SCORE_SESSION_SUCCESS_RATE
  | typeof SCORE_SESSION_HEALTH
  | typeof SCORE_DOMINANT_FAILURE_MODE
  | typeof SCORE_SESSION_RATE_HEALTH;

export type ScoreType = "BOOLEAN" | "NUMERIC" | "CATEGORICAL";

/** One score of a call or a session. Booleans are 0 or 1. */
export interface Score {
  readonly id: string;
  readonly name: ScoreName;
  readonly data_type: ScoreType;
  readonly value: number | string;
}

/** Deterministic, so that a score that is sent twice is stored once. */
export function scoreId(observationId: string, name: string): string {
  return `${observationId}-${name}`;
}

/** The part of a settled call that scores depend on. */
export interface ScoredCall {
  readonly status: Status | "pending";
  readonly category?: Category | null;
  readonly severity?: number | null;
  readonly phase?: Phase | null;
  readonly is_cascade_failure?: boolean;
  readonly retry_of?: string | null;
  readonly cascade_of?: string | null;
  readonly recovered_by?: string | null;
}

/** The category of a failure without a more specific one. */
const DEFAULT_CATEGORY = "failed";

export interface CallScores {
  readonly tool_success: 0 | 1;
  readonly failure_category?: string;
  readonly error_severity?: number;
  readonly is_cascade_failure?: 0 | 1;
}

/** The scores of one call; undefined if its status is pending or unknown. */
export function scoreCall(call: ScoredCall): CallScores | undefined {
  if (call.status === "ok") return { tool_success: 1 };
  if (call.status !== "failed") return undefined;
  return {
    tool_success: 0,
    failure_category: call.category ?? DEFAULT_CATEGORY,
    error_severity: call.severity ?? getErrorSeverity(call.category ?? DEFAULT_CATEGORY),
    is_cascade_failure: call.is_cascade_failure === true ? 1 : 0,
  };
}

/** Counts of a session's calls. */
export interface SessionAggregates extends HealthFigures {
  /** Failures by category. */
  readonly categories: { readonly [category: string]: number };
}

export interface SessionScores {
  /** Absent if there are calls but none with a known status. */
  readonly session_success_rate?: number;
  readonly session_health: Health;
  /** Absent without failures. */
  readonly dominant_failure_mode?: string;
  readonly session_rate_health: Health;
}

/**
 * Computes the scores of a session from its calls, or from their counts. Can be repeated as more calls arrive.
 *
 * @example
 * scoreSession([{ status: "ok" }, { status: "failed", category: "timeout" }]).session_health; // "degraded"
 */
export function scoreSession(
  of: readonly ScoredCall[] | SessionAggregates,
  thresholds: HealthThresholds = HEALTH_THRESHOLDS,
): SessionScores {
  const figures = "categories" in of ? of : sessionAggregates(of);
  const rate = successRate(figures);
  const dominant = findDominantFailureMode(figures.categories);
  return {
    ...(rate !== null && { session_success_rate: rate }),
    session_health: sessionHealth(figures),
    ...(dominant !== undefined && { dominant_failure_mode: dominant }),
    session_rate_health: rateHealth(figures, thresholds),
  };
}

/**
 * Converts scores to a list with ids.
 *
 * @param of the record id of the call, or the trace id of the session
 */
export function listScores(of: string, scores: CallScores | SessionScores | undefined): readonly Score[] {
  const values: { readonly [Name in ScoreName]?: number | string } = scores ?? {};
  return keysOf(values).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [{ id: scoreId(of, name), name, data_type: SCORE_TYPES[name], value }];
  });
}

const SCORE_TYPES: Readonly<Record<ScoreName, ScoreType>> = {
  tool_success: "BOOLEAN",
  failure_category: "CATEGORICAL",
  error_severity: "NUMERIC",
  is_cascade_failure: "BOOLEAN",
  session_success_rate: "NUMERIC",
  session_health: "CATEGORICAL",
  dominant_failure_mode: "CATEGORICAL",
  session_rate_health: "CATEGORICAL",
};

/** 1 − failed / (ok + failed); 1 without calls, null if there are calls but none with a known status. */
export function successRate(figures: OutcomeFigures): number | null {
  const { calls, ok, failed } = figures;
  if (hasNoKnownStatus(figures)) return null;
  return calls === 0 ? 1 : 1 - failed / (ok + failed);
}

export function sessionAggregates(calls: readonly ScoredCall[]): SessionAggregates {
  const categories = noCounts();
  const figures = { calls: 0, pending: 0, ok: 0, failed: 0, excused: 0, unrecovered: 0 };
  for (const call of calls) {
    if (call.status === "pending") {
      figures.pending += 1;
      continue;
    }
    figures.calls += 1;
    if (call.status === "ok") figures.ok += 1;
    if (call.status !== "failed") continue;
    const category = call.category ?? DEFAULT_CATEGORY;
    figures.failed += 1;
    categories[category] = (categories[category] ?? 0) + 1;
    if (isExcused(call)) figures.excused += 1;
    if (isUnrecovered(call)) figures.unrecovered += 1;
  }
  return { ...figures, categories };
}

/** Whether a failure was refused or cancelled by the user, and so is not a fault of the tool or the model. */
export function isExcused(call: ScoredCall): boolean {
  return call.status === "failed" && (call.phase === "gate" || call.category === "cancelled");
}

/** Whether a failure is neither a retry nor a follow-on. */
export function isRoot(call: ScoredCall): boolean {
  return call.status === "failed" && isAbsent(call.cascade_of) && isAbsent(call.retry_of);
}

export function isUnrecovered(call: ScoredCall): boolean {
  return isRoot(call) && isAbsent(call.recovered_by) && !isExcused(call);
}

function isAbsent(id: string | null | undefined): boolean {
  return id === undefined || id === null;
}

/**
 * The most frequent category of failure; undefined without failures. A tie goes to the first name in the alphabet, so
 * that the result does not depend on the order of failures.
 *
 * @example
 * findDominantFailureMode({ timeout: 2, exit_code: 2, error: 1 }); // "exit_code"
 */
export function findDominantFailureMode(counts: { readonly [category: string]: number }): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const name of Object.keys(counts).sort()) {
    const count = counts[name] ?? 0;
    if (count > most) [best, most] = [name, count];
  }
  return best;
}
