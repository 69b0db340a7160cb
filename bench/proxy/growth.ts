import type { BenchOptions } from "../frame/benchmark.ts";
import { createRandom } from "../frame/random.ts";
import { type Row, row } from "../frame/row.ts";
import { logLogSlope, median, medianRatio } from "../frame/statistics.ts";
import type { LoopDelays } from "./loop-delay.ts";
import { LoadRun } from "./measure.ts";
import type { ProxyName, Stage } from "./stage.ts";
import type { Workload } from "./workload.ts";

const WORKLOAD: Workload = {
  ...{ name: "growth", api: "anthropic", sessions: 6, firstPairs: 2, pairsPerTurn: 6, resultLength: 15_000 },
};
const TURNS = 40;
/** The turns at the end whose cost is compared. */
const LAST_TURNS = 5;

/** Sessions whose body grows from 100 KB to 4 MB: the cost of a turn, and the event-loop delay meanwhile. */
export async function benchGrowth(stage: Stage, options: BenchOptions): Promise<readonly Row[]> {
  options.progress("growing sessions");
  const random = createRandom(options.seed);
  const workload = options.quick ? { ...WORKLOAD, sessions: 3 } : WORKLOAD;
  const run = new LoadRun(stage, { workload, seed: options.seed, connections: 1 });
  const everyProxy = (command: string): Promise<unknown> =>
    Promise.all([...stage.proxies.values()].map((child) => child.request(command)));
  await everyProxy("watch");
  const rounds = await run.rounds(TURNS, 1, random);
  await everyProxy("unwatch");
  const problem = await run.problem();
  const sizes = await stage.load.request<number[]>("bodySizes", {
    ...{ workload, seed: options.seed, at: rounds.map((_, turn) => turn * workload.sessions) },
  });
  const costs = rounds.map((cost, turn) => [sizes[turn] as number, cost] as const);
  const slope = (target: ProxyName): number =>
    logLogSlope(costs.map(([size, cost]) => [size, cost.get(target)?.process ?? Number.NaN]));
  const total = (target: ProxyName): number =>
    costs.reduce((sum, [, cost]) => sum + (cost.get(target)?.process ?? Number.NaN), 0) / 1000;
  const atEnd = (target: ProxyName): number[] =>
    costs.slice(-LAST_TURNS).map(([, cost]) => cost.get(target)?.mainThread ?? Number.NaN);
  const delay = async (target: ProxyName): Promise<LoopDelays> =>
    (await stage.proxies.get(target)?.request<LoopDelays>("delays")) as LoopDelays;
  const [toolmend, bare, parsing] = [await delay("toolmend"), await delay("pipe"), await delay("pipe+parse")];
  const [from, to] = [costs[0]?.[0] ?? 0, costs.at(-1)?.[0] ?? 0];
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
      value: toolmend.p99,
      unit: "ms",
      ratio: toolmend.p99 / bare.p99,
      reach: { atMost: 1.2 },
      void: problem,
    }),
    row({
      name: "growing body: the same, pipe+parse",
      against: "bare pipe",
      value: parsing.p99,
      unit: "ms",
      ratio: parsing.p99 / bare.p99,
    }),
  ];
}
