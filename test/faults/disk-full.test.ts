import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { ServerStatus } from "../../src/api/server-status.ts";
import { notRun } from "../support/not-run.ts";
import { send, until } from "../support/raw-http.ts";
import { recordedEvents } from "../support/recorded-events.ts";
import { getJson, type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { patient } from "../support/slowness.ts";
import { mountSmallDisk, type SmallDisk, smallDiskProblem } from "../support/small-disk.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { startUpstream } from "../support/upstream/start-upstream.ts";
import { call, respond } from "../support/upstream/turn.ts";

const resources = closeAfterEach();
const BIN = fileURLToPath(new URL("../../bin/toolmend.mjs", import.meta.url));
const probe = temporaryFolder();
const problem = smallDiskProblem(probe);
rmSync(probe, { recursive: true, force: true });

/** Starts the server with parts of its data folder on separate small disks, parents first. */
async function startOnSmallDisks<Part extends string>(
  sizes: Readonly<Record<Part, string>>,
): Promise<Running & { readonly disks: Readonly<Record<Part, SmallDisk>> }> {
  const data = temporaryFolder();
  await resources.open({ close: async () => rmSync(data, { recursive: true, force: true }) });
  const disks: Partial<Record<Part, SmallDisk>> = {};
  for (const [part, size] of Object.entries(sizes) as [Part, string][]) {
    mkdirSync(join(data, part), { recursive: true });
    const disk = mountSmallDisk(join(data, part), size);
    disks[part] = disk;
    await resources.open({ close: async () => disk.unmount() });
  }
  const upstream = await resources.open(startUpstream({ script: () => respond(call("Bash", { command: "ls" })) }));
  const running = await resources.open(startInFrontOf(upstream.url, { data }));
  return { ...running, disks: disks as Record<Part, SmallDisk> };
}

async function expectStoredOnce(running: Running, sessions: number): Promise<void> {
  const requested = (await recordedEvents(running)).filter(({ type }) => type === "tool_call_requested");
  expect(requested).toHaveLength(sessions);
  expect(new Set(requested.map(({ session_id }) => session_id)).size).toBe(sessions);
}

/** Every response must arrive, whether or not it can be recorded. */
async function sendRequests({ url }: Running, from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n += 1) {
    const { status, aborted, body } = await send(
      `${url}/v1/messages`,
      { headers: { "content-type": "application/json", "x-toolmend-session": `session-${n}` } },
      JSON.stringify({
        model: "m",
        max_tokens: 9,
        stream: true,
        messages: [{ role: "user", content: `question ${n}` }],
      }),
    );
    expect([status, aborted]).toEqual([200, false]);
    expect(body.toString()).toContain("message_stop");
  }
}

async function statusOf({ url }: Running): Promise<ServerStatus> {
  return await getJson<ServerStatus>(`${url}/api/status`);
}

describe.skipIf(problem !== undefined)(`a full disk${notRun(problem)}`, () => {
  it("a full disk below the journal: responses arrive, drops are counted and shown, and recording resumes once there is space", async () => {
    const running = await startOnSmallDisks({ journal: "1m" });
    await sendRequests(running, 0, 3);
    await until("all calls are stored", async () => {
      await running.server.drain();
      return (await running.server.store.summary({})).pending === 3;
    });
    running.disks.journal.fill();
    await sendRequests(running, 3, 10);
    let sent = 13;
    // Each request writes two lines: the request, and the response with its call.
    await until("the drops are counted and the journal has no room for another line", async () => {
      const { acknowledged, dropped, journal_problem } = await statusOf(running);
      if (dropped === 0 || acknowledged + dropped !== sent * 3) return false;
      if (journal_problem !== null) return true;
      // A short line still fitted behind a long one that did not.
      await sendRequests(running, sent, 1);
      sent += 1;
      return false;
    });
    const { dropped, journal_problem } = await statusOf(running);
    expect(await (await fetch(`${running.url}/metrics`)).text()).toContain(
      `toolmend_ingest_dropped_total ${dropped}\n`,
    );
    expect(journal_problem).toMatch(/ENOSPC/);
    const notReady = await fetch(`${running.url}/readyz`);
    expect([notReady.status, await notReady.text()]).toEqual([503, "the journal cannot be written\n"]);

    running.disks.journal.free();
    // Without traffic, because a load balancer sends none to a server that is not ready.
    await until("the server is ready again", async () => (await fetch(`${running.url}/readyz`)).status === 200, 10_000);
    await sendRequests(running, 13, 3);
    await until("later calls are stored", async () => {
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

  it("a full disk below the store: the journal buffers, the problem is shown, and everything is stored once there is space", async () => {
    const running = await startOnSmallDisks({ ".": "16m", journal: "4m" });
    await sendRequests(running, 0, 3);
    await running.server.drain();
    running.disks["."].fill();
    await sendRequests(running, 3, 30);
    await until("the server reports that it is not ready", async () => {
      await running.server.drain();
      return (await fetch(`${running.url}/readyz`)).status === 503;
    });
    const full = await statusOf(running);
    expect(full.store_problem).toMatch(/disk is full|disk I\/O error/);
    expect(full.dropped).toBe(0);

    running.disks["."].free();
    await sendRequests(running, 33, 3);
    await until(
      "everything is stored",
      async () => {
        await running.server.drain();
        const { acknowledged, applied, store_problem } = await statusOf(running);
        return store_problem === null && acknowledged === 36 * 3 && applied === acknowledged;
      },
      patient(15_000),
    );
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    await expectStoredOnce(running, 36);
    expect(writtenOut(running)).toBe(36);
  });

  it("a full disk below everything: responses arrive, drops are counted, and acknowledged observations are stored", async () => {
    const running = await startOnSmallDisks({ ".": "16m" });
    await sendRequests(running, 0, 3);
    await running.server.drain();
    running.disks["."].fill();
    await sendRequests(running, 3, 10);
    await until("every call is either stored or counted as dropped", async () => {
      const { acknowledged, dropped } = await statusOf(running);
      return dropped > 0 && acknowledged + dropped === 13 * 3;
    });
    const { dropped } = await statusOf(running);

    running.disks["."].free();
    await sendRequests(running, 13, 3);
    await until(
      "everything acknowledged is stored",
      async () => {
        await running.server.drain();
        const { acknowledged, applied, store_problem } = await statusOf(running);
        return store_problem === null && applied === acknowledged && acknowledged + dropped === 16 * 3;
      },
      patient(15_000),
    );
    expect(writtenOut(running)).toBe((await running.server.store.summary({})).pending);
  });
});

describe.skipIf(problem !== undefined)(`a start on a full disk${notRun(problem)}`, () => {
  it.each([
    ["was used before", [] as readonly string[]],
    ["lost its database", ["toolmend.db", "toolmend.db-wal", "toolmend.db-shm"]],
  ])("a server whose data folder %s forwards, is not ready, and records as soon as there is space", async (_, lost) => {
    const data = temporaryFolder();
    await resources.open({ close: async () => rmSync(data, { recursive: true, force: true }) });
    const disk = mountSmallDisk(data, "4m");
    await resources.open({ close: async () => disk.unmount() });
    const upstream = await resources.open(startUpstream({ script: () => respond(call("Bash", { command: "ls" })) }));
    const first = await startInFrontOf(upstream.url, { data });
    await sendRequests(first, 0, 2);
    await first.close();
    for (const file of lost) rmSync(join(data, file), { force: true });
    disk.fill();

    const running = await resources.open(startInFrontOf(upstream.url, { data }));
    expect((await fetch(`${running.url}/readyz`)).status).toBe(503);
    await sendRequests(running, 2, 2);
    await until("the drops are counted", async () => (await statusOf(running)).dropped === 6);
    disk.free();
    await until("the server is ready", async () => (await fetch(`${running.url}/readyz`)).status === 200, 15_000);
    await sendRequests(running, 4, 2);
    await until("later calls are stored", async () => {
      await running.server.drain();
      return (await running.server.store.summary({})).pending === 4;
    });
  });

  it("a full disk that holds only the journal is reported before the first record is dropped", async () => {
    const data = temporaryFolder();
    await resources.open({ close: async () => rmSync(data, { recursive: true, force: true }) });
    mkdirSync(join(data, "journal"));
    const disk = mountSmallDisk(join(data, "journal"), "1m");
    await resources.open({ close: async () => disk.unmount() });
    writeFileSync(join(data, "journal", "id"), "of an earlier start\n");
    disk.fill();
    const running = await resources.open(startInFrontOf("http://127.0.0.1:9", { data }));
    expect((await fetch(`${running.url}/readyz`)).status).toBe(503);
    expect(await statusOf(running)).toMatchObject({ dropped: 0, journal_problem: expect.stringMatching(/ENOSPC/) });
  });

  // The free space determines which step fails: lock, database or journal.
  it.each([0, 4, 16, 64, 256])("prints one line and exits with 1, or starts, with %i KB left", async (free) => {
    const data = temporaryFolder();
    await resources.open({ close: async () => rmSync(data, { recursive: true, force: true }) });
    const disk = mountSmallDisk(data, "1m");
    await resources.open({ close: async () => disk.unmount() });
    const room = join(data, "room");
    writeFileSync(room, Buffer.alloc(free << 10));
    disk.fill();
    rmSync(room);
    const child = spawn(process.execPath, [BIN, "start", "--port", "0", "--data", data], { stdio: "pipe" });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      if (out.includes("Dashboard")) child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
    });
    const [code] = await once(child, "close");
    if (out.includes("Dashboard")) return;
    expect(err.trim().split("\n")).toEqual([expect.stringMatching(/disk.* full|no space left/i)]);
    expect(code).toBe(1);
  });
});

/** Ids of the calls in the JSONL files. */
function writtenOut({ data }: Running): number {
  const folder = join(data, "events");
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"));
  const ids = lines
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { type: string; event_id: string })
    .filter(({ type }) => type === "tool_call_requested")
    .map(({ event_id }) => event_id);
  return new Set(ids).size;
}
