import type { SeriesPoint, Step } from "../../../src/store/port.ts";

const STEP_MS: Readonly<Record<Step, number>> = { hour: 3_600_000, day: 86_400_000 };
const MAX_BUCKETS = 400;
const MAX_NAMES = 5;
export const OTHER = "other";
/** Below this number of calls, a rate is unreliable. */
export const FEW_CALLS = 5;

/** Failures by category over time: one column per hour or day, one layer per category. */
export interface Stack {
  /** Start of each column, in seconds. */
  readonly x: readonly number[];
  /** Most failures first; rare categories share the last layer. */
  readonly names: readonly string[];
  /** The categories of each name: several for the last layer. */
  readonly categories: readonly (readonly string[])[];
  /** Failures per name and column. */
  readonly counts: readonly (readonly number[])[];
  /** Per name and column, the cumulative failure rate up to this layer; null in a column without known outcomes. */
  readonly tops: readonly (readonly (number | null)[])[];
  readonly known: readonly number[];
  readonly failed: readonly number[];
}

/** From `since` or the first point to `until`, including empty hours or days. */
export function stackOf(points: readonly SeriesPoint[], step: Step, since: number | undefined, until: number): Stack {
  const length = STEP_MS[step];
  const start = (at: number): number => at - (at % length);
  const last = start(until);
  const wanted = start(since ?? points[0]?.at ?? until);
  const first = Math.max(wanted, last - (MAX_BUCKETS - 1) * length);
  const columns = Math.floor((last - first) / length) + 1;
  const byStart = new Map(points.map((point) => [start(point.at), point]));
  const inOrder = Array.from({ length: Math.max(1, columns) }, (_, at) => byStart.get(first + at * length));
  const names = namesOf(points);
  const counts = names.map((name) => inOrder.map((point) => failuresOf(point, name, names)));
  const known = inOrder.map((point) => (point === undefined ? 0 : point.ok + point.failed));
  return {
    x: inOrder.map((_, at) => (first + at * length) / 1000),
    names,
    categories: names.map((name) => (name === OTHER ? otherCategories(points, names) : [name])),
    counts,
    tops: names.map((_, layer) =>
      known.map((calls, at) => {
        if (calls === 0) return null;
        return counts.slice(0, layer + 1).reduce((sum, row) => sum + (row[at] ?? 0), 0) / calls;
      }),
    ),
    known,
    failed: inOrder.map((point) => point?.failed ?? 0),
  };
}

function namesOf(points: readonly SeriesPoint[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { categories } of points) {
    for (const [name, failed] of Object.entries(categories)) sums.set(name, (sums.get(name) ?? 0) + failed);
  }
  const names = [...sums].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
  return names.length <= MAX_NAMES + 1 ? names : [...names.slice(0, MAX_NAMES), OTHER];
}

function otherCategories(points: readonly SeriesPoint[], names: readonly string[]): readonly string[] {
  const all = new Set(points.flatMap(({ categories }) => Object.keys(categories)));
  return [...all].filter((name) => !names.includes(name)).sort();
}

function failuresOf(point: SeriesPoint | undefined, name: string, names: readonly string[]): number {
  if (point === undefined) return 0;
  if (name !== OTHER) return point.categories[name] ?? 0;
  return Object.entries(point.categories)
    .filter(([one]) => !names.includes(one))
    .reduce((sum, [, failed]) => sum + failed, 0);
}
