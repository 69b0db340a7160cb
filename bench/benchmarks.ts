import type { Benchmark } from "./frame/benchmark.ts";
import { benchProxy } from "./proxy/bench-proxy.ts";

/** Every benchmark by the name it is asked for. */
export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  proxy: benchProxy,
};
