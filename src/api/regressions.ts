import type { BreakdownRow, FingerprintRow, Range, StoreReader } from "../store/port.ts";

const DAY = 86_400_000;
const BASELINE_MS = 7 * DAY;
/** With fewer calls with a known outcome, a change is not significant. */
const MIN_CALLS = 5;
const MAX_REGRESSIONS = 10;
/** The 97.5 % quantile of the normal distribution: 1 in 40 reported regressions would be chance. */
const Z = 1.959964;

/** A tool that fails more often than in the 7 days before the range. */
export interface ToolRegression {
  readonly tool: string;
  readonly failed: number;
  readonly judged: number;
  readonly rate: number;
  /** Failure rate in the 7 days before the range. */
  readonly baseline_rate: number;
  readonly baseline_judged: number;
  readonly top_category: string | null;
}

export interface Regressions {
  /** False if nothing was recorded in the 7 days before. Regressions and new errors are then unknown. */
  readonly compared: boolean;
  readonly tools: readonly ToolRegression[];
  /** Errors that first occurred in the range. */
  readonly fingerprints: readonly FingerprintRow[];
}

/** Compares each tool with its previous 7 days, and finds new errors. */
export async function findRegressions(
  reader: Pick<StoreReader, "breakdown" | "fingerprints">,
  range: Range,
  now: number,
): Promise<Regressions> {
  const since = range.since ?? now - DAY;
  const current = { ...range, since };
  const [rows, before, days, found] = await Promise.all([
    reader.breakdown("tool", current),
    reader.breakdown("tool", { ...range, since: since - BASELINE_MS, until: since }),
    reader.breakdown("day", { ...range, since: since - BASELINE_MS }),
    reader.fingerprints({ ...current, limit: 200 }),
  ]);
  const baselines = new Map(before.map((row) => [row.key, row]));
  // At the start of the history, every error occurs for the first time.
  const begin = Math.min(...days.map(({ key }) => Date.parse(key))) + DAY;
  const isNew = ({ first_at }: FingerprintRow): boolean =>
    first_at !== null && Date.parse(first_at) >= Math.max(since, begin);
  return {
    compared: before.length > 0,
    tools: rows
      .flatMap((row) => worseThan(row, baselines.get(row.key)))
      .sort((a, b) => excess(b) - excess(a))
      .slice(0, MAX_REGRESSIONS),
    // Without earlier data every error would be new.
    fingerprints: before.length === 0 ? [] : found.filter(isNew).slice(0, MAX_REGRESSIONS),
  };
}

function excess({ failed, judged, baseline_rate }: ToolRegression): number {
  return failed - judged * baseline_rate;
}

/** Excludes refused and cancelled calls from both windows, because the tool did not cause them. */
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

/** One-sided two-proportion z-test with pooled variance. */
function isSignificant(x1: number, n1: number, x2: number, n2: number): boolean {
  const pooled = (x1 + x2) / (n1 + n2);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2));
  return deviation > 0 && (x1 / n1 - x2 / n2) / deviation > Z;
}
