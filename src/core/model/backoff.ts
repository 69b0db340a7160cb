export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
  readonly factor?: number;
}

/**
 * The delay after consecutive failures: exponential and capped, with jitter over its second half so that clients do not
 * retry in step.
 */
export function backoffMs({ firstMs, longestMs, factor = 2 }: Backoff, failures: number, random: () => number): number {
  const longest = Math.min(longestMs, firstMs * factor ** Math.min(Math.max(failures, 1) - 1, 30));
  return Math.round(longest / 2 + (longest / 2) * random());
}
