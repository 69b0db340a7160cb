import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchOptions } from "../frame/benchmark.ts";
import { type Child, startChild } from "../frame/child.ts";
import { compiled } from "../frame/compiled.ts";
import { cpuSince, cpuTime } from "../frame/cpu.ts";
import { chooseCores } from "../frame/pinning.ts";
import { createRandom } from "../frame/random.ts";
import { interleaved } from "../frame/rounds.ts";
import { type Row, row } from "../frame/row.ts";
import { median, medianRatio } from "../frame/statistics.ts";
import type { Slice, SliceResult } from "./load.ts";
import type { Workload } from "./workload.ts";

/**
 * A popular gateway for the same purpose. It routes, and records nothing about tools: the comparison is of the cost of
 * being in between.
 */
const PEER = { package: "@portkey-ai/gateway", version: "1.15.2", program: "build/start-server.js" } as const;

const WORKLOAD: Workload = {
  ...{ name: "peers", api: "chat", sessions: 200, firstPairs: 0, pairsPerTurn: 1, resultLength: 180 },
};
const [WARM_TURNS, TURNS, ROUNDS] = [24, 8, 7];
const NAMES = ["pipe+parse", "toolmend", "peer"] as const;
type Name = (typeof NAMES)[number];

/**
 * Sends the same small requests through Toolmend and through another gateway, which is installed into a temporary
 * folder.
 */
export async function benchPeers(options: BenchOptions): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "toolmend-peers-"));
  const children: Child[] = [];
  try {
    const { measured, others } = chooseCores();
    const start = async (file: string, core: number | undefined, parameters?: unknown): Promise<Child> => {
      const child = await startChild(compiled(new URL(file, import.meta.url)), { core, parameters });
      children.push(child);
      return child;
    };
    options.progress(`installing ${PEER.package} ${PEER.version}`);
    const program = install(folder);
    const upstream = await (await start("./upstream.ts", others)).request<string>("url");
    const load = await start("./load.ts", others);
    const targets: Record<Name, Child> = {
      "pipe+parse": await start("./pipe.ts", measured, { upstream, parse: true }),
      toolmend: await start("./toolmend.ts", measured, { upstream, data: join(folder, "data") }),
      peer: await start("./peer.ts", measured, { program }),
    };
    const urls = {} as Record<Name, string>;
    for (const name of NAMES) urls[name] = await targets[name].request<string>("url");
    const headers = { "x-portkey-provider": "openai", "x-portkey-custom-host": `${upstream}/v1` };
    const measureSlice = async (name: Name, from: number, turns: number) => {
      const to = from + turns * WORKLOAD.sessions;
      const before = cpuTime(targets[name].pid);
      const slice: Slice = {
        ...{ url: urls[name], workload: WORKLOAD, seed: options.seed, from, to, connections: 32 },
        ...(name === "peer" && { headers }),
      };
      const { failures, ms } = await load.request<SliceResult>("send", slice);
      await targets[name].request("drain");
      if (failures > 0) throw new Error(`${failures} requests through ${name} failed`);
      const { process } = cpuSince(before, cpuTime(targets[name].pid));
      return { cpu: process / (to - from), perSecond: (to - from) / (ms / 1000) };
    };
    options.progress("1 KB JSON through each target");
    for (const name of NAMES) await measureSlice(name, 0, WARM_TURNS);
    const results = await interleaved(NAMES, options.quick ? 2 : ROUNDS, createRandom(options.seed), (name, round) =>
      measureSlice(name, (WARM_TURNS + round * TURNS) * WORKLOAD.sessions, TURNS),
    );
    return NAMES.flatMap((name) => rowsOf(name, results));
  } finally {
    await Promise.all(children.map((child) => child.end()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function install(folder: string): string {
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${PEER.package}@${PEER.version}`], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return join(folder, "node_modules", PEER.package, PEER.program);
}

function rowsOf(
  name: Name,
  results: ReadonlyMap<Name, readonly { readonly cpu: number; readonly perSecond: number }[]>,
): readonly Row[] {
  const of = (which: Name, field: "cpu" | "perSecond"): number[] =>
    (results.get(which) ?? []).map((result) => result[field]);
  const who = name === "peer" ? `${PEER.package} ${PEER.version}` : name;
  const one = (field: "cpu" | "perSecond", what: string, unit: string): Row =>
    row({
      ...{ name: `1 KB JSON, ${who}: ${what}`, against: "pipe+parse", unit },
      value: median(of(name, field)),
      ratio: medianRatio(of(name, field), of("pipe+parse", field)),
    });
  return [one("cpu", "CPU of the process", "µs/request"), one("perSecond", "requests per second", "/s")];
}
