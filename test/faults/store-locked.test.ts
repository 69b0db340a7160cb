import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ServerStatus } from "../../src/api/server-status.ts";
import { isStoreUnavailable, type Summary } from "../../src/store/port.ts";
import { openThreadedStore } from "../../src/store/thread/threaded-store.ts";
import { send, until } from "../support/raw-http.ts";
import { recordedEvents } from "../support/recorded-events.ts";
import { getJson, type Running, startBoth, temporaryFolder } from "../support/running.ts";
import { patient } from "../support/slowness.ts";
import { lockStore } from "../support/store-lock.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { call, respond } from "../support/upstream/turn.ts";

const resources = closeAfterEach();

async function sendRequest({ url }: Running, n: number): Promise<void> {
  const { status } = await send(
    `${url}/v1/messages`,
    { headers: { "content-type": "application/json", "x-toolmend-session": `session-${n}` } },
    JSON.stringify({ model: "m", max_tokens: 9, stream: true, messages: [{ role: "user", content: `question ${n}` }] }),
  );
  expect(status).toBe(200);
}

async function statusOf({ url }: Running): Promise<ServerStatus> {
  return (await getJson<Summary & { readonly status: ServerStatus }>(`${url}/api/summary`)).status;
}

it("a write blocked by another process fails with the port's error that the store is unavailable", async () => {
  const data = temporaryFolder();
  await resources.open({ close: async () => rmSync(data, { recursive: true, force: true }) });
  const store = await resources.open(openThreadedStore(join(data, "toolmend.db")));
  const lock = await resources.open(lockStore(join(data, "toolmend.db")));
  const error: unknown = await store.moveCursor("c", 1).catch((problem: unknown) => problem);
  expect(isStoreUnavailable(error)).toBe(true);
  await lock.close();
  await store.moveCursor("c", 1);
  expect([await store.cursor("c"), isStoreUnavailable(new Error("no such table"))]).toEqual([1, false]);
});

it(
  "a store locked by another process: requests pass, the journal buffers, the problem is shown, and everything is stored once afterwards",
  async () => {
    const both = await resources.open(startBoth(() => respond(call("Bash", { command: "ls" }))));
    for (let n = 0; n < 5; n += 1) await sendRequest(both, n);
    await both.server.drain();
    expect((await fetch(`${both.url}/readyz`)).status).toBe(200);

    const lock = await resources.open(lockStore(join(both.data, "toolmend.db")));
    // If each waited for the lock as a writer does, five seconds, all together would exceed the time of this test.
    for (let n = 5; n < 45; n += 1) await sendRequest(both, n);
    let slowestMs = 0;
    await until(
      "the server reports that it is not ready",
      async () => {
        const startedAt = Date.now();
        await statusOf(both);
        slowestMs = Math.max(slowestMs, Date.now() - startedAt);
        return (await fetch(`${both.url}/readyz`)).status === 503;
      },
      patient(15_000),
    );
    // Reads do not queue behind the writer, which waits for five seconds.
    expect(slowestMs).toBeLessThan(4500);
    const status = await statusOf(both);
    expect(status.store_problem).toContain("locked");
    expect(status.unapplied_bytes).toBeGreaterThan(0);
    expect(status.dropped).toBe(0);
    for (let n = 45; n < 50; n += 1) await sendRequest(both, n);

    await lock.release();
    await until(
      "everything is stored",
      async () => {
        const { acknowledged, applied, store_problem } = await statusOf(both);
        return (
          store_problem === null && applied === acknowledged && (await both.server.store.summary({})).requests === 50
        );
      },
      patient(15_000),
    );
    expect((await fetch(`${both.url}/readyz`)).status).toBe(200);
    expect(await statusOf(both)).toMatchObject({ dropped: 0, rejected: 0, unapplied_bytes: 0 });
    const requested = (await recordedEvents(both)).filter(({ type }) => type === "tool_call_requested");
    expect(requested).toHaveLength(50);
    expect(new Set(requested.map(({ tool_call_id }) => tool_call_id)).size).toBe(50);
  },
  patient(180_000),
);
