import type { BreakdownRow, FingerprintRow, Range, StoreReader } from "../store/port.ts";

const DAY = 86_400_000;
const BASELINE_MS = 7 * DAY;
/** Fewer judged calls than this say nothing about a change. */
const MIN_CALLS = 5;
const MAX_REGRESSIONS = 10;
/** 97.5 % of the normal distribution lies below: one change for the worse in forty would be chance. */
const Z = 1.959964;

/** A tool that fails more often than it used to. */
export interface ToolRegression {
  readonly tool: string;
  readonly failed: number;
  readonly judged: number;
  readonly rate: number;
  /** In the seven days before the range. */
  readonly baseline_rate: number;
  readonly baseline_judged: number;
  readonly top_category: string | null;
}

export interface Regressions {
  /** Was anything recorded in the seven days before? Without, nothing can be called worse or new. */
  readonly compared: boolean;
  readonly tools: readonly ToolRegression[];
  /** Failures that were never seen before the range. */
  readonly fingerprints: readonly FingerprintRow[];
}

/** What a range brought that was not there before: each tool against its own seven days, and errors of a new kind. */
export async function findRegressions(
  reader: Pick<StoreReader, "breakdown" | "fingerprints">,
  range: Range,
  now: number,
): Promise<Regressions> {
  const since = range.since ?? now - DAY;
  const current = { ...range, since };
  const [rows, before, found] = await Promise.all([
    reader.breakdown("tool", current),
    reader.breakdown("tool", { ...range, since: since - BASELINE_MS, until: since }),
    reader.fingerprints({ ...current, limit: 200 }),
  ]);
  const baselines = new Map(before.map((row) => [row.key, row]));
  const isNew = ({ first_at }: FingerprintRow): boolean => first_at !== null && Date.parse(first_at) >= since;
  return {
    compared: before.length > 0,
    tools: rows
      .flatMap((row) => worseThan(row, baselines.get(row.key)))
      .sort((a, b) => excess(b) - excess(a))
      .slice(0, MAX_REGRESSIONS),
    // Where nothing was recorded before, everything is new and nothing is news.
    fingerprints: before.length === 0 ? [] : found.filter(isNew).slice(0, MAX_REGRESSIONS),
  };
}

function excess({ failed, judged, baseline_rate }: ToolRegression): number {
  return failed - judged * baseline_rate;
}

/** Refused and cancelled calls are no fault of the tool: both sides leave them out. */
function worseThan(row: BreakdownRow, before: BreakdownRow | undefined): readonly ToolRegression[] {
  if (before === undefined) return [];
  const [failed, judged] = unexcused(row);
  const [failedBefore, judgedBefore] = unexcused(before);
  if (judged < MIN_CALLS || judgedBefore < MIN_CALLS) return [];
  const [rate, baseline] = [failed / judged, failedBefore / judgedBefore];
  if (rate <= baseline || !isSignificant(failed, judged, failedBefore, judgedBefore)) return [];
  return [
    {
      ...{ tool: row.key, failed, judged, rate, top_category: row.top_category },
      ...{ baseline_rate: baseline, baseline_judged: judgedBefore },
    },
  ];
}

function unexcused({ ok, failed, excused }: BreakdownRow): readonly [failed: number, judged: number] {
  return [failed - excused, ok + failed - excused];
}

/** Two shares, pooled. */
function isSignificant(x1: number, n1: number, x2: number, n2: number): boolean {
  const pooled = (x1 + x2) / (n1 + n2);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2));
  return deviation > 0 && (x1 / n1 - x2 / n2) / deviation > Z;
}
