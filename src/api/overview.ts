import type { Range, StoreReader, Summary } from "../store/port.ts";
import { previousRange } from "../store/spans.ts";

/** The totals of a range, and what stands beside them at a glance. */
export interface Overview extends Summary {
  /** The window of the same length right before; null where the range has no start. */
  readonly previous: Summary | null;
  /** Sessions that are unhealthy by rate. */
  readonly unhealthy_sessions: number;
  /** Leaked calls that were put right. */
  readonly mended: number;
}

export async function overview(
  reader: Pick<StoreReader, "summary" | "unhealthySessions" | "originOutcomes">,
  range: Range,
  now: number,
): Promise<Overview> {
  const before = previousRange({ ...range, until: range.until ?? now });
  const [summary, previous, unhealthy, origins] = await Promise.all([
    reader.summary(range),
    before === undefined ? null : reader.summary(before),
    reader.unhealthySessions(range),
    reader.originOutcomes(range),
  ]);
  const mended = origins.find(({ origin }) => origin === "recovered");
  return {
    ...summary,
    previous,
    unhealthy_sessions: unhealthy,
    mended: (mended?.calls ?? 0) + (mended?.pending ?? 0),
  };
}
