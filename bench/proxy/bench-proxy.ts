import type { BenchOptions } from "../frame/benchmark.ts";
import type { Row } from "../frame/row.ts";
import { benchCpu } from "./cpu-per-request.ts";
import { benchFirstByte } from "./first-byte.ts";
import { benchGrowth } from "./growth.ts";
import { benchMemory } from "./memory.ts";
import { openStage } from "./stage.ts";
import { benchYoung } from "./young.ts";

/** Parts that need the same processes, with their names for `--only`. */
const PARTS = [
  { title: "first byte", measure: benchFirstByte },
  { title: "growing", measure: benchGrowth },
  { title: "memory", measure: benchMemory },
] as const;

/** The proxy with recording on, against a bare pipe and a pipe that also parses; see docs/performance.md. */
export async function benchProxy(options: BenchOptions): Promise<readonly Row[]> {
  const wanted = (title: string): boolean => title.includes(options.only ?? "");
  const rows: Row[] = [];
  if (wanted("young")) rows.push(...(await benchYoung(options)));
  const stage = await openStage(options);
  try {
    if (!stage.pinned) options.progress("processes cannot be pinned to cores on this machine: expect more noise");
    rows.push(...(await benchCpu(stage, options)));
    for (const { title, measure } of PARTS) if (wanted(title)) rows.push(...(await measure(stage, options)));
    return rows;
  } finally {
    await stage.end();
  }
}
