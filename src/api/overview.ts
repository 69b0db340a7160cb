import type { FirstUse, Range, SeriesPoint, Step, StoreReader, Summary } from "../store/port.ts";
import { previousRange } from "../store/spans.ts";
import { costOfRange, type Priced, type Prices } from "./prices.ts";

/** The totals of a range, with context for the overview page. */
export interface Overview extends Summary, Priced {
  /** The previous window of the same length. Null if the range has no start. */
  readonly previous: Summary | null;
  /** Sessions with `health` "unhealthy". */
  readonly unhealthy_sessions: number;
  /** Leaked calls that repair turned into calls. */
  readonly repaired: number;
  /** The old name of `repaired`. */
  readonly mended: number;
}

/** Totals over time. */
export interface SeriesResponse {
  readonly step: Step;
  readonly rows: readonly SeriesPoint[];
  readonly first_uses: readonly FirstUse[];
}

export async function overview(
  reader: Pick<StoreReader, "summary" | "unhealthySessions" | "originOutcomes" | "usage">,
  range: Range,
  now: number,
  prices?: Prices,
): Promise<Overview> {
  const before = previousRange({ ...range, until: range.until ?? now });
  const [summary, previous, unhealthy, origins, cost] = await Promise.all([
    reader.summary(range),
    before === undefined ? null : reader.summary(before),
    reader.unhealthySessions(range),
    reader.originOutcomes(range),
    costOfRange(reader, range, prices),
  ]);
  const recovered = origins.find(({ origin }) => origin === "recovered");
  const repaired = (recovered?.calls ?? 0) + (recovered?.pending ?? 0);
  return {
    ...summary,
    ...cost,
    previous,
    unhealthy_sessions: unhealthy,
    repaired,
    mended: repaired,
  };
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PART_COUNT = 12;

/** Failure rates of every tool in equal parts of a range. Null if a part has no call with a known outcome. */
export interface Trends {
  /** Start of each part in ms. */
  readonly at: readonly number[];
  readonly tools: { readonly [tool: string]: readonly (number | null)[] };
}

/** Covers at least a day, because rollups have whole hours. Without a start, covers the last 30 days. */
export async function trends(reader: Pick<StoreReader, "toolModel">, range: Range, now: number): Promise<Trends> {
  const until = (Math.floor((range.until ?? now) / HOUR) + 1) * HOUR;
  const since = Math.min(range.since ?? until - 30 * DAY, until - DAY);
  const length = Math.ceil((until - since) / PART_COUNT / HOUR) * HOUR;
  const at = Array.from({ length: PART_COUNT }, (_, part) => until - (PART_COUNT - part) * length);
  const parts = await Promise.all(
    at.map((start) => reader.toolModel({ ...range, since: start, until: start + length })),
  );
  const tools: Record<string, (number | null)[]> = Object.create(null);
  for (const [part, rows] of parts.entries()) {
    const sums = new Map<string, { ok: number; failed: number }>();
    for (const { tool, ok, failed } of rows) {
      const sum = sums.get(tool) ?? { ok: 0, failed: 0 };
      sums.set(tool, { ok: sum.ok + ok, failed: sum.failed + failed });
    }
    for (const [tool, { ok, failed }] of sums) {
      if (ok + failed === 0) continue;
      const rates = tools[tool] ?? new Array<number | null>(PART_COUNT).fill(null);
      rates[part] = Math.round((1e4 * failed) / (ok + failed)) / 1e4;
      tools[tool] = rates;
    }
  }
  return { at, tools };
}
