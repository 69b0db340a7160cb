import type { BenchOptions } from "../frame/benchmark.ts";
import type { Row } from "../frame/row.ts";
import { benchCpu } from "./cpu-per-request.ts";
import { benchFirstByte } from "./first-byte.ts";
import { benchGrowth } from "./growth.ts";
import { benchMemory } from "./memory.ts";
import { openStage } from "./stage.ts";
import { benchYoung } from "./young.ts";

/** The proxy with recording on, against a bare pipe and a pipe that also parses; see docs/performance.md. */
export async function benchProxy(options: BenchOptions): Promise<readonly Row[]> {
  const young = options.only === undefined ? await benchYoung(options) : [];
  const stage = await openStage(options);
  try {
    if (!stage.pinned) options.progress("processes cannot be pinned to cores on this machine: expect more noise");
    const cpu = await benchCpu(stage, options);
    if (options.only !== undefined) return cpu;
    return [
      ...young,
      ...cpu,
      ...(await benchFirstByte(stage, options)),
      ...(await benchGrowth(stage, options)),
      ...(await benchMemory(stage, options)),
    ];
  } finally {
    await stage.end();
  }
}
