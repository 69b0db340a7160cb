import { noCounts } from "../core/model/counts.ts";
import type { Category } from "../core/model/outcome.ts";
import { durationOf } from "../core/model/rollup.ts";
import { addTally, EMPTY_TALLY, failureRate, type Tally } from "../core/model/session-record.ts";
import { findDominantFailureMode } from "../core/score/scores.ts";
import type { BreakdownRow, PhaseSplit, SeriesPoint, ToolModelRow } from "./rows.ts";

/** A sum by key, phase and category. */
export interface CategorySum extends Tally {
  readonly key: string;
  readonly phase: string;
  readonly category: string;
}

/** Optional data of a breakdown. */
export interface BreakdownExtras {
  readonly previous?: Iterable<CategorySum>;
  /** Histograms of execution times by key: calls by bucket. */
  readonly durations?: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Failures by key and phase, for sums without a phase. */
  readonly phases?: Iterable<PhaseSum>;
}

type PhaseSum = Pick<CategorySum, "key" | "phase" | "failed">;

/** Folds sums into one row per key: most failures first, ties by name. */
export function breakdownRows(sums: Iterable<CategorySum>, extras: BreakdownExtras = {}): readonly BreakdownRow[] {
  const previous = extras.previous === undefined ? undefined : foldSums(extras.previous);
  const folded = foldSums(sums);
  for (const sum of extras.phases ?? []) addPhase(folded.get(sum.key), sum);
  return [...folded]
    .map(([key, { tally, categories, phases }]) => ({
      key,
      ...tally,
      failure_rate: failureRate(tally),
      top_category: topCategory(categories),
      phases,
      p95_ms: percentile(extras.durations?.get(key), 0.95),
      previous: previous === undefined ? null : (previous.get(key)?.tally ?? EMPTY_TALLY),
    }))
    .filter((row) => row.calls > 0)
    .sort((a, b) => b.failed - a.failed || b.calls - a.calls || (a.key < b.key ? -1 : 1));
}

interface Folded {
  tally: Tally;
  phases: PhaseSplit;
  readonly categories: Record<string, number>;
}

function foldSums(sums: Iterable<CategorySum>): ReadonlyMap<string, Folded> {
  const byKey = new Map<string, Folded>();
  for (const sum of sums) {
    const row = byKey.get(sum.key) ?? {
      tally: EMPTY_TALLY,
      phases: { call: 0, gate: 0, run: 0 },
      categories: noCounts(),
    };
    row.tally = addTally(row.tally, sum);
    if (sum.failed !== 0) row.categories[sum.category] = (row.categories[sum.category] ?? 0) + sum.failed;
    addPhase(row, sum);
    byKey.set(sum.key, row);
  }
  return byKey;
}

function addPhase(row: Folded | undefined, { phase, failed }: PhaseSum): void {
  if (row !== undefined && isPhase(phase)) row.phases = { ...row.phases, [phase]: row.phases[phase] + failed };
}

function isPhase(phase: string): phase is keyof PhaseSplit {
  return phase === "call" || phase === "gate" || phase === "run";
}

/** Null for failures without a category. */
function topCategory(categories: { readonly [name: string]: number }): Category | null {
  const top = findDominantFailureMode(categories);
  return top === undefined || top === "" ? null : (top as Category);
}

/** The center of the bucket that contains the percentile; null without measurements. */
function percentile(classes: ReadonlyMap<number, number> | undefined, part: number): number | null {
  const sorted = [...(classes ?? [])].filter(([, calls]) => calls > 0).sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, calls]) => sum + calls, 0);
  let reached = 0;
  for (const [bucket, calls] of sorted) {
    reached += calls;
    if (reached >= total * part) return durationOf(bucket);
  }
  return null;
}

/** Folds sums into one point per time. */
export function seriesPoints(
  sums: Iterable<Tally & { readonly at: number; readonly category: string }>,
): readonly SeriesPoint[] {
  const points = new Map<number, { tally: Tally; categories: Record<string, number> }>();
  for (const sum of sums) {
    const point = points.get(sum.at) ?? { tally: EMPTY_TALLY, categories: noCounts() };
    point.tally = addTally(point.tally, sum);
    if (sum.failed > 0 && sum.category !== "")
      point.categories[sum.category] = (point.categories[sum.category] ?? 0) + sum.failed;
    points.set(sum.at, point);
  }
  return [...points]
    .filter(([, { tally }]) => tally.calls > 0)
    .sort(([a], [b]) => a - b)
    .map(([at, { tally, categories }]) => ({ at, ...tally, failure_rate: failureRate(tally), categories }));
}

/** One row per pair of tool and model, most calls first. */
export function toolModelRows(
  sums: Iterable<Tally & { readonly tool: string; readonly model: string; readonly category: string }>,
): readonly ToolModelRow[] {
  const pairs = new Map<string, { tool: string; model: string; tally: Tally; categories: Record<string, number> }>();
  for (const sum of sums) {
    const { tool, model, category } = sum;
    const key = `${tool}\u0000${model}`;
    const pair = pairs.get(key) ?? { tool, model, tally: EMPTY_TALLY, categories: noCounts() };
    pair.tally = addTally(pair.tally, sum);
    if (sum.failed > 0) pair.categories[category] = (pair.categories[category] ?? 0) + sum.failed;
    pairs.set(key, pair);
  }
  return [...pairs.values()]
    .filter(({ tally }) => tally.calls > 0)
    .map(({ tool, model, tally, categories }) => ({
      tool,
      model: model === "" ? "unknown" : model,
      ...tally,
      failure_rate: failureRate(tally),
      top_category: topCategory(categories),
    }))
    .sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : a.tool > b.tool ? 1 : a.model < b.model ? -1 : 1));
}
