import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { BenchOptions } from "../frame/benchmark.ts";
import { createRandom } from "../frame/random.ts";
import { type Row, row } from "../frame/row.ts";
import { LoadRun, type SliceCost } from "./measure.ts";
import { openStage, type ProxyName, type Stage } from "./stage.ts";
import type { Workload } from "./workload.ts";

const WORKLOAD: Workload = {
  ...{ name: "young", api: "chat", sessions: 200, firstPairs: 0, pairsPerTurn: 1, resultLength: 180 },
};
/** 2,000 requests: about a day of one person. */
const TURNS = 10;
/** V8 returned unused memory 12 to 14 s after the start. */
const SETTLE_MS = 15_000;
const MB = 1024;

/** Servers that have just been started, as on a laptop: memory before the first request, and the first 2,000. */
export async function benchYoung(options: BenchOptions): Promise<readonly Row[]> {
  options.progress("a young server");
  const stage = await openStage(options);
  try {
    await wait(SETTLE_MS);
    const [idle, idlePipe] = [residentMb(stage, "toolmend"), residentMb(stage, "pipe")];
    const run = new LoadRun(stage, { workload: WORKLOAD, seed: options.seed, connections: 32 });
    const [first] = await run.rounds(1, TURNS, createRandom(options.seed));
    const problem = await run.problem();
    const cost = (target: ProxyName): SliceCost => first?.get(target) as SliceCost;
    return [
      // The bar is in MB.
      row({ name: "idle: resident memory", against: "", value: idle, unit: "MB", reach: { atMost: 120 } }),
      row({ name: "idle: the same, bare pipe", against: "", value: idlePipe, unit: "MB" }),
      row({
        name: "young, 1 KB JSON: CPU of the process",
        against: "pipe+parse",
        value: cost("toolmend").process,
        unit: "µs/request",
        ratio: cost("toolmend").process / cost("pipe+parse").process,
        reach: { atMost: 4 },
        void: problem,
      }),
      row({
        name: "young, 1 KB JSON: noise (the reference again)",
        against: "pipe+parse",
        value: cost("pipe+parse again").process,
        unit: "µs/request",
        ratio: cost("pipe+parse again").process / cost("pipe+parse").process,
      }),
    ];
  } finally {
    await stage.end();
  }
}

function residentMb(stage: Stage, target: ProxyName): number {
  const status = readFileSync(`/proc/${stage.proxies.get(target)?.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / MB;
}
