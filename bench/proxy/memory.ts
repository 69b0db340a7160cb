import type { BenchOptions } from "../frame/benchmark.ts";
import { type Row, row } from "../frame/row.ts";
import type { Memory } from "./memory-handlers.ts";
import type { ProxyName, Stage } from "./stage.ts";

const MB = 1 << 20;

async function memoryOf(stage: Stage, target: ProxyName): Promise<Memory> {
  return (await stage.proxies.get(target)?.request<Memory>("memory")) as Memory;
}

/** Memory that the processes retain after all previous load. */
export async function benchMemory(stage: Stage, options: BenchOptions): Promise<readonly Row[]> {
  options.progress("memory");
  const [toolmend, bare, parsing] = [
    await memoryOf(stage, "toolmend"),
    await memoryOf(stage, "pipe"),
    await memoryOf(stage, "pipe+parse"),
  ];
  return [
    row({
      name: "heap after collecting",
      against: "bare pipe",
      value: toolmend.heap / MB,
      unit: "MB",
      ratio: toolmend.heap / bare.heap,
      reach: { atMost: 2 },
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
