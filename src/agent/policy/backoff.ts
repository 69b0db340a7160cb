import { backoffMs as spread } from "../../core/model/backoff.ts";
import type { Clock } from "../clock.ts";
import type { RetryOptions } from "../registry/define-tool.ts";

/**
 * Delay before the next attempt: exponential, capped, with jitter so that many clients do not retry at the same time.
 */
export function backoffMs(
  { minMs = 200, maxMs = 5000, factor = 2 }: RetryOptions,
  attempt: number,
  clock: Clock,
): number {
  return spread({ firstMs: minMs, longestMs: maxMs, factor }, attempt, () => clock.random());
}

const MISTAKES: ReadonlySet<string> = new Set([
  "TypeError",
  "ReferenceError",
  "SyntaxError",
  "RangeError",
  "EvalError",
]);

/**
 * A bug in the program, which a retry would hit again. `fetch` throws a TypeError for network failures; those are
 * excluded by the messages of Node and the browsers, because they set no common code.
 */
export function isProgramMistake(error: unknown): boolean {
  if (!(error instanceof Error) || !MISTAKES.has(error.name)) return false;
  return !/fetch failed|network|load failed/i.test(error.message);
}
