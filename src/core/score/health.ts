/** `insufficient`: too little is known to say anything. */
export type Health = "healthy" | "degraded" | "unhealthy" | "insufficient";

/** What health is judged by. */
export interface HealthFigures {
  readonly calls: number;
  readonly ok: number;
  readonly failed: number;
  /** Of the failed: refused at a gate, or cancelled by the user. */
  readonly excused: number;
  /** Failures that started something and that no later try put right. */
  readonly unrecovered: number;
}

/** By the number of failures: none, one or two, three and more. Calls without any verdict say nothing. */
export function sessionHealth({ calls, ok, failed }: Pick<HealthFigures, "calls" | "ok" | "failed">): Health {
  if (calls > 0 && ok + failed === 0) return "insufficient";
  if (failed === 0) return "healthy";
  return failed <= 2 ? "degraded" : "unhealthy";
}

export interface HealthThresholds {
  /** Fewer judged calls than this say nothing. */
  readonly min_calls: number;
  /** Healthy is below this rate, with nothing unrecovered. */
  readonly healthy_below: number;
  /** Unhealthy from this rate on … */
  readonly unhealthy_from: number;
  /** … or with so many unrecovered failures. */
  readonly unhealthy_unrecovered: number;
}

export const HEALTH_THRESHOLDS: HealthThresholds = {
  min_calls: 5,
  healthy_below: 0.1,
  unhealthy_from: 0.3,
  unhealthy_unrecovered: 3,
};

/** By the rate, and by what stayed broken: three failures of five hundred calls are not three of four. */
export function rateHealth(
  { ok, failed, excused, unrecovered }: HealthFigures,
  thresholds: HealthThresholds = HEALTH_THRESHOLDS,
): Health {
  const judged = ok + failed - excused;
  if (judged < thresholds.min_calls) return "insufficient";
  const rate = (failed - excused) / judged;
  if (rate >= thresholds.unhealthy_from || unrecovered >= thresholds.unhealthy_unrecovered) return "unhealthy";
  return rate < thresholds.healthy_below && unrecovered === 0 ? "healthy" : "degraded";
}
