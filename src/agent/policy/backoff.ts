import { backoffMs as spread } from "../../core/model/backoff.ts";
import type { Clock } from "../clock.ts";
import type { RetryOptions } from "../registry/define-tool.ts";

/** The pause before attempt `attempt + 1`: doubling, capped, and spread so that many do not come back at once. */
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

/** A mistake in the program: it will be there the next time too. `fetch` throws a TypeError when the network is gone. */
export function isProgramMistake(error: unknown): boolean {
  if (!(error instanceof Error) || !MISTAKES.has(error.name)) return false;
  return !/fetch failed|network|load failed/i.test(error.message);
}
