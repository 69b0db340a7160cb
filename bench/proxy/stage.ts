import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteReader } from "../../src/store/sqlite/sqlite-store.ts";
import type { BenchOptions } from "../frame/benchmark.ts";
import { type Child, startChild } from "../frame/child.ts";
import { compiled } from "../frame/compiled.ts";
import { chooseCores } from "../frame/pinning.ts";
import type { ExpectedCounts, Workload } from "./workload.ts";

/** All targets of the load. The reference runs twice: the difference between the two is the noise. */
export const TARGETS = ["direct", "pipe", "pipe+parse", "pipe+parse again", "toolmend"] as const;
export type Target = (typeof TARGETS)[number];
export type ProxyName = Exclude<Target, "direct">;

/** All processes of this benchmark: the load and the upstream on one core, the proxies on another. */
export interface Stage {
  readonly load: Child;
  readonly proxies: ReadonlyMap<Target, Child>;
  readonly urls: ReadonlyMap<Target, string>;
  readonly pinned: boolean;
  /** The stored calls of a workload, read from the file by this separate process. */
  counts(workload: Workload): Promise<ExpectedCounts>;
  end(): Promise<void>;
}

export async function openStage(options: BenchOptions): Promise<Stage> {
  const data = mkdtempSync(join(tmpdir(), "toolmend-bench-"));
  const cores = chooseCores();
  const children: Child[] = [];
  const start = async (file: string, core: number | undefined, parameters?: unknown, nodeOptions: string[] = []) => {
    const child = await startChild(compiled(new URL(file, import.meta.url)), { core, parameters, nodeOptions });
    children.push(child);
    return child;
  };
  const end = async (): Promise<void> => {
    await Promise.all(children.map((child) => child.end()));
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const upstream = await (await start("./upstream.ts", cores.others)).request<string>("url");
    const load = await start("./load.ts", cores.others);
    const proxies = new Map<Target, Child>([
      ["pipe", await start("./pipe.ts", cores.measured, { upstream, parse: false })],
      ["pipe+parse", await start("./pipe.ts", cores.measured, { upstream, parse: true })],
      ["pipe+parse again", await start("./pipe.ts", cores.measured, { upstream, parse: true })],
      ["toolmend", await start("./toolmend.ts", cores.measured, { upstream, data }, profiling(options))],
    ]);
    const urls = new Map<Target, string>([["direct", upstream]]);
    for (const [name, child] of proxies) urls.set(name, await child.request<string>("url"));
    return {
      load,
      proxies,
      urls,
      pinned: cores.measured !== undefined,
      async counts(workload) {
        await proxies.get("toolmend")?.request("drain");
        const reader = openSqliteReader(join(data, "toolmend.db"));
        const { calls, pending, discarded, sessions, requests } = await reader.summary({ project: workload.name });
        await reader.close();
        // A repeated request without the response's call means that the client discarded that call.
        return { calls, pending: pending + discarded, sessions, requests };
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function profiling({ profiles }: BenchOptions): string[] {
  if (profiles === undefined) return [];
  mkdirSync(profiles, { recursive: true });
  return ["--cpu-prof", `--cpu-prof-dir=${profiles}`];
}
