import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { TestPostgres } from "../../test/support/postgres.ts";
import type { BenchOptions } from "../frame/benchmark.ts";
import { type Child, Children } from "../frame/child.ts";
import { type CpuTime, cpuSince, cpuTime } from "../frame/cpu.ts";
import { chooseCores } from "../frame/pinning.ts";
import { createRandom } from "../frame/random.ts";
import { interleaved } from "../frame/rounds.ts";
import { type Row, row } from "../frame/row.ts";
import { median, medianRatio } from "../frame/statistics.ts";
import type { Slice, SliceResult } from "../proxy/load.ts";
import { expectedCounts, type Workload } from "../proxy/workload.ts";

/** How many proxies on which store, and which of them gets a request. */
const TARGETS = {
  sqlite: { proxies: 1, shared: false, each: "session" },
  "sqlite again": { proxies: 1, shared: false, each: "session" },
  postgres: { proxies: 1, shared: true, each: "session" },
  "three, staying": { proxies: 3, shared: true, each: "session" },
  "three, hopping": { proxies: 3, shared: true, each: "request" },
} as const;
type Target = keyof typeof TARGETS;
const NAMES = Object.keys(TARGETS) as readonly Target[];

const SHOWN = [
  ["postgres", "CPU of the proxy with PostgreSQL"],
  ["three, staying", "CPU of three, a session stays with one"],
  ["three, hopping", "CPU of three, each request to any"],
  ["sqlite again", "noise (SQLite again)"],
] as const;
const SESSIONS = 100;

const LOADS: readonly { readonly title: string; readonly workload: Workload; readonly turns: number }[] = [
  {
    title: "89 KB / 50 events",
    workload: {
      ...{ name: "late", api: "anthropic", sessions: SESSIONS, firstPairs: 10, pairsPerTurn: 1, resultLength: 400 },
    },
    turns: 2,
  },
  {
    title: "1 KB JSON",
    workload: {
      ...{ name: "chat", api: "chat", sessions: SESSIONS, firstPairs: 0, pairsPerTurn: 1, resultLength: 180 },
    },
    turns: 8,
  },
];

/** CPU per request of the proxy, including deferred recording. The database's own CPU does not count. */
export async function benchScaleCpu(server: TestPostgres, options: BenchOptions): Promise<readonly Row[]> {
  const folders: string[] = [];
  const cores = chooseCores();
  const children = new Children(import.meta.url);
  try {
    const upstream = await (await children.start("../proxy/upstream.ts", cores.others)).request<string>("url");
    const load = await children.start("../proxy/load.ts", cores.others);
    const targets = new Map<Target, { readonly proxies: Child[]; readonly storeUrl?: string }>();
    for (const name of NAMES) {
      const shared = TARGETS[name].shared ? { storeUrl: await server.newDatabase() } : {};
      const proxies: Child[] = [];
      for (let at = 0; at < TARGETS[name].proxies; at += 1) {
        const data = mkdtempSync(join(tmpdir(), "toolmend-scale-"));
        folders.push(data);
        proxies.push(await children.start("../proxy/toolmend.ts", cores.measured, { upstream, data, ...shared }));
      }
      targets.set(name, { proxies, ...shared });
    }
    const rows: Row[] = [];
    for (const { title, workload, turns } of LOADS) {
      options.progress(`CPU per request with PostgreSQL, ${title}`);
      const size = turns * workload.sessions;
      let sent = 0;
      const slice = async (name: Target, from: number): Promise<number> => {
        const { proxies } = targets.get(name) as { proxies: Child[] };
        const urls = await Promise.all(proxies.map((child) => child.request<string>("url")));
        const url = { each: TARGETS[name].each, urls };
        const before = proxies.map(({ pid }) => cpuTime(pid));
        const request: Slice = { url, workload, seed: options.seed, from, to: from + size, connections: 32 };
        const { failures } = await load.request<SliceResult>("send", request);
        if (failures > 0) throw new Error(`${failures} requests to ${name} failed`);
        await Promise.all(proxies.map((child) => child.request("drain")));
        const used = proxies.map(({ pid }, at) => cpuSince(before[at] as CpuTime, cpuTime(pid)).process);
        return used.reduce((sum, one) => sum + one, 0) / size;
      };
      // Every process gets the same warm-up, also where three share the load.
      const warming: Workload = { ...workload, name: `${workload.name}-warm` };
      for (const { proxies } of targets.values()) {
        for (const child of proxies) {
          const to = (options.quick ? 3 : 8) * warming.sessions;
          const url = await child.request<string>("url");
          await load.request<SliceResult>("send", { url, workload: warming, seed: 1, from: 0, to, connections: 32 });
        }
      }
      const random = createRandom(options.seed);
      const measured = async (rounds: number): Promise<ReadonlyMap<Target, readonly number[]>> => {
        const first = sent;
        sent += rounds * size;
        return await interleaved(NAMES, rounds, random, (name, round) => slice(name, first + round * size));
      };
      await measured(options.quick ? 1 : 2);
      const costs = await measured(options.quick ? 3 : 9);
      const of = (name: Target): readonly number[] => costs.get(name) ?? [];
      for (const [name, what] of SHOWN) {
        const storeUrl = targets.get(name)?.storeUrl;
        rows.push(
          row({
            name: `${title}: ${what}`,
            against: "SQLite",
            value: median(of(name)),
            unit: "µs/request",
            ratio: medianRatio(of(name), of("sqlite")),
            ...(storeUrl !== undefined && { reach: { atMost: 1.2 }, void: await problem(storeUrl, workload, sent) }),
          }),
        );
      }
    }
    return rows;
  } finally {
    await children.end();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Void unless the database contains exactly what was sent. */
async function problem(url: string, workload: Workload, sent: number): Promise<string | undefined> {
  const store = await openPostgresStore(url);
  const { calls, sessions, requests } = await store.summary({ project: workload.name });
  await store.close();
  const expected = expectedCounts(workload, sent);
  const right = calls === expected.calls && sessions === expected.sessions && requests === expected.requests;
  return right ? undefined : `the store is wrong: ${calls} calls instead of ${expected.calls}`;
}
