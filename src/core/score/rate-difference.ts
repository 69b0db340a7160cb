import { wilsonInterval } from "./excess.ts";

/** Failures among calls with a known outcome. */
export interface RateSample {
  readonly ok: number;
  readonly failed: number;
}

export interface RateDifference {
  /** Rate of `a` minus rate of `b`. */
  readonly difference: number;
  /** 95 % confidence interval of the difference. */
  readonly interval: readonly [low: number, high: number];
  /** Whether the interval excludes 0, so that chance alone rarely explains the difference. */
  readonly isCertain: boolean;
}

/** Compares two failure rates by Newcombe's score interval. Null if either has no call with a known outcome. */
export function rateDifference(a: RateSample, b: RateSample): RateDifference | null {
  const [ofA, ofB] = [wilsonInterval(a.failed, a.ok + a.failed), wilsonInterval(b.failed, b.ok + b.failed)];
  if (ofA === null || ofB === null) return null;
  const [rateA, rateB] = [a.failed / (a.ok + a.failed), b.failed / (b.ok + b.failed)];
  const difference = rateA - rateB;
  const low = difference - Math.hypot(rateA - ofA[0], ofB[1] - rateB);
  const high = difference + Math.hypot(ofA[1] - rateA, rateB - ofB[0]);
  return { difference, interval: [low, high], isCertain: low > 0 || high < 0 };
}
