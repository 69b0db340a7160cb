import type { Range, StoreReader, Summary } from "../store/port.ts";
import { previousRange } from "../store/spans.ts";

/** More are not counted: the page then says "more than". */
const MOST_UNHEALTHY = 500;

/** The totals of a range, and what stands beside them at a glance. */
export interface Overview extends Summary {
  /** The window of the same length right before; null where the range has no start. */
  readonly previous: Summary | null;
  /** Sessions that are unhealthy by rate; at most 500 are counted. */
  readonly unhealthy_sessions: number;
  /** Leaked calls that were put right. */
  readonly mended: number;
}

export async function overview(
  reader: Pick<StoreReader, "summary" | "sessions" | "originOutcomes">,
  range: Range,
  now: number,
): Promise<Overview> {
  const before = previousRange({ ...range, until: range.until ?? now });
  const [summary, previous, unhealthy, origins] = await Promise.all([
    reader.summary(range),
    before === undefined ? null : reader.summary(before),
    reader.sessions({ ...range, rate_health: "unhealthy", limit: MOST_UNHEALTHY }),
    reader.originOutcomes(range),
  ]);
  const mended = origins.find(({ origin }) => origin === "recovered");
  return {
    ...summary,
    previous,
    unhealthy_sessions: unhealthy.length,
    mended: (mended?.calls ?? 0) + (mended?.pending ?? 0),
  };
}
