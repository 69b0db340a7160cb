import postgres from "postgres";
import { openPostgresStore, type PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { TestPostgres } from "../../test/support/postgres.ts";
import type { BenchOptions } from "../frame/benchmark.ts";
import { type Row, row } from "../frame/row.ts";
import { median } from "../frame/statistics.ts";
import { traffic } from "../store/traffic.ts";

const UNTIL = Date.UTC(2026, 2, 11);
const MONTH = { since: UNTIL - 30 * 86_400_000, until: UNTIL };
const CONCURRENCY = 2000;

/** The queries of the dashboard's pages. */
const QUERIES: readonly (readonly [name: string, ask: (store: PostgresStore) => Promise<unknown>])[] = [
  ["summary", (store) => store.summary(MONTH)],
  ["by tool, with the month before", (store) => store.breakdown("tool", { ...MONTH, previous: true })],
  ["by day", (store) => store.series({ ...MONTH, step: "day" })],
  ["tools by models", (store) => store.toolModel(MONTH)],
  ["fingerprints", (store) => store.fingerprints(MONTH)],
  ["newest sessions", (store) => store.sessions({ limit: 50 })],
  ["worst sessions", (store) => store.sessions({ sort: "severity", limit: 50 })],
  ["sessions with a tool", (store) => store.sessions({ tool: "Bash", limit: 50 })],
  ["one session", (store) => store.sessionDetail("default", "session-1-7")],
];

/** Each query over ten thousand calls, and over a hundred times as many. */
export async function benchQueries(server: TestPostgres, options: BenchOptions): Promise<readonly Row[]> {
  const sizes = options.quick ? [10_000, 100_000] : [10_000, 1_000_000];
  const times: (readonly number[])[] = [];
  for (const calls of sizes) {
    options.progress(`queries over ${calls} calls`);
    const url = await server.newDatabase();
    const store = await openPostgresStore(url);
    await fill(store, calls, options);
    const sql = postgres(url, { max: 1 });
    await sql.unsafe("VACUUM ANALYZE");
    await sql.end();
    const own: number[] = [];
    for (const [, query] of QUERIES) own.push(await timeOf(() => query(store)));
    times.push(own);
    await store.close();
  }
  return QUERIES.map(([name], at) => {
    const [few, many] = [times[0]?.[at] as number, times[1]?.[at] as number];
    return row({
      name: `${name}: ${sizes[1]} calls`,
      against: `${sizes[0]} calls`,
      value: many,
      unit: "ms",
      ratio: many / few,
      reach: { atMost: 5 },
    });
  });
}

async function fill(store: PostgresStore, calls: number, options: BenchOptions): Promise<void> {
  let [lines, count, done] = ["", 0, 0];
  const flush = async (): Promise<void> => {
    await store.apply({ journal: "j", position: "1", live: false, lines });
    done += count;
    if (done % 100_000 === 0) options.progress(`  ${done} of ${calls} calls`);
    [lines, count] = ["", 0];
  };
  for (const one of traffic({ calls, callsPerSession: 40, days: 30, seed: options.seed, as: "import" })) {
    lines += `${JSON.stringify(one)}\n`;
    count += 1;
    if (count === CONCURRENCY) await flush();
  }
  if (count > 0) await flush();
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const began = performance.now();
    await work();
    if (round >= 5) times.push(performance.now() - began);
  }
  return median(times);
}
