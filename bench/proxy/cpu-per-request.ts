import type { BenchOptions } from "../frame/benchmark.ts";
import { createRandom } from "../frame/random.ts";
import { type Row, row } from "../frame/row.ts";
import { median, medianRatio } from "../frame/statistics.ts";
import { LoadRun, type SliceCost } from "./measure.ts";
import type { Stage, Target } from "./stage.ts";
import type { Workload } from "./workload.ts";

interface CpuLoad {
  readonly title: string;
  readonly workload: Workload;
  /** Turns of each family of sessions before measuring, see {@link WARM_FAMILIES}. */
  readonly warmTurns: number;
  readonly turnsPerRound: number;
  readonly rounds: number;
  readonly reach: { readonly process: number; readonly mainThread?: number };
}

const SESSIONS = 200;
const CONNECTIONS = 32;
/**
 * A proxy runs for days, and the engine compiles during the first ten thousand requests and more, which is not part of
 * a request's cost. These sessions end before the measured ones begin.
 */
const WARM_FAMILIES = 4;

const LOADS: readonly CpuLoad[] = [
  {
    title: "89 KB / 50 events",
    workload: {
      name: "late",
      api: "anthropic",
      sessions: SESSIONS,
      firstPairs: 10,
      pairsPerTurn: 1,
      resultLength: 400,
    },
    warmTurns: 8,
    turnsPerRound: 2,
    rounds: 7,
    reach: { process: 1.1 },
  },
  {
    title: "1 KB JSON",
    workload: { name: "chat", api: "chat", sessions: SESSIONS, firstPairs: 0, pairsPerTurn: 1, resultLength: 180 },
    warmTurns: 24,
    turnsPerRound: 8,
    rounds: 7,
    reach: { process: 3, mainThread: 1.7 },
  },
  {
    title: "89 KB replayed",
    workload: {
      ...{ name: "replay", api: "anthropic", sessions: 1, firstPairs: 18, pairsPerTurn: 0, resultLength: 400 },
      replay: true,
    },
    warmTurns: 1600,
    turnsPerRound: 400,
    rounds: 7,
    reach: { process: 0.9 },
  },
];

/** CPU per request of the whole process, including deferred recording, against the pipe that also parses. */
export async function benchCpu(stage: Stage, options: BenchOptions): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const load of LOADS) {
    if (!load.title.includes(options.only ?? "")) continue;
    options.progress(`CPU per request, ${load.title}`);
    rows.push(...(await benchLoad(stage, load, options)));
  }
  return rows;
}

async function benchLoad(stage: Stage, load: CpuLoad, options: BenchOptions): Promise<readonly Row[]> {
  const random = createRandom(options.seed);
  const { workload } = load;
  for (let family = 0; family < (options.quick ? 0 : WARM_FAMILIES); family += 1) {
    const warm = { workload: { ...workload, name: `${workload.name}w${family}` }, seed: options.seed + family };
    await new LoadRun(stage, { ...warm, connections: CONNECTIONS }).rounds(1, load.warmTurns, random);
  }
  const run = new LoadRun(stage, { workload, seed: options.seed, connections: CONNECTIONS });
  await run.rounds(1, load.warmTurns, random);
  const costs = await run.rounds(options.quick ? 2 : load.rounds, load.turnsPerRound, random);
  const problem = await run.problem();
  const of = (target: Target, field: keyof SliceCost): number[] =>
    costs.map((round) => (round.get(target) as SliceCost)[field]);
  const cpu = (target: Target, field: "process" | "mainThread", what: string, atMost?: number): Row =>
    row({
      name: `${load.title}: ${what}`,
      against: "pipe+parse",
      value: median(of(target, field)),
      unit: "µs/request",
      ratio: medianRatio(of(target, field), of("pipe+parse", field)),
      ...(atMost !== undefined && { reach: { atMost } }),
      void: problem,
    });
  const { reach } = load;
  return [
    cpu("toolmend", "process", "CPU of the process", reach.process),
    cpu("toolmend", "mainThread", "CPU of the main thread", reach.mainThread),
    cpu("pipe", "process", "CPU of the bare pipe"),
    cpu("pipe+parse again", "process", "noise (the reference again)"),
    row({
      name: `${load.title}: requests per second`,
      against: "direct",
      value: median(of("toolmend", "perSecond")),
      unit: "/s",
      ratio: medianRatio(of("toolmend", "perSecond"), of("direct", "perSecond")),
    }),
    row({
      name: `${load.title}: the same, bare pipe`,
      against: "direct",
      value: median(of("pipe", "perSecond")),
      unit: "/s",
      ratio: medianRatio(of("pipe", "perSecond"), of("direct", "perSecond")),
    }),
  ];
}
