import { benchCalls } from "./calls.ts";
import { coreRow } from "./core-row.ts";
import { benchDashboard } from "./dashboard/bench-dashboard.ts";
import { benchDetect } from "./detect.ts";
import type { Benchmark } from "./frame/benchmark.ts";
import { benchHook } from "./hook/bench-hook.ts";
import { benchImport } from "./import.ts";
import { benchMcp } from "./mcp/bench-mcp.ts";
import { benchPeers } from "./proxy/bench-peers.ts";
import { benchProxy } from "./proxy/bench-proxy.ts";
import { benchSoak } from "./proxy/soak.ts";
import { benchRecover } from "./recover.ts";
import { benchRedact } from "./redact.ts";
import { benchScale } from "./scale/bench-scale.ts";
import { benchStore } from "./store/bench-store.ts";

/** Every benchmark by its command-line name. */
export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  proxy: benchProxy,
  import: benchImport,
  recover: async () => (await benchRecover()).map((one) => coreRow(one, "JSON.parse of the text")),
  calls: async () => benchCalls().map((one) => coreRow(one, "the same without it")),
  hook: benchHook,
  mcp: benchMcp,
  redact: async () => benchRedact().map((one) => coreRow(one, "JSON.parse of the text")),
  detect: async () => (await benchDetect()).map((one) => coreRow(one, "JSON.parse of the text")),
};

/** Slow benchmarks, which run only when named. */
export const LONG_BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  soak: benchSoak,
  peers: benchPeers,
  store: benchStore,
  scale: benchScale,
  dashboard: benchDashboard,
};
