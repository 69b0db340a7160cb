import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { callObservation, lines, NOON, OK, result } from "../support/observations.ts";
import { runCommand } from "../support/run-command.ts";
import { type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { troubledSession } from "../support/troubled-session.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function server(options: Parameters<typeof startInFrontOf>[1] = {}): Promise<Running> {
  const running = await startInFrontOf("http://127.0.0.1:9", { now: () => NOON + 60_000, ...options });
  closing.push(() => running.close());
  return running;
}

/** Calls in the format that other programs post. */
async function send({ url, server: { drain } }: Running, ...calls: readonly object[]): Promise<void> {
  const headers = { "content-type": "application/x-ndjson", "x-toolmend-token": TOKEN };
  const response = await fetch(`${url}/api/ingest`, { method: "POST", headers, body: lines(...calls) });
  expect(await response.json()).toMatchObject({ accepted: calls.length });
  await drain();
}

const TOKEN = "a-token-of-enough-letters";
const rawCall = (n: number, tool_name: string, content: string, is_error: boolean): object => ({
  ...{ session_id: "troubled", tool_call_id: `toolu_${n}aaaaaaaaaaa`, tool_name, content, is_error },
  occurred_at: NOON + n * 1000,
});

/** Observations in the format that the recorder stores. */
async function store({ server: { store: into } }: Running, ...observations: readonly object[]): Promise<void> {
  await into.apply({ journal: "test", position: "1", live: true, lines: lines(...observations) });
}

const other = callObservation({ session_id: "other", tool_call_id: "toolu_zzzzzzzzzzzz", result: result("x", OK) });
const old = { occurred_at: NOON - 40 * 86_400_000, seen_at: NOON };

describe("while the server runs", () => {
  it("report, sessions and show print its data", async () => {
    const running = await server();
    await store(running, ...troubledSession(), other);
    for (const args of [["report"], ["sessions"], ["show", "troubled"]]) {
      const { code, out, err } = await runCommand([...args, "--data", running.data]);
      expect([code, err]).toEqual([0, ""]);
      expect(out).toMatch(/\S/);
    }
  });

  it("delete uses the running server and removes the session from the totals", async () => {
    const running = await server();
    await store(running, ...troubledSession(), other);
    const { code, out, err } = await runCommand(["delete", "troubled", "--json", "--data", running.data]);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toEqual({
      ...{ deleted: 1, calls: 7, event_lines: expect.any(Number), event_files: 0, exported: 0 },
      ...{ journal_segments: expect.any(Number), took_ms: expect.any(Number) },
    });
    expect(await running.server.store.summary({})).toMatchObject({ calls: 1, failed: 0, sessions: 1 });
    const second = await runCommand(["delete", "troubled", "--data", running.data]);
    expect(second.code).toBe(1);
    expect(second.err).toMatch(/^Session troubled not found\. Use the complete id/);
    expect(second.err).toContain(`sessions --json --data ${running.data}`);
  });

  it("delete --older removes sessions and keeps them in the totals", async () => {
    const running = await server();
    await store(running, ...troubledSession(old), other);
    const { out } = await runCommand(["delete", "--older", "30d", "--data", running.data]);
    expect(out).toMatch(
      /^Deleted 1 session: 7 calls, \d+ event lines, \d+ journal segments?\. It took \d+\.\d s\.\nAggregated totals and rates still include them\.\nExports that were already sent cannot be recalled\.\n$/,
    );
    expect((await running.server.store.sessions({})).map(({ session_id }) => session_id)).toEqual(["other"]);
    expect(await running.server.store.breakdown("tool", {})).toHaveLength(4);
  });

  it("delete accepts an id that needs URL encoding, and a token", async () => {
    const running = await server({ token: TOKEN });
    await send(running, { session_id: "a:b@c", tool_call_id: "toolu_aaaaaaaaaaaa" });
    const args = ["delete", "a:b@c", "--data", running.data];
    const refused = await runCommand(args);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("token")]);
    const { code, err } = await runCommand(args, { environment: { TOOLMEND_TOKEN: TOKEN } });
    expect([code, err]).toEqual([0, ""]);
  });

  it("the server rejects a delete from a cross-site page", async () => {
    const running = await server();
    await store(running, other);
    const headers = { origin: "https://evil.example" };
    const response = await fetch(`${running.url}/api/sessions/other`, { method: "DELETE", headers });
    expect(response.status).toBe(403);
    expect(await running.server.store.summary({})).toMatchObject({ sessions: 1 });
  });

  it("tail prints calls as they are recorded until the server stops", async () => {
    const running = await startInFrontOf("http://127.0.0.1:9", { now: () => NOON, data: temporaryFolder() });
    closing.push(() => rmSync(running.data, { recursive: true, force: true }));
    const tails = [["tail"], ["tail", "--failed", "--tool", "Glob", "--json"]].map((args) =>
      runCommand([...args, "--data", running.data]),
    );
    await wait(300);
    await send(running, rawCall(1, "Read", "fine", false), rawCall(2, "Glob", "Error: no such folder", true));
    await running.close();
    const [all, filtered] = await Promise.all(tails);
    expect(all?.out.split("\n").filter((line) => /[✓✗]/.test(line))).toEqual([
      "12:00:01 troubled                 ✓ Read",
      "12:00:02 troubled                 ✗ [NOT_FOUND] Glob - Error: no such folder",
    ]);
    expect([all?.code, all?.err]).toEqual([0, "The server has stopped.\n"]);
    const events = (filtered?.out ?? "")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(events).toMatchObject([{ type: "tool_call_recorded", tool_name: "Glob", status: "failed" }]);
  });
});

describe("while no server runs", () => {
  it("delete takes the writer lock and releases it", async () => {
    const data = temporaryFolder();
    closing.push(() => rmSync(data, { recursive: true, force: true }));
    const store = openSqliteStore(join(data, "toolmend.db"));
    await store.apply({ journal: "j", position: "1", live: true, lines: lines(...troubledSession(), other) });
    await store.close();
    expect((await runCommand(["delete", "troubled", "--json", "--data", data])).out).toMatch(/^\{"deleted":1,/);
    expect((await runCommand(["delete", "other", "--json", "--data", data])).out).toMatch(/^\{"deleted":1,/);
    expect((await runCommand(["sessions", "--json", "--data", data])).out).toBe("[]\n");
    expect(existsSync(join(data, "server.json"))).toBe(false);
  });

  it("the journal does not bring a deleted session back", async () => {
    const data = temporaryFolder();
    closing.push(() => rmSync(data, { recursive: true, force: true }));
    const running = await startInFrontOf("http://127.0.0.1:9", { now: () => NOON, data });
    await send(running, rawCall(1, "Read", "fine", false), { session_id: "other", tool_call_id: "toolu_bbbbbbbbbbbb" });
    await running.close();
    // State after a crash: the rows are gone, the journal still has them.
    for (const file of ["toolmend.db", "toolmend.db-wal", "toolmend.db-shm"]) rmSync(join(data, file), { force: true });
    expect((await runCommand(["delete", "troubled", "--json", "--data", data])).out).toMatch(/^\{"deleted":1,/);
    const restarted = await startInFrontOf("http://127.0.0.1:9", { now: () => NOON, data });
    closing.push(() => restarted.close());
    expect((await restarted.server.store.sessions({})).map(({ session_id }) => session_id)).toEqual(["other"]);
  });
});

describe("a server that requires a token", () => {
  const otlp = { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" } };
  it.each([["delete", "--older", "30d"], ["repair"], ["repair", "off"], ["export", "otlp"], ["tail"]])(
    "%s %s names the variable to set when the token is missing",
    async (...args) => {
      const running = await server({ token: TOKEN });
      const { code, err } = await runCommand([...args, "--data", running.data], otlp);
      expect([code, err]).toEqual([1, "Unauthorized. Set TOOLMEND_TOKEN to the token the server was started with.\n"]);
    },
  );
});

it("export explains what to do when the server was started without that target", async () => {
  const running = await server();
  const { code, err } = await runCommand(["export", "otlp", "--data", running.data], {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" },
  });
  expect([code, err]).toEqual([
    1,
    `The server at ${running.url} was started without \`--export otlp\`, and only the server may export while it runs. Restart it with that option, or stop it and run this command again.\n`,
  ]);
});
