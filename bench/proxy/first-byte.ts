import type { BenchOptions } from "../frame/benchmark.ts";
import { type Row, row } from "../frame/row.ts";
import { median, spreadText } from "../frame/statistics.ts";
import type { FirstByteRounds } from "./load.ts";
import { type Stage, TARGETS, type Target } from "./stage.ts";
import { expectedCounts, type Workload } from "./workload.ts";

const WORKLOAD: Workload = {
  ...{ name: "first", api: "anthropic", sessions: 50, firstPairs: 10, pairsPerTurn: 1, resultLength: 400 },
};
const PAUSE_MS = 5;
/** Runs, of whose ratios the median counts: one burst of other work on the machine spoils only one of them. */
const RUNS = 5;

/** Delay of the first byte, one request at a time, against the delay that a bare pipe adds. */
export async function benchFirstByte(stage: Stage, options: BenchOptions): Promise<readonly Row[]> {
  options.progress("time to first byte");
  const [warm, rounds] = options.quick ? [50, 100] : [300, 1000];
  const times = async (from: number, to: number): Promise<ReadonlyMap<Target, readonly number[]>> => {
    const lists = await stage.load.request<number[][]>("firstBytes", {
      urls: TARGETS.map((target) => stage.urls.get(target) as string),
      ...{ workload: WORKLOAD, seed: options.seed, from, to, pauseMs: PAUSE_MS },
    } satisfies FirstByteRounds);
    return new Map(TARGETS.map((target, at) => [target, lists[at] as number[]]));
  };
  await times(0, warm);
  const runs: ReadonlyMap<Target, readonly number[]>[] = [];
  for (let run = 0; run < RUNS; run += 1)
    runs.push(await times(warm + (run * rounds) / RUNS, warm + ((run + 1) * rounds) / RUNS));
  const expected = expectedCounts(WORKLOAD, warm + rounds);
  const stored = await stage.counts(WORKLOAD);
  const middles = (target: Target): number[] => runs.map((times) => median(times.get(target) ?? []));
  const direct = median(middles("direct"));
  const added = (target: Target): number[] => {
    const base = middles("direct");
    return middles(target).map((middle, run) => middle - (base[run] as number));
  };
  const ratios = (target: Target): number[] => {
    const bare = added("pipe");
    return added(target).map((ms, run) => ms / (bare[run] as number));
  };
  const toRow = (target: Target, what: string, atMost?: number): Row =>
    row({
      name: `first byte, 89 KB: ${what}`,
      against: "bare pipe",
      value: median(added(target)),
      unit: "ms p50",
      ratio: median(ratios(target)),
      ...(atMost !== undefined && { reach: { atMost } }),
      ...(target !== "pipe" && { note: spreadText(ratios(target)) }),
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
