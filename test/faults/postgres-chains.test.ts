import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Summary } from "../../src/store/port.ts";
import { chain, chainedScript, leakingScript, longLeakingScript, reusingScript } from "../support/chained-load.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { describeWithPostgres } from "../support/postgres-stores.ts";
import { until } from "../support/raw-http.ts";
import { type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { patient } from "../support/slowness.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";

// Clients that leave their history to the provider, on servers that share only the database.

let database: TestPostgres;
let upstream: Upstream;
let leaking: Upstream;
let reusing: Upstream;
const folders: string[] = [];
const running: Running[] = [];

beforeAll(async () => {
  database = await startPostgres();
  upstream = await startUpstream({ script: chainedScript });
  leaking = await startUpstream({ script: leakingScript });
  reusing = await startUpstream({ script: reusingScript });
}, patient(60_000));
afterAll(async () => {
  await Promise.all([upstream, leaking, reusing].map((one) => one.close()));
  await database.close();
}, patient(60_000));
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}, patient(60_000));

async function startThree(url = upstream.url, options: Parameters<typeof startInFrontOf>[1] = {}): Promise<void> {
  const storeUrl = await database.newDatabase();
  const start = (): Promise<Running> => {
    const data = temporaryFolder();
    folders.push(data);
    return startInFrontOf(url, { ...options, data, storeUrl });
  };
  running.push(...(await Promise.all([start(), start(), start()])));
}

const proxies = (): readonly string[] => running.map(({ url }) => url);

/** The summary once every request is stored. */
async function summaryAfter(requests: number): Promise<Summary> {
  const { server } = running[0] as Running;
  let found: Summary | undefined;
  await until(
    `${requests} requests are stored`,
    async () => {
      await Promise.all(running.map((one) => one.server.drain()));
      found = await server.store.summary({});
      return found.requests === requests;
    },
    patient(20_000),
  );
  return found as Summary;
}

describeWithPostgres("three proxies on one PostgreSQL, and clients that leave their history to the provider", () => {
  it.each([["previous_response_id"], ["conversation"]] as const)(
    "each chain by %s stays in one session, every call once, even when the next request arrives before the response is stored",
    async (by) => {
      await startThree();
      const { requests, calls, failed } = await chain({ proxies, chains: 8, steps: 10, by });
      expect(failed).toEqual([]);
      expect([requests, calls]).toEqual([88, 80]);
      expect(await summaryAfter(88)).toMatchObject({
        ...{ sessions: 8, calls: 80, ok: 64, failed: 16, unknown: 0, pending: 0, discarded: 0 },
      });
      const tools = await (running[0] as Running).server.store.breakdown("tool", {});
      expect(tools.map(({ key }) => key).sort()).toEqual(["Bash", "Edit", "Read"]);
      const sessions = await (running[0] as Running).server.store.sessions({});
      expect(sessions.map((one) => one.calls)).toEqual(Array.from({ length: 8 }, () => 10));
    },
  );

  it("a reused id is counted through the whole chain, on any server", async () => {
    await startThree(reusing.url);
    const { calls, failed } = await chain({ proxies, chains: 4, steps: 9, by: "previous_response_id" });
    expect(failed).toEqual([]);
    expect(calls).toBe(36);
    expect(await summaryAfter(40)).toMatchObject({ sessions: 4, calls: 36, ok: 28, failed: 8, pending: 0, unknown: 0 });
    const tools = await (running[0] as Running).server.store.breakdown("tool", {});
    expect(Object.fromEntries(tools.map((one) => [one.key, one.calls]))).toEqual({ Bash: 12, Read: 12, Edit: 12 });
  });

  it("a request and its concurrent retry on another server count once: the response that the client did not continue from is discarded", async () => {
    await startThree();
    const load = await chain({
      ...{ proxies, chains: 6, steps: 8, by: "previous_response_id", twiceIn: 2, pauseMs: 10 },
    });
    expect(load.failed).toEqual([]);
    expect(load.requests).toBeGreaterThan(70);
    expect(await summaryAfter(load.requests)).toMatchObject({ sessions: 6, calls: 48, pending: 0, unknown: 0 });
    const sessions = await (running[0] as Running).server.store.sessions({});
    expect(sessions.map(({ calls }) => calls)).toEqual(Array.from({ length: 6 }, () => 8));
  });

  it("calls that another server has just repaired are restored, so that the strict upstream accepts every output", async () => {
    await startThree(leaking.url);
    const { requests, calls, failed } = await chain({ proxies, chains: 6, steps: 6, by: "previous_response_id" });
    expect(failed).toEqual([]);
    expect(leaking.rejections).toEqual([]);
    expect([requests, calls]).toEqual([42, 36]);
    expect(await summaryAfter(42)).toMatchObject({ sessions: 6, calls: 36, pending: 0, unknown: 0 });
    const { store } = (running[0] as Running).server;
    expect(await store.originOutcomes({})).toMatchObject([
      { origin: "native", calls: 0 },
      { origin: "recovered", calls: 36 },
    ]);
    expect(await store.suspensions({})).toEqual([]);
  });

  it("calls with long arguments that another server repaired are restored if both have the same key", async () => {
    const longLeaking = await startUpstream({ script: longLeakingScript });
    await startThree(longLeaking.url, { stateKey: randomBytes(32) });
    const { requests, calls, failed } = await chain({ proxies, chains: 4, steps: 4, by: "previous_response_id" });
    await longLeaking.close();
    expect(failed).toEqual([]);
    expect(longLeaking.rejections).toEqual([]);
    expect([requests, calls]).toEqual([20, 16]);
    expect(await summaryAfter(20)).toMatchObject({ sessions: 4, calls: 16, pending: 0 });
    const { store } = (running[0] as Running).server;
    // Each was removed when the provider had accepted it.
    await until("every used call is deleted", async () => (await store.sealedCalls(0, 100)).length === 0, 5000);
  });

  it("no request fails, and no call is lost or repeated, while the database is down", async () => {
    await startThree();
    await database.stop("immediate");
    const loading = chain({ proxies, chains: 4, steps: 6, by: "previous_response_id" });
    const { requests, calls, failed } = await loading.finally(() => database.start());
    expect(failed).toEqual([]);
    expect([requests, calls]).toEqual([28, 24]);
    // Not every request could be assigned to its session; the calls are stored nevertheless.
    expect(await summaryAfter(28)).toMatchObject({ calls: 24, ok: 20, failed: 4, unknown: 0 });
  });
});
