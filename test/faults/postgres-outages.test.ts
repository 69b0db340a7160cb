import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { openPostgresStore, type PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { expectAsInLedger, hop, hoppingScript } from "../support/hopping-load.ts";
import { openRelay, type Relay } from "../support/network.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { describeWithPostgres } from "../support/postgres-stores.ts";
import { until } from "../support/raw-http.ts";
import { type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { patient } from "../support/slowness.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";

// These tests mostly wait, and other tests use the CPU meanwhile.
vi.setConfig({ testTimeout: patient(120_000) });

const AWAY_MS = 30_000;

let database: TestPostgres;
let upstream: Upstream;
let relay: Relay;
const running: Running[] = [];
let responses = 0;
const onResponse = (count: number): void => {
  responses = count;
};
let reader: PostgresStore | undefined;

beforeAll(async () => {
  database = await startPostgres({ fsync: true });
  upstream = await startUpstream({ script: hoppingScript });
  relay = await openRelay(database.port);
}, patient(60_000));
afterAll(async () => {
  await relay.close();
  await upstream.close();
  await database.close();
}, patient(60_000));
afterEach(async () => {
  responses = 0;
  await Promise.all(running.splice(0).map((one) => one.close()));
  await reader?.close();
  reader = undefined;
}, patient(60_000));

const proxies = (): readonly string[] => running.map((one) => one.url);
const ready = async (one: Running | undefined): Promise<number> => (await fetch(`${one?.url}/readyz`)).status;

async function startThree(storeUrl: string, storePatienceMs = 2500): Promise<void> {
  for (let at = 0; at < 3; at += 1) running.push(await startInFrontOf(upstream.url, { storeUrl, storePatienceMs }));
}

async function everythingStored(url: string): Promise<PostgresStore> {
  await until(
    "all proxies are ready again",
    async () => (await Promise.all(running.map(ready))).every((status) => status === 200),
    patient(60_000),
  );
  await Promise.all(running.map(({ server }) => server.drain()));
  reader = await openPostgresStore(url);
  return reader;
}

/** The URL of the database through the network line. */
const overTheLine = (url: string): string => url.replace(`:${database.port}/`, `:${relay.port}/`);

describeWithPostgres("an outage of the database", () => {
  it("a crash of thirty seconds does not affect clients, is reported by the API and /readyz, allows a start, and loses or repeats no call", async () => {
    const url = await database.newDatabase();
    const folder = temporaryFolder();
    await startThree(url);
    await (await startInFrontOf(upstream.url, { data: folder, storeUrl: url })).close();
    // Longer than the outage, so that it begins and ends under load.
    const loading = hop({ proxies, sessions: 8, steps: 80, name: "crash", pauseMs: 400, onResponse });
    await until("the load runs", () => responses >= 16, 20_000);
    await database.stop("immediate");
    const backAt = Date.now() + AWAY_MS;
    try {
      await until(
        "a proxy reports that the store is unavailable",
        async () => (await ready(running[0])) === 503,
        patient(10_000),
      );
      const response = await fetch(`${running[0]?.url}/api/summary`);
      expect(response.status).toBe(503);
      expect(await response.text()).toMatch(
        /The store is unavailable: PostgreSQL is not available \(\w+\)\. .* stay in the journal until the store is back\./,
      );
      await expect(startInFrontOf(upstream.url, { storeUrl: url.replace("@", ":hunter22@") })).rejects.toThrow(
        /^The store is not available: PostgreSQL is not available \(ECONNREFUSED\)/,
      );
      running.push(await startInFrontOf(upstream.url, { data: folder, storeUrl: url }));
      const during = await hop({ proxies, sessions: 3, steps: 4, name: "during" });
      expect(await ready(running[3])).toBe(503);
      await until("the outage is longer than the timeouts of the servers", () => Date.now() >= backAt, AWAY_MS);
      await database.start();
      const load = await loading;
      await expectAsInLedger(await everythingStored(url), load, during);
    } finally {
      // May be running already.
      await database.start().catch(() => undefined);
      await running.splice(3, 1)[0]?.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describeWithPostgres("a connection to the database", () => {
  it("a silently cut connection blocks no request and is opened again", async () => {
    const url = await database.newDatabase();
    await startThree(overTheLine(url));
    const loading = hop({ proxies, sessions: 6, steps: 14, name: "cut", pauseMs: 150, onResponse });
    await until("the load runs", () => responses >= 24, 20_000);
    relay.cut = true;
    await until("a proxy reports that the store is unavailable", async () => (await ready(running[0])) === 503, 10_000);
    relay.cut = false;
    const load = await loading;
    await expectAsInLedger(await everythingStored(url), load);
  });

  it("a slow connection delays no request, and everything is stored", async () => {
    const url = await database.newDatabase();
    await startThree(overTheLine(url), 30_000);
    const began = Date.now();
    const quick = await hop({ proxies, sessions: 6, steps: 6, name: "quick" });
    relay.delayMs = 15;
    const started = Date.now();
    const load = await hop({ proxies, sessions: 6, steps: 6, name: "slow" });
    const took = Date.now() - started;
    await expectAsInLedger(await everythingStored(url), quick, load);
    relay.delayMs = 0;
    // Seven sequential requests would take longer than this if each waited for the store.
    expect(took).toBeLessThan(4000 + 2 * (started - began));
  });
});
