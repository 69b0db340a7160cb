import { type RateSample, rateDifference } from "../../../src/core/score/rate-difference.ts";
import { count, points } from "../format.ts";

interface ChangeProps {
  readonly now: RateSample;
  /** Null without a previous window. */
  readonly before: RateSample | null;
}

/** Change of a rate against the previous window, in percentage points. Faint if it may be chance. */
export function Change({ now, before }: ChangeProps) {
  const found = before === null ? null : rateDifference(now, before);
  if (before === null || found === null) return <span class="faint">–</span>;
  const { difference, isCertain, interval } = found;
  const counts = `${count(now.ok + now.failed)} calls against ${count(before.ok + before.failed)} before`;
  const ends = `95% interval: ${points(interval[0])} to ${points(interval[1])} points`;
  if (!isCertain)
    return (
      <span class="faint" title={`May be chance: ${points(difference)} points, ${counts} (${ends})`}>
        ≈
      </span>
    );
  const worse = difference > 0;
  return (
    <span class={worse ? "tone-bad" : "tone-ok"} title={`${points(difference)} points, ${counts} (${ends})`}>
      <span aria-hidden="true">{worse ? "▲" : "▼"}</span> {points(difference)}
    </span>
  );
}
