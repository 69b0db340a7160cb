import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { TestPostgres } from "../../test/support/postgres.ts";
import type { BenchOptions } from "../frame/benchmark.ts";
import { type Child, startChild } from "../frame/child.ts";
import { cpuSince, cpuTime } from "../frame/cpu.ts";
import { chooseCores } from "../frame/pinning.ts";
import { createRandom } from "../frame/random.ts";
import { interleaved } from "../frame/rounds.ts";
import { type Row, row } from "../frame/row.ts";
import { median, medianRatio } from "../frame/statistics.ts";
import type { Slice, SliceResult } from "../proxy/load.ts";
import { expectedCounts, type Workload } from "../proxy/workload.ts";

const STORES = ["sqlite", "sqlite again", "postgres"] as const;
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

/** CPU per request of the proxy, what it records later included. The database's own CPU is not the proxy's. */
export async function benchScaleCpu(server: TestPostgres, options: BenchOptions): Promise<readonly Row[]> {
  const folders = STORES.map(() => mkdtempSync(join(tmpdir(), "toolmend-scale-")));
  const cores = chooseCores();
  const children: Child[] = [];
  const start = async (file: string, core: number | undefined, parameters?: unknown): Promise<Child> => {
    const child = await startChild(new URL(file, import.meta.url), { core, parameters });
    children.push(child);
    return child;
  };
  try {
    const upstream = await (await start("../proxy/upstream.ts", cores.others)).ask<string>("url");
    const load = await start("../proxy/load.ts", cores.others);
    const storeUrl = await server.newDatabase();
    const proxies = new Map<string, Child>();
    for (const [at, name] of STORES.entries()) {
      const shared = name === "postgres" ? { storeUrl } : {};
      const data = folders[at] as string;
      proxies.set(name, await start("../proxy/toolmend.ts", cores.measured, { upstream, data, ...shared }));
    }
    const rows: Row[] = [];
    for (const { title, workload, turns } of LOADS) {
      options.progress(`CPU per request with PostgreSQL, ${title}`);
      const size = turns * workload.sessions;
      let sent = 0;
      const slice = async (name: string, from: number): Promise<number> => {
        const child = proxies.get(name) as Child;
        const url = await child.ask<string>("url");
        const before = cpuTime(child.pid);
        const request: Slice = { url, workload, seed: options.seed, from, to: from + size, connections: 32 };
        const { failures } = await load.ask<SliceResult>("send", request);
        if (failures > 0) throw new Error(`${failures} requests to ${name} failed`);
        await child.ask("drain");
        return cpuSince(before, cpuTime(child.pid)).process / size;
      };
      const random = createRandom(options.seed);
      const measured = async (rounds: number): Promise<ReadonlyMap<string, readonly number[]>> => {
        const first = sent;
        sent += rounds * size;
        return await interleaved(STORES, rounds, random, (name, round) => slice(name, first + round * size));
      };
      await measured(options.quick ? 2 : 5);
      const costs = await measured(options.quick ? 3 : 9);
      const wrong = await problem(storeUrl, workload, sent);
      const of = (name: string): readonly number[] => costs.get(name) ?? [];
      for (const [name, what] of [
        ["postgres", "CPU of the proxy with PostgreSQL"],
        ["sqlite again", "noise (SQLite again)"],
      ] as const) {
        rows.push(
          row({
            name: `${title}: ${what}`,
            against: "SQLite",
            value: median(of(name)),
            unit: "µs/request",
            ratio: medianRatio(of(name), of("sqlite")),
            ...(name === "postgres" && { reach: { atMost: 1.2 } }),
            void: wrong,
          }),
        );
      }
    }
    return rows;
  } finally {
    await Promise.all(children.map((child) => child.end()));
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Void unless the database holds exactly what was sent. */
async function problem(url: string, workload: Workload, sent: number): Promise<string | undefined> {
  const store = await openPostgresStore(url);
  const { calls, sessions, requests } = await store.summary({ project: workload.name });
  await store.close();
  const expected = expectedCounts(workload, sent);
  const right = calls === expected.calls && sessions === expected.sessions && requests === expected.requests;
  return right ? undefined : `the store is wrong: ${calls} calls instead of ${expected.calls}`;
}
