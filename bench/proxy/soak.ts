import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerStatus } from "../../src/api/server-status.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { openSqliteReader } from "../../src/store/sqlite/sqlite-store.ts";
import type { BenchOptions } from "../frame/benchmark.ts";
import { type Child, Children } from "../frame/child.ts";
import { chooseCores } from "../frame/pinning.ts";
import { type Row, row } from "../frame/row.ts";
import type { Memory } from "./memory-handlers.ts";
import type { Family, FamilyResult } from "./soak-load.ts";
import { expectedCounts, type Workload } from "./workload.ts";

const MB = 1 << 20;
const TURNS = 10;
const FAULT_SHARE = 0.3;
/** How long another process holds the store's write lock, in every third workload. */
const LOCK_MS = 1500;
const LOCK_EVERY = 3;

/** The load is constant: each workload has new sessions, so growing bodies cannot explain growing memory. */
const familyOf = (at: number): Workload => ({
  ...{ name: `soak${at}`, api: "anthropic", sessions: 40, firstPairs: 4, pairsPerTurn: 1, resultLength: 400 },
});

/**
 * Runs ten minutes (one with --quick) with random faults of clients, upstreams and the store. Checks that every call is
 * stored once and memory stays flat.
 */
export async function benchSoak(options: BenchOptions): Promise<readonly Row[]> {
  const data = mkdtempSync(join(tmpdir(), "toolmend-soak-"));
  const cores = chooseCores();
  const children = new Children(import.meta.url);
  try {
    const upstream = await (await children.start("./upstream.ts", cores.others)).request<string>("url");
    const load = await children.start("./soak-load.ts", cores.others);
    const server = await children.start("./toolmend.ts", cores.measured, { upstream, data });
    const minutes = options.quick ? 1 : 10;
    const run = new Soak(server, load, await server.request<string>("url"), data, options);
    for (const end = Date.now() + minutes * 60_000; Date.now() < end; ) await run.family();
    return await run.rows(minutes);
  } finally {
    await children.end();
    rmSync(data, { recursive: true, force: true });
  }
}

class Soak {
  readonly #server: Child;
  readonly #load: Child;
  readonly #url: string;
  readonly #data: string;
  readonly #options: BenchOptions;
  readonly #samples: Memory[] = [];
  readonly #problems: string[] = [];
  #families = 0;
  #requests = 0;
  #calls = 0;
  #faults = 0;

  constructor(server: Child, load: Child, url: string, data: string, options: BenchOptions) {
    this.#server = server;
    this.#load = load;
    this.#url = url;
    this.#data = data;
    this.#options = options;
  }

  async family(): Promise<void> {
    const workload = familyOf(this.#families);
    const seed = this.#options.seed + this.#families;
    const family: Family = { url: this.#url, workload, seed, turns: TURNS, connections: 16, faultShare: FAULT_SHARE };
    const locked = this.#families % LOCK_EVERY === 1 ? this.#lockStore() : undefined;
    const { requests, faults, failures } = await this.#load.request<FamilyResult>("play", family);
    await locked;
    this.#families += 1;
    this.#requests += requests;
    this.#faults += Object.values(faults).reduce((sum, count) => sum + count, 0);
    for (const failure of failures) this.#problems.push(`${workload.name}: ${failure}`);
    await this.#server.request("drain");
    await this.#compare(workload, requests);
    const memory = await this.#server.request<Memory>("memory");
    this.#samples.push(memory);
    const mb = (bytes: number): number => Math.round(bytes / MB);
    this.#options.progress(
      `${this.#requests} requests, ${this.#faults} faults, ${mb(memory.resident)} MB resident, ${mb(memory.heap)} MB heap, ${mb(memory.external)} MB outside it`,
    );
  }

  async rows(minutes: number): Promise<readonly Row[]> {
    const status = (await (await fetch(`${this.#url}/api/status`)).json()) as ServerStatus;
    const { acknowledged, applied, dropped, rejected } = status;
    if (acknowledged !== applied || dropped + rejected > 0)
      this.#problems.push(`${acknowledged} acknowledged, ${applied} applied, ${dropped} dropped, ${rejected} rejected`);
    const metrics = await (await fetch(`${this.#url}/metrics`)).text();
    for (const kind of ["forward", "repair", "rewrite", "recording", "local", "uncaught"])
      if (!metrics.includes(`toolmend_proxy_failures_total{kind="${kind}"} 0\n`))
        this.#problems.push(`failures of kind ${kind}`);
    const problem = this.#problems[0];
    const quarter = Math.max(1, Math.floor(this.#samples.length / 4));
    const mean = (part: readonly Memory[]): number =>
      part.reduce((sum, { resident }) => sum + resident, 0) / part.length;
    const [second, last] = [mean(this.#samples.slice(quarter, 2 * quarter)), mean(this.#samples.slice(-quarter))];
    const counted = { against: "", unit: "", void: problem };
    return [
      row({ ...counted, name: `calls stored once in ${minutes} min, all that were sent`, value: this.#calls }),
      row({ ...counted, name: "observations acknowledged and applied", value: acknowledged }),
      row({ ...counted, name: "exchanges with a fault among them", value: this.#faults }),
      row({
        name: `resident memory, last quarter of ${minutes} min`,
        against: "the second quarter",
        value: last / MB,
        unit: "MB",
        ratio: last / second,
        reach: { atMost: 1.05 },
        void: problem,
      }),
    ];
  }

  /** Holds the write lock as another process would; observations queue in the journal meanwhile. */
  async #lockStore(): Promise<void> {
    const db = new Database(join(this.#data, "toolmend.db"));
    db.exec("BEGIN IMMEDIATE");
    await sleep(LOCK_MS);
    db.exec("ROLLBACK");
    db.close();
  }

  async #compare(workload: Workload, requests: number): Promise<void> {
    const reader = openSqliteReader(join(this.#data, "toolmend.db"));
    const { calls, pending, discarded, sessions } = await reader.summary({ project: workload.name });
    await reader.close();
    const expected = expectedCounts(workload, requests);
    this.#calls += calls;
    const stored = { calls, pending: pending + discarded, sessions };
    for (const [name, count] of Object.entries(stored))
      if (count !== expected[name as keyof typeof stored])
        this.#problems.push(`${workload.name}: ${name} ${count} instead of ${expected[name as keyof typeof stored]}`);
  }
}
