import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { McpLine } from "../../src/mcp/event.ts";
import type { BenchOptions } from "../frame/benchmark.ts";
import { compiled } from "../frame/compiled.ts";
import { cpuSince, cpuTime } from "../frame/cpu.ts";
import { createRandom } from "../frame/random.ts";
import { interleaved } from "../frame/rounds.ts";
import { type Row, row } from "../frame/row.ts";
import { median, medianRatio } from "../frame/statistics.ts";

const CALLS = 10_000;
const WARM_CALLS = 2000;
/** A client makes few calls at the same time. */
const PARALLEL = 8;
const TEXT = "The quick brown fox jumps over the lazy dog. ".repeat(20);

interface Run {
  readonly cpuUs: number;
  readonly callUs: number;
  /** Resident memory after the warm-up, and how much it grew until the end. */
  readonly rssMb: number;
  readonly grownMb: number;
  readonly problem: string | undefined;
}

/** The cost of the wrapper around an MCP server: 10,000 calls, compared with a process that only passes bytes. */
export async function benchMcp(options: BenchOptions): Promise<readonly Row[]> {
  options.progress(`${CALLS} calls through the wrapper`);
  const path = (name: string): string => fileURLToPath(compiled(new URL(name, import.meta.url)));
  const server = [process.execPath, path("./echo-server.ts")];
  const run = async (target: "wrapper" | "tee" | "tee again"): Promise<Run> => {
    const data = mkdtempSync(join(tmpdir(), "toolmend-bench-mcp-"));
    const args =
      target === "wrapper"
        ? [path("./wrapper.ts"), "--name", "echo", "--data", data, "--", ...server]
        : [path("./tee.ts"), ...server];
    const measured = await callThrough(args);
    const problem = target === "wrapper" ? recordProblem(data) : undefined;
    rmSync(data, { recursive: true, force: true });
    return { ...measured, problem };
  };
  const names = ["wrapper", "tee", "tee again"] as const;
  const runs = await interleaved(names, options.quick ? 1 : 5, createRandom(options.seed), run);
  const of = (name: (typeof names)[number], field: Exclude<keyof Run, "problem">): number[] =>
    (runs.get(name) ?? []).map((one) => one[field]);
  const problem = runs.get("wrapper")?.find((one) => one.problem !== undefined)?.problem;
  const against = (
    name: (typeof names)[number],
    field: Exclude<keyof Run, "problem">,
    label: string,
    unit: string,
    atMost?: number,
  ): Row =>
    row({
      name: label,
      against: "bare tee",
      value: median(of(name, field)),
      unit,
      ratio: medianRatio(of(name, field), of("tee", field)),
      ...(atMost !== undefined && { reach: { atMost } }),
      void: problem,
    });
  return [
    against("wrapper", "cpuUs", "CPU of the wrapper", "µs/call", 2),
    against("tee again", "cpuUs", "noise (the tee again)", "µs/call"),
    against("wrapper", "callUs", `time of a call, ${PARALLEL} at the same time`, "µs/call"),
    against("wrapper", "rssMb", "resident memory", "MB"),
    row({
      name: "growth of memory during 8,000 calls",
      against: "",
      value: median(of("wrapper", "grownMb")),
      unit: "MB",
      reach: { atMost: 8 },
      void: problem,
    }),
  ];
}

async function callThrough(args: readonly string[]): Promise<Omit<Run, "problem">> {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const pid = child.pid ?? 0;
  let sent = 0;
  let answered = 0;
  let atWarm: { readonly cpu: ReturnType<typeof cpuTime>; readonly at: number; readonly rss: number } | undefined;
  const send = (): void => {
    sent += 1;
    const params = { name: "echo", arguments: { text: TEXT, number: sent } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: sent, method: "tools/call", params })}\n`);
  };
  const done = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) {
        answered += 1;
        if (answered === WARM_CALLS) atWarm = { cpu: cpuTime(pid), at: performance.now(), rss: rssMb(pid) };
        if (sent < CALLS) send();
        if (answered === CALLS) resolve();
      }
    });
  });
  for (let at = 0; at < PARALLEL; at += 1) send();
  await done;
  const [cpu, at, rss] = [cpuTime(pid), performance.now(), rssMb(pid)];
  child.stdin.end();
  await once(child, "close");
  if (atWarm === undefined) throw new Error("the warm-up did not end");
  const calls = CALLS - WARM_CALLS;
  return {
    cpuUs: cpuSince(atWarm.cpu, cpu).process / calls,
    callUs: ((at - atWarm.at) * 1000) / calls,
    rssMb: rss,
    grownMb: rss - atWarm.rss,
  };
}

function rssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** The result is void unless every call was recorded once. */
function recordProblem(data: string): string | undefined {
  const folder = join(data, "spool", "mcp");
  const ids = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n"))
    .map((line) => JSON.parse(line) as McpLine)
    .flatMap((line) => (line.kind === "call" ? [line.id] : []));
  const distinct = new Set(ids).size;
  return ids.length === CALLS && distinct === CALLS
    ? undefined
    : `${ids.length} events of ${distinct} calls were recorded instead of ${CALLS}`;
}
