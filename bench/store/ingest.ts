import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Observation } from "../../src/core/model/observation.ts";
import { Journal } from "../../src/ingest/journal/journal.ts";
import { Recorder } from "../../src/ingest/recorder.ts";
import { Database, type Value } from "../../src/store/sqlite/database.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { median } from "../frame/statistics.ts";
import { type TrafficOptions, traffic } from "./traffic.ts";

const TOGETHER = 500;

/** CPU time of this process so far. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The whole path: observations to the journal, and from there into the store. */
export async function ingest(
  folder: string,
  options: TrafficOptions,
): Promise<{ readonly ms: number; readonly calls: number; readonly database: string }> {
  mkdirSync(folder, { recursive: true });
  const database = join(folder, "store.db");
  const store = openSqliteStore(database);
  const recorder = new Recorder({
    journal: new Journal({ folder: join(folder, "journal") }),
    store,
    rejectedFile: join(folder, "rejected"),
  });
  await recorder.start();
  const batches = inBatches([...traffic(options)], TOGETHER);
  const start = cpuMs();
  for (const batch of batches) await recorder.record(batch);
  await recorder.drain();
  const ms = cpuMs() - start;
  const { calls } = await store.summary({});
  await recorder.close();
  await store.close();
  return { ms, calls, database };
}

/** The same final rows into the same empty tables, one upsert after the other, with the same number per transaction. */
export function rawWrites(from: string, to: string): { readonly ms: number; readonly rows: number } {
  const source = new Database(from, { readOnly: true });
  void openSqliteStore(to).close();
  const target = new Database(to);
  const tables = source.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  let [ms, rows] = [0, 0];
  for (const name of tables.map((one) => String(one.name)).filter((one) => one !== "schema_version")) {
    const all = source.all(`SELECT * FROM ${name}`);
    const [first] = all;
    if (first === undefined) continue;
    const columns = Object.keys(first);
    const info = source.all(`PRAGMA table_info(${name})`);
    const keys = info.filter(({ pk }) => Number(pk) > 0).map((one) => String(one.name));
    const updates = columns.filter((one) => !keys.includes(one)).map((one) => `${one} = excluded.${one}`);
    const sql = `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
      ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${updates.join(", ")}`;
    const start = cpuMs();
    for (const batch of inBatches(all, TOGETHER)) {
      target.transaction(() => {
        for (const one of batch) target.run(sql, ...(Object.values(one) as Value[]));
      });
    }
    ms += cpuMs() - start;
    rows += all.length;
  }
  source.close();
  target.close();
  return { ms, rows };
}

/**
 * The cost of a call at the beginning and at the end of one long session, a few calls at a time, as in live traffic.
 */
export async function longSession(
  folder: string,
  calls: number,
  seed: number,
): Promise<{ readonly first: number; readonly last: number }> {
  mkdirSync(folder, { recursive: true });
  const store = openSqliteStore(join(folder, "store.db"));
  const part = calls / 10;
  const costs: number[] = [];
  let [done, start] = [0, cpuMs()];
  for (const batch of inBatches([...traffic({ as: "import", calls, callsPerSession: calls, days: 1, seed })], 10)) {
    const lines = batch.map((one) => JSON.stringify(one)).join("\n");
    await store.apply({ journal: "j", position: String(done), live: true, lines });
    done += batch.length;
    if (done % part !== 0) continue;
    costs.push((cpuMs() - start) / part);
    start = cpuMs();
  }
  await store.close();
  return { first: costs[0] ?? 0, last: costs.at(-1) ?? 0 };
}

/**
 * The cost of a call while many sessions alternate: in their first turns, and once links look back over the full
 * window.
 */
export async function sessionsInTurn(
  folder: string,
  seed: number,
): Promise<{ readonly first: number; readonly last: number }> {
  mkdirSync(folder, { recursive: true });
  const store = openSqliteStore(join(folder, "store.db"));
  const [sessions, turns, perTurn] = [200, 90, 4];
  const all = [...traffic({ as: "live", calls: sessions * turns, callsPerSession: turns, days: 1, seed })];
  const costs: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const lines = Array.from({ length: sessions }, (_, session) => {
      const at = (session * turns + turn) * perTurn;
      return all.slice(at, at + perTurn).map((one) => JSON.stringify(one));
    });
    const start = cpuMs();
    for (const batch of inBatches(lines, sessions / 2)) {
      await store.apply({ journal: "j", position: String(turn), live: true, lines: batch.flat().join("\n") });
    }
    costs.push((cpuMs() - start) / sessions);
  }
  await store.close();
  return { first: median(costs.slice(15, 30)), last: median(costs.slice(75)) };
}

export function inBatches<T extends Observation | object>(
  items: readonly T[],
  size: number,
): readonly (readonly T[])[] {
  const batches: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size));
  return batches;
}
