import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openPostgresStore, type PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { expectAsInLedger, hop, hoppingScript } from "../support/hopping-load.ts";
import { describeWithPostgres, sharedDatabase } from "../support/postgres-stores.ts";
import { until } from "../support/raw-http.ts";
import { getJson, type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { type ServerProcess, spawnServer } from "../support/server-process.ts";
import { patient } from "../support/slowness.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";

let upstream: Upstream;
const folders: string[] = [];
const running: Running[] = [];
const processes: ServerProcess[] = [];
let reader: PostgresStore | undefined;

beforeAll(async () => {
  upstream = await startUpstream({ script: hoppingScript });
}, patient(60_000));
afterAll(async () => {
  await upstream.close();
}, patient(60_000));
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
  await Promise.all(processes.splice(0).map((one) => one.kill("SIGKILL")));
  await reader?.close();
  reader = undefined;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}, patient(60_000));

function newFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
}

/** The ids of all recorded calls in a server's event files, once per line. */
function recordedEvents(folder: string): readonly string[] {
  return readdirSync(join(folder, "events"))
    .flatMap((file) => readFileSync(join(folder, "events", file), "utf8").split("\n"))
    .filter((line) => line.includes('"tool_call_recorded"'))
    .map((line) => (JSON.parse(line) as { event_id: string }).event_id)
    .sort();
}

describeWithPostgres("three proxies on one PostgreSQL", () => {
  it("three servers count every call of sessions that move between them once, and emit the same events (L22)", async () => {
    const url = await sharedDatabase();
    const data = [newFolder(), newFolder(), newFolder()];
    running.push(
      ...(await Promise.all(data.map((folder) => startInFrontOf(upstream.url, { data: folder, storeUrl: url })))),
    );
    const load = await hop({ proxies: () => running.map((one) => one.url), sessions: 12, steps: 8, name: "hop" });
    await Promise.all(running.map(({ server }) => server.drain()));
    reader = await openPostgresStore(url);
    await expectAsInLedger(reader, load);
    expect(await reader.summary({})).toMatchObject({ calls: 96, sessions: 12, pending: 0, requests: load.requests });
    // Chains do not depend on which proxy recorded which call: positions count through the session.
    const detail = await reader.sessionDetail("default", "hop-0");
    const positions = detail?.calls.filter(({ position }) => position !== null).map(({ position }) => position);
    expect(positions).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    await until(
      "all event files are complete",
      () => data.every((folder) => recordedEvents(folder).length >= 96),
      patient(10_000),
    );
    const [first, ...rest] = data.map(recordedEvents);
    expect(new Set(first).size).toBe(96);
    for (const events of rest) expect(events).toEqual(first);
  });

  it("three servers apply a repair override that was set on one of them", async () => {
    const url = await sharedDatabase();
    for (const folder of [newFolder(), newFolder()])
      running.push(await startInFrontOf(upstream.url, { data: folder, storeUrl: url }));
    const [one, two] = running as [Running, Running];
    const response = await fetch(`${one.url}/api/settings/repair`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"mode":"off"}',
    });
    expect(response.ok).toBe(true);
    await until(
      "the other server applies it",
      async () => (await getJson<{ choices: { mode: string }[] }>(`${two.url}/api/repair`)).choices[0]?.mode === "off",
      patient(10_000),
    );
  });

  it("nothing is lost when one of three servers is killed under load and replaced on the same data folder", async () => {
    const url = await sharedDatabase();
    const data = [newFolder(), newFolder(), newFolder()];
    const start = (at: number): Promise<ServerProcess> =>
      spawnServer(data[at] as string, upstream.url, 0, { TOOLMEND_STORE: url, TOOLMEND_LOG_LEVEL: "error" });
    processes.push(...(await Promise.all([0, 1, 2].map(start))));
    const proxies = (): readonly string[] => processes.map(({ port }) => `http://127.0.0.1:${port}`);
    let responses = 0;
    const onResponse = (count: number): void => {
      responses = count;
    };
    const loading = hop({ proxies, sessions: 8, steps: 12, name: "kill", pauseMs: 60, onResponse });
    await until("the load runs", () => responses >= 24, 20_000);
    await processes[1]?.kill("SIGKILL");
    await until("the load continues without the killed server", () => responses >= 48, 20_000);
    processes[1] = await start(1);
    const load = await loading;
    // A graceful stop stores what was acknowledged.
    await Promise.all(processes.splice(0).map((one) => one.kill("SIGTERM")));
    reader = await openPostgresStore(url);
    await expectAsInLedger(reader, load);
  });
});
