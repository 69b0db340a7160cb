import { PostgresDatabase, type Queries, type Value } from "../../src/store/postgres/database.ts";
import { migrate } from "../../src/store/postgres/migrate.ts";
import { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { TestPostgres } from "../../test/support/postgres.ts";
import type { BenchOptions } from "../frame/benchmark.ts";
import { type Row, row } from "../frame/row.ts";
import { median } from "../frame/statistics.ts";
import { traffic } from "../store/traffic.ts";

/** Writes down what every transaction changes. */
class Recording extends PostgresDatabase {
  readonly batches: (readonly (readonly [sql: string, values: readonly Value[]])[])[] = [];

  override transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return super.transaction(async (queries) => {
      const written: [string, readonly Value[]][] = [];
      const result = await work({
        all(sql, ...values) {
          if (/^\s*(?:INSERT|UPDATE|DELETE|WITH)/.test(sql)) written.push([sql, values]);
          return queries.all(sql, ...values);
        },
      });
      this.batches.push(written);
      return result;
    });
  }
}

const OBSERVATIONS = 500;

/** Batches through the store, against the statements they come to, sent to another database as they are: same rows, same server, one batch at a time. */
export async function benchWrites(server: TestPostgres, options: BenchOptions): Promise<readonly Row[]> {
  options.progress("batches of observations, and the bare statements they come to");
  const rounds = options.quick ? 2 : 5;
  const calls = options.quick ? 1500 : 4000;
  const [whole, bare, perSecond]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const db = new Recording(await server.newDatabase(), { prepareSchema: migrate });
    const store = new PostgresStore(db);
    const lines = [...traffic({ calls, callsPerSession: 40, days: 30, seed: options.seed + round, as: "live" })].map(
      (one) => `${JSON.stringify(one)}\n`,
    );
    const batches = Array.from({ length: Math.ceil(lines.length / OBSERVATIONS) }, (_, at) =>
      lines.slice(at * OBSERVATIONS, (at + 1) * OBSERVATIONS).join(""),
    );
    await store.summary({});
    const began = performance.now();
    for (const [at, text] of batches.entries())
      await store.apply({ journal: "j", position: String(at), live: true, lines: text });
    const took = performance.now() - began;
    const stored = (await store.summary({})).calls;
    if (stored !== calls) throw new Error(`${stored} calls are stored instead of ${calls}`);
    await store.close();
    const raw = new PostgresDatabase(await server.newDatabase(), { prepareSchema: migrate });
    await raw.ready();
    const rawBegan = performance.now();
    for (const written of db.batches)
      await raw.transaction((tx) => Promise.all(written.map(([sql, values]) => tx.all(sql, ...values))));
    bare.push((performance.now() - rawBegan) / took);
    await raw.close();
    whole.push(took);
    perSecond.push(lines.length / (took / 1000));
  }
  return [
    row({
      name: "batches of 500 observations: throughput",
      against: "the bare upserts of the same rows",
      value: median(perSecond),
      unit: "observations/s",
      ratio: median(bare),
      reach: { atLeast: 0.5 },
    }),
  ];
}
