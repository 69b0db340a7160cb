import type { BenchOptions } from "../frame/benchmark.ts";
import { createRandom } from "../frame/random.ts";
import { type Row, row } from "../frame/row.ts";
import { logLogSlope, median, medianRatio, spreadText } from "../frame/statistics.ts";
import type { LoopDelays } from "./loop-delay.ts";
import { LoadRun, type SliceCost } from "./measure.ts";
import type { ProxyName, Stage, Target } from "./stage.ts";
import type { Workload } from "./workload.ts";

const WORKLOAD: Workload = {
  ...{ name: "growth", api: "anthropic", sessions: 2, firstPairs: 2, pairsPerTurn: 6, resultLength: 15_000 },
};
const TURNS = 40;
/** Each with sessions of its own; of the event-loop delays the median counts. */
const RUNS = 5;
/** The turns at the end whose cost is compared. */
const LAST_TURNS = 5;

interface GrowthRun {
  /** By turn. */
  readonly rounds: readonly ReadonlyMap<Target, SliceCost>[];
  /** p99 in milliseconds. */
  readonly delays: { readonly toolmend: number; readonly pipe: number; readonly parsing: number };
}

/** Sessions whose body grows from 100 KB to 4 MB: the cost of a turn, and the event-loop delay meanwhile. */
export async function benchGrowth(stage: Stage, options: BenchOptions): Promise<readonly Row[]> {
  options.progress("growing sessions");
  const random = createRandom(options.seed);
  const shape = options.quick ? { ...WORKLOAD, sessions: 1 } : WORKLOAD;
  const everyProxy = (command: string): Promise<unknown> =>
    Promise.all([...stage.proxies.values()].map((child) => child.request(command)));
  const delaysOf = async (target: ProxyName): Promise<LoopDelays> =>
    (await stage.proxies.get(target)?.request<LoopDelays>("delays")) as LoopDelays;
  const sizes = await stage.load.request<number[]>("bodySizes", {
    ...{ workload: shape, seed: options.seed },
    at: Array.from({ length: TURNS }, (_, turn) => turn * shape.sessions),
  });
  const runs: GrowthRun[] = [];
  let problem: string | undefined;
  for (let at = 0; at < RUNS; at += 1) {
    const workload = { ...shape, name: `${shape.name}${at}` };
    const run = new LoadRun(stage, { workload, seed: options.seed, connections: 1 });
    await everyProxy("watch");
    const rounds = await run.rounds(TURNS, 1, random);
    await everyProxy("unwatch");
    problem ??= await run.problem();
    const [toolmend, pipe, parsing] = [
      await delaysOf("toolmend"),
      await delaysOf("pipe"),
      await delaysOf("pipe+parse"),
    ];
    runs.push({ rounds, delays: { toolmend: toolmend.p99, pipe: pipe.p99, parsing: parsing.p99 } });
  }
  const costs = runs.flatMap(({ rounds }) => rounds.map((cost, turn) => [sizes[turn] as number, cost] as const));
  const slope = (target: ProxyName): number =>
    logLogSlope(costs.map(([size, cost]) => [size, cost.get(target)?.process ?? Number.NaN]));
  const total = (target: ProxyName): number =>
    costs.reduce((sum, [, cost]) => sum + (cost.get(target)?.process ?? Number.NaN), 0) / RUNS / 1000;
  const atEnd = (target: ProxyName): number[] =>
    runs.flatMap(({ rounds }) => rounds.slice(-LAST_TURNS).map((cost) => cost.get(target)?.mainThread ?? Number.NaN));
  const delays = (of: keyof GrowthRun["delays"]): number[] => runs.map((run) => run.delays[of]);
  const delayRatios = (of: keyof GrowthRun["delays"]): number[] => runs.map((run) => run.delays[of] / run.delays.pipe);
  const [from, to] = [sizes[0] ?? 0, sizes.at(-1) ?? 0];
  const range = `${Math.round(from / 1000)} KB to ${(to / 1e6).toFixed(1)} MB`;
  return [
    row({
      name: "growing body: exponent of cost per turn",
      against: range,
      value: slope("toolmend"),
      unit: "slope",
      reach: { atMost: 0.3 },
      void: problem,
    }),
    row({
      name: "growing body: main thread per turn at the end",
      against: "pipe+parse",
      value: median(atEnd("toolmend")),
      unit: "µs/request",
      ratio: medianRatio(atEnd("toolmend"), atEnd("pipe+parse")),
      reach: { atMost: 0.5 },
      void: problem,
    }),
    row({ name: "growing body: the same, pipe+parse", against: range, value: slope("pipe+parse"), unit: "slope" }),
    row({
      name: "growing body: CPU of a whole session",
      against: "pipe+parse",
      value: total("toolmend"),
      unit: "ms",
      ratio: total("toolmend") / total("pipe+parse"),
      void: problem,
    }),
    row({
      name: "growing body: event-loop delay p99",
      against: "bare pipe",
      value: median(delays("toolmend")),
      unit: "ms",
      ratio: median(delayRatios("toolmend")),
      reach: { atMost: 1.2 },
      note: spreadText(delayRatios("toolmend")),
      void: problem,
    }),
    row({
      name: "growing body: the same, pipe+parse",
      against: "bare pipe",
      value: median(delays("parsing")),
      unit: "ms",
      ratio: median(delayRatios("parsing")),
      note: spreadText(delayRatios("parsing")),
    }),
  ];
}
