import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchOptions } from "../frame/benchmark.ts";
import { type Child, Children } from "../frame/child.ts";
import { cpuSince, cpuTime } from "../frame/cpu.ts";
import { chooseCores } from "../frame/pinning.ts";
import { createRandom } from "../frame/random.ts";
import { interleaved } from "../frame/rounds.ts";
import { type Row, row } from "../frame/row.ts";
import { median, medianRatio } from "../frame/statistics.ts";
import type { FirstByteRounds, Slice, SliceResult } from "./load.ts";
import type { PeerParameters } from "./peer.ts";
import { PEERS, type PeerName } from "./peers.ts";
import type { Workload } from "./workload.ts";

interface PeerLoad {
  readonly title: string;
  readonly workload: Workload;
  readonly warmTurns: number;
  readonly turns: number;
}

const LOADS: readonly PeerLoad[] = [
  {
    title: "1 KB JSON",
    workload: { name: "peers", api: "chat", sessions: 200, firstPairs: 0, pairsPerTurn: 1, resultLength: 180 },
    warmTurns: 24,
    turns: 8,
  },
  {
    title: "89 KB / 50 events",
    workload: {
      ...{ name: "peerstream", api: "anthropic", sessions: 50 },
      ...{ firstPairs: 10, pairsPerTurn: 1, resultLength: 400 },
    },
    warmTurns: 8,
    turns: 2,
  },
];
const ROUNDS = 7;
const FIRST_BYTE: Workload = {
  ...{ name: "peerfirst", api: "anthropic", sessions: 50, firstPairs: 10, pairsPerTurn: 1, resultLength: 400 },
};

type Target = "pipe+parse" | "toolmend" | PeerName;

/** Sends the same requests through Toolmend and through other gateways, which are installed into a temporary folder. */
export async function benchPeers(options: BenchOptions): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "toolmend-peers-"));
  const children = new Children(import.meta.url);
  try {
    const { measured, others } = chooseCores();
    const upstream = await (await children.start("./upstream.ts", others)).request<string>("url");
    const load = await children.start("./load.ts", others);
    const targets = new Map<Target, Child>([
      ["pipe+parse", await children.start("./pipe.ts", measured, { upstream, parse: true })],
      ["toolmend", await children.start("./toolmend.ts", measured, { upstream, data: join(folder, "data") })],
    ]);
    for (const name of ["portkey", "ccr"] as const) {
      options.progress(`installing ${title(name)}`);
      const peer: PeerParameters = { name, folder: install(folder, name), upstream };
      targets.set(name, await children.start("./peer.ts", measured, peer));
    }
    const rows: Row[] = [];
    for (const one of LOADS) {
      options.progress(`${one.title} through each target`);
      rows.push(...(await benchLoad(one, { load, upstream, targets }, options)));
    }
    options.progress("time to first byte");
    return [...rows, ...(await benchFirstByte({ load, upstream, targets }, options))];
  } finally {
    await children.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Setting {
  readonly load: Child;
  readonly upstream: string;
  readonly targets: ReadonlyMap<Target, Child>;
}

interface SliceCost {
  readonly cpu: number;
  readonly perSecond: number;
}

async function benchLoad(
  { title: what, workload, warmTurns, turns }: PeerLoad,
  { load, upstream, targets }: Setting,
  options: BenchOptions,
): Promise<readonly Row[]> {
  const names = targetsFor(workload.api);
  const sent = new Map<Target, number>();
  const measureSlice = async (name: Target, from: number, count: number): Promise<SliceCost> => {
    const child = targets.get(name) as Child;
    const slice: Slice = {
      ...{ url: await child.request<string>("url"), workload, seed: options.seed, connections: 32 },
      ...{
        from: from * workload.sessions,
        to: (from + count) * workload.sessions,
        headers: headersFor(workload.api, upstream),
      },
    };
    const before = cpuTime(child.pid);
    const { failures, ms, bytes } = await load.request<SliceResult>("send", slice);
    await child.request("drain");
    if (failures > 0) throw new Error(`${failures} requests through ${name} failed`);
    sent.set(name, (sent.get(name) ?? 0) + bytes);
    const requests = count * workload.sessions;
    return { cpu: cpuSince(before, cpuTime(child.pid)).process / requests, perSecond: requests / (ms / 1000) };
  };
  for (const name of names) await measureSlice(name, 0, warmTurns);
  const rounds = options.quick ? 2 : ROUNDS;
  const results = await interleaved(names, rounds, createRandom(options.seed), (name, round) =>
    measureSlice(name, warmTurns + round * turns, turns),
  );
  const of = (name: Target, field: keyof SliceCost): number[] => (results.get(name) ?? []).map((one) => one[field]);
  return names.flatMap((name) => {
    // A gateway may write a response anew, but not leave out half of it.
    const isCut = (sent.get(name) ?? 0) < (sent.get("pipe+parse") ?? 0) / 2;
    const toRow = (field: keyof SliceCost, label: string, unit: string): Row =>
      row({
        ...{ name: `${what}, ${title(name)}: ${label}`, against: "pipe+parse", unit },
        value: median(of(name, field)),
        ratio: medianRatio(of(name, field), of("pipe+parse", field)),
        void: isCut ? "its responses have less than half of the bytes" : undefined,
      });
    return [toRow("cpu", "CPU of the process", "µs/request"), toRow("perSecond", "requests per second", "/s")];
  });
}

/** One request at a time. The upstream pauses 5 ms after its first event. */
async function benchFirstByte({ load, upstream, targets }: Setting, options: BenchOptions): Promise<readonly Row[]> {
  const names = targetsFor("anthropic");
  const urls = [upstream];
  for (const name of names) urls.push(await (targets.get(name) as Child).request<string>("url"));
  const [warm, count] = options.quick ? [50, 100] : [300, 600];
  const times = (from: number, to: number): Promise<number[][]> =>
    load.request("firstBytes", {
      ...{ urls, workload: FIRST_BYTE, seed: options.seed, from, to, pauseMs: 5 },
      headers: headersFor("anthropic", upstream),
    } satisfies FirstByteRounds);
  await times(0, warm);
  const [direct = [], ...others] = await times(warm, warm + count);
  const added = others.map((list) => median(list) - median(direct));
  return names.map((name, at) =>
    row({
      ...{ name: `first byte, 89 KB, ${title(name)}: added`, against: "pipe+parse", unit: "ms p50" },
      value: added[at] as number,
      ratio: (added[at] as number) / (added[0] as number),
    }),
  );
}

function targetsFor(api: Workload["api"]): readonly Target[] {
  const peers = (Object.keys(PEERS) as PeerName[]).filter((name) => PEERS[name].apis.includes(api));
  return ["pipe+parse", "toolmend", ...peers];
}

/** Headers that any of the gateways needs. All targets get them. */
function headersFor(api: Workload["api"], upstream: string): Readonly<Record<string, string>> {
  return Object.assign({}, ...Object.values(PEERS).map(({ headers }) => headers?.(upstream, api)));
}

function title(name: Target): string {
  return name === "portkey" || name === "ccr" ? `${PEERS[name].package} ${PEERS[name].version}` : name;
}

/** Each gateway has a folder of its own, which is also its home. */
function install(folder: string, name: PeerName): string {
  const home = join(folder, name);
  mkdirSync(home);
  const { package: packageName, version, overrides = {} } = PEERS[name];
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, type: "module", overrides }));
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${packageName}@${version}`], {
    cwd: home,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return home;
}
