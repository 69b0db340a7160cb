import type { Observation } from "../../src/core/model/observation.ts";
import { PostgresDatabase, type Queries, type Value } from "../../src/store/postgres/database.ts";
import { migrate } from "../../src/store/postgres/migrate.ts";
import { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { TestPostgres } from "../../test/support/postgres.ts";
import type { BenchOptions } from "../frame/benchmark.ts";
import { type Row, row } from "../frame/row.ts";
import { median } from "../frame/statistics.ts";
import { traffic } from "../store/traffic.ts";

/** Records the statements of every transaction. */
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

/** The order of sessions in the traffic: one after the other, or interleaved call by call. */
const ORDERS = [
  ["batches of 500 observations", (all: readonly Observation[]) => all],
  ["the same, of a hundred sessions each", inTurns],
] as const;

/**
 * Batches through the store, against the SQL statements they result in, replayed on another database: same rows, same
 * server, one batch at a time.
 */
export async function benchWrites(server: TestPostgres, options: BenchOptions): Promise<readonly Row[]> {
  options.progress("batches of observations, and their bare SQL statements");
  const rows: Row[] = [];
  for (const [name, order] of ORDERS) {
    const rounds: { readonly ratio: number; readonly perSecond: number }[] = [];
    for (let round = 0; round < (options.quick ? 2 : 5); round += 1)
      rounds.push(await roundOf(server, options.quick ? 1500 : 4000, options.seed + round, order));
    rows.push(
      row({
        name: `${name}: throughput`,
        against: "the bare upserts of the same rows",
        value: median(rounds.map(({ perSecond }) => perSecond)),
        unit: "observations/s",
        ratio: median(rounds.map(({ ratio }) => ratio)),
        reach: { atLeast: 0.5 },
      }),
    );
  }
  return rows;
}

async function roundOf(
  server: TestPostgres,
  calls: number,
  seed: number,
  order: (all: readonly Observation[]) => readonly Observation[],
): Promise<{ readonly ratio: number; readonly perSecond: number }> {
  const db = new Recording(await server.newDatabase(), { prepareSchema: migrate });
  const store = new PostgresStore(db);
  const lines = order([...traffic({ calls, callsPerSession: 40, days: 30, seed, as: "live" })]).map(
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
  if (stored !== calls) throw new Error(`expected ${calls} stored calls, found ${stored}`);
  await store.close();
  const raw = new PostgresDatabase(await server.newDatabase(), { prepareSchema: migrate });
  await raw.ready();
  const rawBegan = performance.now();
  for (const written of db.batches)
    await raw.transaction((tx) => Promise.all(written.map(([sql, values]) => tx.all(sql, ...values))));
  const bare = performance.now() - rawBegan;
  await raw.close();
  return { ratio: bare / took, perSecond: lines.length / (took / 1000) };
}

/** A call of every session in turn: its request, its response, the call and its result. */
function inTurns(all: readonly Observation[]): readonly Observation[] {
  const sessions = Map.groupBy(all, ({ session_id }) => session_id);
  const turns = Math.max(...[...sessions.values()].map((own) => own.length)) / 4;
  return Array.from({ length: turns }, (_, turn) =>
    [...sessions.values()].flatMap((own) => own.slice(4 * turn, 4 * turn + 4)),
  ).flat();
}
