import type { BenchOptions } from "../frame/benchmark.ts";
import { type Row, row } from "../frame/row.ts";
import { median } from "../frame/statistics.ts";
import type { FirstByteRounds } from "./load.ts";
import { type Stage, TARGETS, type Target } from "./stage.ts";
import { expectedCounts, type Workload } from "./workload.ts";

const WORKLOAD: Workload = {
  ...{ name: "first", api: "anthropic", sessions: 50, firstPairs: 10, pairsPerTurn: 1, resultLength: 400 },
};
const PAUSE_MS = 5;

/** Delay of the first byte, one request at a time, against the delay that a bare pipe adds. */
export async function benchFirstByte(stage: Stage, options: BenchOptions): Promise<readonly Row[]> {
  options.progress("time to first byte");
  const [warm, rounds] = options.quick ? [50, 100] : [300, 500];
  const times = async (from: number, to: number): Promise<ReadonlyMap<Target, readonly number[]>> => {
    const lists = await stage.load.request<number[][]>("firstBytes", {
      urls: TARGETS.map((target) => stage.urls.get(target) as string),
      ...{ workload: WORKLOAD, seed: options.seed, from, to, pauseMs: PAUSE_MS },
    } satisfies FirstByteRounds);
    return new Map(TARGETS.map((target, at) => [target, lists[at] as number[]]));
  };
  await times(0, warm);
  const measured = await times(warm, warm + rounds);
  const expected = expectedCounts(WORKLOAD, warm + rounds);
  const stored = await stage.counts(WORKLOAD);
  const direct = median(measured.get("direct") ?? []);
  const added = (target: Target): number => median(measured.get(target) ?? []) - direct;
  const toRow = (target: Target, what: string, atMost?: number): Row =>
    row({
      name: `first byte, 89 KB: ${what}`,
      against: "bare pipe",
      value: added(target),
      unit: "ms p50",
      ratio: added(target) / added("pipe"),
      ...(atMost !== undefined && { reach: { atMost } }),
      void: stored.calls === expected.calls ? undefined : `${stored.calls} calls stored instead of ${expected.calls}`,
    });
  return [
    toRow("toolmend", "added", 1.2),
    toRow("pipe", "added by the bare pipe"),
    toRow("pipe+parse", "added by pipe+parse"),
    toRow("pipe+parse again", "the same again"),
    row({ name: "first byte, 89 KB: direct", against: "", value: direct, unit: "ms p50" }),
  ];
}
