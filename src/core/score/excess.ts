/** What a rate is made of. */
export interface OutcomeCounts {
  readonly ok: number;
  readonly failed: number;
  /** Of the failed: at a gate or cancelled. Rankings leave them out. */
  readonly excused: number;
}

/** How one tool, model or day stands among all. */
export interface RateComparison {
  readonly judged: number;
  readonly failures: number;
  /** failures / judged; null without a verdict. */
  readonly rate: number | null;
  /** 95 % interval of the rate; null without a verdict. */
  readonly interval: readonly [low: number, high: number] | null;
  /** Failures beyond what the overall rate would give this many calls: what would be gained by making it ordinary. */
  readonly excess: number;
}

/** `overall` is the sum of all rows that are compared, this one included. */
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

/** 95 % of the normal distribution lies within so many deviations. */
const Z = 1.959964;

/** Wilson's score interval: honest also for three calls of three, where the plain rate is not. Null without any. */
export function wilsonInterval(failed: number, judged: number): readonly [low: number, high: number] | null {
  if (judged <= 0) return null;
  const rate = failed / judged;
  const z2 = (Z * Z) / judged;
  const middle = (rate + z2 / 2) / (1 + z2);
  const half = (Z / (1 + z2)) * Math.sqrt((rate * (1 - rate)) / judged + z2 / (4 * judged));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
