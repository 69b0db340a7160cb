export interface OutcomeCounts {
  readonly ok: number;
  readonly failed: number;
  /** Failures at a gate or cancelled. Rankings ignore them. */
  readonly excused: number;
}

/** The failure rate of one tool, model or day compared to the overall rate. */
export interface RateComparison {
  readonly judged: number;
  readonly failures: number;
  /** failures / judged; null without any known status. */
  readonly rate: number | null;
  /** 95 % confidence interval of the rate; null without any known status. */
  readonly interval: readonly [low: number, high: number] | null;
  /** Failures above what the overall rate predicts for this many calls. */
  readonly excess: number;
}

/** @param overall the sum of all compared rows, including this one */
export function compareToOverall(row: OutcomeCounts, overall: OutcomeCounts): RateComparison {
  const judged = row.ok + row.failed - row.excused;
  const failures = row.failed - row.excused;
  const all = overall.ok + overall.failed - overall.excused;
  const expected = all === 0 ? 0 : (judged * (overall.failed - overall.excused)) / all;
  return {
    judged,
    failures,
    rate: judged === 0 ? null : failures / judged,
    interval: wilsonInterval(failures, judged),
    excess: failures - expected,
  };
}

/** The number of standard deviations around the mean that contain 95 % of a normal distribution. */
const Z = 1.959964;

/** Wilson score interval, which also holds for few calls and for rates near 0 or 1. Null without calls. */
export function wilsonInterval(failed: number, judged: number): readonly [low: number, high: number] | null {
  if (judged <= 0) return null;
  const rate = failed / judged;
  const z2 = (Z * Z) / judged;
  const center = (rate + z2 / 2) / (1 + z2);
  const margin = (Z / (1 + z2)) * Math.sqrt((rate * (1 - rate)) / judged + z2 / (4 * judged));
  return [Math.max(0, center - margin), Math.min(1, center + margin)];
}
