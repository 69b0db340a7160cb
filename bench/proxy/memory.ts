import type { BenchOptions } from "../frame/benchmark.ts";
import { createRandom } from "../frame/random.ts";
import { type Row, row } from "../frame/row.ts";
import { LoadRun } from "./measure.ts";
import type { Memory } from "./memory-answers.ts";
import { openStage, type ProxyName, type Stage } from "./stage.ts";
import type { Workload } from "./workload.ts";

const MB = 1 << 20;

async function memoryOf(stage: Stage, target: ProxyName): Promise<Memory> {
  return (await stage.proxies.get(target)?.ask<Memory>("memory")) as Memory;
}

/** What the processes still hold after all the load before. */
export async function benchMemory(stage: Stage, options: BenchOptions): Promise<readonly Row[]> {
  options.progress("memory");
  const [ours, bare, parsing] = [
    await memoryOf(stage, "toolmend"),
    await memoryOf(stage, "pipe"),
    await memoryOf(stage, "pipe+parse"),
  ];
  return [
    row({
      name: "heap after collecting",
      against: "bare pipe",
      value: ours.heap / MB,
      unit: "MB",
      ratio: ours.heap / bare.heap,
      reach: { atMost: 1.5 },
    }),
    row({
      name: "the same, pipe+parse",
      against: "bare pipe",
      value: parsing.heap / MB,
      unit: "MB",
      ratio: parsing.heap / bare.heap,
    }),
  ];
}

const SOAK: Workload = {
  name: "soak",
  api: "anthropic",
  sessions: 200,
  firstPairs: 4,
  pairsPerTurn: 1,
  resultLength: 400,
};

/** Load for ten minutes (one with --quick): does resident memory still grow in the second half? */
export async function benchSoak(options: BenchOptions): Promise<readonly Row[]> {
  const stage = await openStage(options);
  try {
    const run = new LoadRun(stage, { workload: SOAK, seed: options.seed, connections: 32 });
    const random = createRandom(options.seed);
    const minutes = options.quick ? 1 : 10;
    const samples: Memory[] = [];
    for (const end = Date.now() + minutes * 60_000; Date.now() < end; ) {
      await run.rounds(1, 1, random);
      samples.push(await memoryOf(stage, "toolmend"));
      options.progress(`${samples.length} rounds, ${Math.round((samples.at(-1)?.resident ?? 0) / MB)} MB resident`);
    }
    const half = samples.slice(Math.floor(samples.length / 2));
    const quarter = Math.max(1, Math.floor(half.length / 2));
    const mean = (part: readonly Memory[]): number =>
      part.reduce((sum, { resident }) => sum + resident, 0) / part.length;
    const [third, fourth] = [mean(half.slice(0, quarter)), mean(half.slice(-quarter))];
    const problem = await run.problem();
    return [
      row({
        name: `resident memory, last quarter of ${minutes} min`,
        against: "the quarter before",
        value: fourth / MB,
        unit: "MB",
        ratio: fourth / third,
        reach: { atMost: 1.1 },
        void: problem,
      }),
    ];
  } finally {
    await stage.end();
  }
}
