import type { ResolutionEffect } from "../../../../src/api/resolution-effect.ts";
import { rateDifference } from "../../../../src/core/score/rate-difference.ts";
import { count } from "../../format.ts";

/** With fewer calls, even zero occurrences prove nothing. */
const MIN_CALLS = 20;

/** Whether a resolution helped, in words; cautious if there are few calls. */
export function effectWords({ before, after }: ResolutionEffect): string {
  const found = rateDifference(after, before);
  const [calls, callsBefore] = [after.ok + after.failed, before.ok + before.failed];
  if (found === null || Math.min(calls, callsBefore) < MIN_CALLS)
    return `Too few calls to compare: ${count(calls)} since, ${count(callsBefore)} before.`;
  if (!found.isCertain) return "The difference may be chance.";
  if (found.difference > 0) return "It occurs more often than before; chance alone rarely explains this.";
  return after.failed === 0
    ? "It has not occurred again; chance alone rarely explains this."
    : "It occurs less often than before; chance alone rarely explains this.";
}

/** Occurrences a day: `2.5`, `<0.1`. */
export function perDay(times: number, days: number): string {
  const rate = times / days;
  return rate === 0 ? "0" : rate < 0.1 ? "<0.1" : rate.toFixed(1);
}
