import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerStatus } from "../../src/api/server-status.ts";
import { startUpstream } from "../../src/demo/upstream/start-upstream.ts";
import { answer, call } from "../../src/demo/upstream/turn.ts";
import type { Summary } from "../../src/store/port.ts";
import { keepForTest } from "../support/keep.ts";
import { send, until } from "../support/raw-http.ts";
import { recordedEvents } from "../support/recorded-events.ts";
import { getJson, type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { mountSmallDisk, type SmallDisk, smallDiskProblem } from "../support/small-disk.ts";

const kept = keepForTest();
const probe = temporaryFolder();
const problem = smallDiskProblem(probe);
rmSync(probe, { recursive: true, force: true });
if (problem !== undefined) console.warn(`The tests of a full disk are skipped: ${problem}`);

/** The server with a part of its data folder on a disk of its own. */
async function startOnSmallDisk(part: string, size: string): Promise<Running & { readonly disk: SmallDisk }> {
  const data = temporaryFolder();
  mkdirSync(join(data, part), { recursive: true });
  const disk = mountSmallDisk(join(data, part), size);
  await kept.open({
    async close() {
      disk.unmount();
      rmSync(data, { recursive: true, force: true });
    },
  });
  const upstream = await kept.open(startUpstream({ script: () => answer(call("Bash", { command: "ls" })) }));
  return { ...(await kept.open(startInFrontOf(upstream.url, { data }))), disk };
}

/** Every answer must arrive, whatever becomes of its record. */
async function ask({ url }: Running, from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n += 1) {
    const { status, broken, body } = await send(
      `${url}/v1/messages`,
      { headers: { "content-type": "application/json", "x-toolmend-session": `session-${n}` } },
      JSON.stringify({
        model: "m",
        max_tokens: 9,
        stream: true,
        messages: [{ role: "user", content: `question ${n}` }],
      }),
    );
    expect([status, broken]).toEqual([200, false]);
    expect(body.toString()).toContain("message_stop");
  }
}

async function statusOf({ url }: Running): Promise<ServerStatus> {
  return (await getJson<Summary & { readonly status: ServerStatus }>(`${url}/api/summary`)).status;
}

describe.skipIf(problem !== undefined)("a full disk", () => {
  it("under the journal: answers arrive, drops are counted and shown, and with space it goes on", async () => {
    const running = await startOnSmallDisk("journal", "1m");
    await ask(running, 0, 3);
    await until("they are stored", async () => {
      await running.server.drain();
      return (await running.server.store.summary({})).pending === 3;
    });
    running.disk.fill();
    await ask(running, 3, 10);
    // A request and an answer with its call, each.
    await until("the drops are counted", async () => {
      const { acknowledged, dropped } = await statusOf(running);
      return dropped > 0 && acknowledged + dropped === 39;
    });
    const { dropped } = await statusOf(running);
    expect(await (await fetch(`${running.url}/metrics`)).text()).toContain(
      `toolmend_ingest_dropped_total ${dropped}\n`,
    );

    running.disk.free();
    await ask(running, 13, 3);
    await until("what came with space is stored", async () => {
      await running.server.drain();
      const events = await recordedEvents(running);
      const sessions = new Set(
        events.filter(({ type }) => type === "tool_call_requested").map(({ session_id }) => session_id),
      );
      return [0, 1, 2, 13, 14, 15].every((n) => sessions.has(`session-${n}`));
    });
    const status = await statusOf(running);
    expect(status).toMatchObject({ dropped, rejected: 0, store_problem: null, unapplied_bytes: 0 });
    expect(status.applied).toBe(status.acknowledged);
  });

  it("under everything: answers arrive, the store's trouble is named, and what was acknowledged is stored later", async () => {
    const running = await startOnSmallDisk(".", "16m");
    await ask(running, 0, 3);
    await running.server.drain();
    running.disk.fill();
    await ask(running, 3, 40);
    await until("all is counted one way or the other", async () => {
      const { acknowledged, dropped } = await statusOf(running);
      return acknowledged + dropped === 43 * 3;
    });
    const full = await statusOf(running);
    if (full.store_problem !== null) expect(full.store_problem).toContain("full");
    expect(full.dropped).toBeGreaterThan(0);

    running.disk.free();
    await ask(running, 43, 3);
    await until(
      "all that was acknowledged is stored",
      async () => {
        await running.server.drain();
        const { acknowledged, applied, store_problem } = await statusOf(running);
        return store_problem === null && applied === acknowledged && acknowledged + full.dropped === 46 * 3;
      },
      15_000,
    );
    const requested = (await recordedEvents(running)).filter(({ type }) => type === "tool_call_requested");
    expect(new Set(requested.map(({ session_id }) => session_id)).size).toBe(requested.length);
    expect(requested.map(({ session_id }) => session_id)).toEqual(
      expect.arrayContaining([43, 44, 45].map((n) => `session-${n}`)),
    );
  });
});
