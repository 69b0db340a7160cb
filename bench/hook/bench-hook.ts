import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spoolLine } from "../../src/hook/spool-line.ts";
import { openSqliteReader } from "../../src/store/sqlite/sqlite-store.ts";
import type { BenchOptions } from "../frame/benchmark.ts";
import { type Child, startChild } from "../frame/child.ts";
import { compiled } from "../frame/compiled.ts";
import { type CpuTime, cpuSince, cpuTime } from "../frame/cpu.ts";
import { chooseCores } from "../frame/pinning.ts";
import { createRandom } from "../frame/random.ts";
import { interleaved } from "../frame/rounds.ts";
import { type Row, row } from "../frame/row.ts";
import { median, medianRatio } from "../frame/statistics.ts";
import { createEvents } from "./events.ts";
import type { EventSlice } from "./load.ts";

const CONNECTIONS = 4;
const TURNS = 50;

/** The cost of a hook: the server's CPU per event over HTTP, and the shell line's CPU per spooled event. */
export async function benchHook(options: BenchOptions): Promise<readonly Row[]> {
  return [...(await benchHttp(options)), ...benchSpool(options)];
}

async function benchHttp(options: BenchOptions): Promise<readonly Row[]> {
  options.progress("hook events over HTTP");
  const data = mkdtempSync(join(tmpdir(), "toolmend-bench-"));
  const { measured, others } = chooseCores();
  const child = (path: string, parameters?: unknown): Promise<Child> =>
    startChild(compiled(new URL(path, import.meta.url)), {
      core: path === "./load.ts" ? others : measured,
      parameters,
    });
  const targets = {
    toolmend: await child("../proxy/toolmend.ts", { upstream: "http://127.0.0.1:9", data }),
    bare: await child("./bare.ts"),
    "bare again": await child("./bare.ts"),
  };
  const names = Object.keys(targets) as (keyof typeof targets)[];
  const load = await child("./load.ts");
  const rounds = options.quick ? 3 : 11;
  let problem: string | undefined;
  let sent = 0;
  const slice = async (target: keyof typeof targets, name: string): Promise<CpuTime> => {
    const server = targets[target];
    const url = await server.request<string>("url");
    const before = cpuTime(server.pid);
    const shape: EventSlice = { url, turns: TURNS, seed: options.seed, name, connections: CONNECTIONS };
    const wrong = await load.request<number>("send", shape);
    // Deferred recording is part of the cost.
    await server.request("drain");
    if (wrong > 0) problem ??= `${wrong} events to ${target} were not answered with {}`;
    if (target === "toolmend") sent += 1;
    const used = cpuSince(before, cpuTime(server.pid));
    const { count } = createEvents(TURNS, options.seed, name);
    return { process: used.process / count, mainThread: used.mainThread / count };
  };
  for (const name of names) for (let warm = 0; warm < 4; warm += 1) await slice(name, `warm${warm}`);
  const costs = await interleaved(names, rounds, createRandom(options.seed), (target, round) =>
    slice(target, `round${round}`),
  );
  problem ??= await storeProblem(data, sent, options.seed);
  for (const one of [...Object.values(targets), load]) await one.end();
  rmSync(data, { recursive: true, force: true });
  const of = (target: keyof typeof targets, field: keyof CpuTime): number[] =>
    (costs.get(target) ?? []).map((cost) => cost[field]);
  const cpu = (target: keyof typeof targets, field: keyof CpuTime, what: string, atMost?: number): Row =>
    row({
      name: `http event: ${what}`,
      against: "bare server",
      value: median(of(target, field)),
      unit: "µs/event",
      ratio: medianRatio(of(target, field), of("bare", field)),
      ...(atMost !== undefined && { reach: { atMost } }),
      void: problem,
    });
  return [
    cpu("toolmend", "mainThread", "CPU of the main thread"),
    cpu("toolmend", "process", "CPU of the process, recording included", 2),
    cpu("bare again", "process", "noise (the reference again)"),
  ];
}

/** The result is void unless every call was recorded once with the right outcome. */
async function storeProblem(data: string, slices: number, seed: number): Promise<string | undefined> {
  const reader = openSqliteReader(join(data, "toolmend.db"));
  const { calls, failed } = await reader.summary({});
  await reader.close();
  const each = createEvents(TURNS, seed, "");
  const [expectedCalls, expectedFailed] = [slices * each.calls, slices * each.failed];
  if (calls === expectedCalls && failed === expectedFailed) return undefined;
  return `the store has ${calls} calls and ${failed} failures instead of ${expectedCalls} and ${expectedFailed}`;
}

/** One process per event, as the agent starts it. */
function benchSpool(options: BenchOptions): readonly Row[] {
  options.progress("the spooling shell line");
  const spool = mkdtempSync(join(tmpdir(), "toolmend-bench-spool-"));
  const folder = join(spool, "claude-code");
  mkdirSync(folder);
  const line = spoolLine(spool, "claude-code");
  const input = createEvents(1, options.seed, "spool").body(0);
  const run = {
    spool: () => spawnSync("/bin/sh", ["-c", line], { input }),
    node: () => spawnSync(process.execPath, ["-e", "0"], { input }),
  };
  const rounds = options.quick ? 10 : 60;
  const times = { spool: [] as number[], node: [] as number[] };
  const cpu = { spool: 0, node: 0 };
  for (const one of [run.spool, run.node]) one();
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? (["spool", "node"] as const) : (["node", "spool"] as const)) {
      const [began, used] = [performance.now(), childrenCpuMs()];
      const { status, stdout } = run[name]();
      times[name].push(performance.now() - began);
      cpu[name] += childrenCpuMs() - used;
      if (status !== 0 || stdout.length > 0) throw new Error(`${name} ended with ${status}`);
    }
  }
  const written = readdirSync(folder).length;
  rmSync(spool, { recursive: true });
  const problem = written === rounds + 1 ? undefined : `${written} files were written instead of ${rounds + 1}`;
  const against = "node -e 0";
  return [
    row({
      ...{ name: "spool line: time", against, unit: "ms", value: median(times.spool) },
      ...{ ratio: medianRatio(times.spool, times.node), reach: { atMost: 0.2 }, void: problem },
    }),
    row({
      ...{ name: "spool line: CPU", against, unit: "ms", value: cpu.spool / rounds },
      ...{ ratio: cpu.spool / cpu.node, void: problem },
    }),
  ];
}

/** CPU time of all terminated child processes; the kernel counts it in hundredths of a second. */
function childrenCpuMs(): number {
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
