/** `insufficient`: not enough data. */
export type Health = "healthy" | "degraded" | "unhealthy" | "insufficient";

/** The input of health. */
export interface HealthFigures {
  /** Calls with a result. */
  readonly calls: number;
  /** Calls that wait for a result; default 0. */
  readonly pending?: number;
  readonly ok: number;
  readonly failed: number;
  /** Failures that were refused at a gate, or cancelled by the user. */
  readonly excused: number;
  /** Root failures without a successful retry. */
  readonly unrecovered: number;
}

/** The counts that health by the number of failures depends on. */
export type OutcomeFigures = Pick<HealthFigures, "calls" | "pending" | "ok" | "failed">;

/** Health by the number of failures: none, 1 or 2, 3 or more. Without any known status, health is `insufficient`. */
export function sessionHealth(figures: OutcomeFigures): Health {
  const { failed } = figures;
  if (hasNoKnownStatus(figures)) return "insufficient";
  if (failed === 0) return "healthy";
  return failed <= 2 ? "degraded" : "unhealthy";
}

/** Whether there are calls, and none of them has a known status yet. */
export function hasNoKnownStatus({ calls, pending = 0, ok, failed }: OutcomeFigures): boolean {
  return calls + pending > 0 && ok + failed === 0;
}

export interface HealthThresholds {
  /** Below this number of calls with a known status, health is `insufficient`. */
  readonly min_calls: number;
  /** Healthy below this failure rate, if no failure is unrecovered. */
  readonly healthy_below: number;
  /** Unhealthy from this failure rate on. */
  readonly unhealthy_from: number;
  /** Unhealthy from this number of unrecovered failures on. */
  readonly unhealthy_unrecovered: number;
}

export const HEALTH_THRESHOLDS: HealthThresholds = {
  min_calls: 5,
  healthy_below: 0.1,
  unhealthy_from: 0.3,
  unhealthy_unrecovered: 3,
};

/** Health by failure rate and unrecovered failures: 3 failures of 500 calls are not as bad as 3 of 4. */
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
