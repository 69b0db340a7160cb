import OpenAI from "openai";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openaiChatModel } from "../../src/adapters/openai/index.ts";
import { createReporter } from "../../src/adapters/reporter/index.ts";
import { createToolRegistry, defineTool, runToolLoop, ToolError } from "../../src/agent/index.ts";
import { collectRun } from "../../src/agent/testing/index.ts";
import { recordedEvents } from "../support/recorded-events.ts";
import { type Running, startBoth, startInFrontOf } from "../support/running.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, respond } from "../support/upstream/turn.ts";

// Outcomes reported by the library, in the records of a real server: alone, and merged with what its proxy recorded.

let running: Running | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const read = defineTool({
  name: "read",
  input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  run: async ({ path }) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (path === "b.txt") throw new Error("EIO");
    return `${String(path)} says hello`;
  },
});
const hang = defineTool({ name: "hang", input: { type: "object" }, timeoutMs: 30, run: () => new Promise(() => {}) });
const NOWHERE = "http://127.0.0.1:1";

async function recorded() {
  const events = await recordedEvents(running as Running);
  return events.filter(({ type }) => type === "tool_call_recorded");
}

/** The number of recorded provider responses. */
async function responsesRecorded(where: Running): Promise<number> {
  return (await recordedEvents(where)).filter(({ type }) => type === "response_recorded").length;
}

describe("reported outcomes alone", () => {
  it("each reported call has session, agent, status and duration", async () => {
    running = await startInFrontOf(NOWHERE);
    const reporter = createReporter({
      url: running.url,
      session: "s-1",
      agent: "helper",
      model: "m",
      provider: "local",
    });
    const registry = createToolRegistry([read, hang], { hooks: reporter });
    await registry.call({ id: "call_a", name: "read", arguments: { path: "a.txt" } });
    await registry.call({ id: "call_b", name: "read", arguments: { path: "b.txt" } });
    await registry.call({ id: "call_c", name: "read", arguments: {} });
    await registry.call({ id: "call_d", name: "write", arguments: {} });
    await registry.call({ id: "call_e", name: "hang", arguments: {} });
    await registry.call({ id: "call_f", name: "hang", arguments: {} }, { signal: AbortSignal.abort() });
    await reporter.flush();
    const calls = await recorded();
    expect(calls.map(({ tool_call_id, status, category }) => [tool_call_id, status, category])).toEqual([
      ["call_a", "ok", null],
      ["call_b", "failed", "error"],
      ["call_c", "failed", "invalid_arguments"],
      ["call_d", "failed", "unknown_tool"],
      ["call_e", "failed", "timeout"],
      ["call_f", "failed", "cancelled"],
    ]);
    expect(calls[0]).toMatchObject({
      session_id: "s-1",
      agent_id: "helper",
      tool_name: "read",
      model_name: "m",
      provider: "local",
      sources: ["library"],
    });
    expect(calls[0]?.execution_time_ms).toBeGreaterThanOrEqual(15);
    // Calls that never ran have no duration.
    expect([calls[2]?.execution_time_ms, calls[3]?.execution_time_ms]).toEqual([null, null]);
  });

  it("each kind of failure has its category, regardless of the tool's or the policy's wording", async () => {
    running = await startInFrontOf(NOWHERE);
    const reporter = createReporter({ url: running.url, session: "s-1" });
    const failingTool = (name: string, error: ToolError) =>
      defineTool({ name, input: { type: "object" }, run: () => Promise.reject(error) });
    const stop = new AbortController();
    const stopped = defineTool({
      name: "stopped",
      input: { type: "object" },
      run: () => {
        stop.abort();
        return new Promise(() => {});
      },
    });
    const registry = createToolRegistry(
      [
        ...[read, stopped, failingTool("slow", new ToolError("No answer from the archive.", { kind: "timeout" }))],
        ...[
          failingTool("full", new ToolError("The basket is full.", { kind: "limit" })),
          failingTool("lost", new ToolError("No such file: 404")),
        ],
        failingTool("picky", new ToolError("Which one?", { kind: "missing_parameter" })),
      ],
      { hooks: { ...reporter, approve: ({ id }) => id !== "no" } },
    );
    await registry.call({ id: "no", name: "read", arguments: { path: "a.txt" } });
    await registry.call({ id: "stopped", name: "stopped", arguments: {} }, { signal: stop.signal });
    for (const name of ["slow", "full", "lost", "picky"]) await registry.call({ id: name, name, arguments: {} });
    await registry.call({ id: "broken", name: "read", arguments: "{{{" });
    await reporter.flush();
    const calls = await recorded();
    expect(calls.map(({ tool_call_id, phase, category }) => [tool_call_id, phase, category])).toEqual([
      ["no", "gate", "permission_denied"],
      ["stopped", "run", "cancelled"],
      ["slow", "run", "timeout"],
      ["full", "gate", "precondition"],
      ["lost", "run", "not_found"],
      ["picky", "call", "invalid_arguments"],
      ["broken", "call", "invalid_arguments"],
    ]);
  });

  it("calls stay separate when a server restarts its ids", async () => {
    running = await startInFrontOf(NOWHERE);
    const reporter = createReporter({ url: running.url, session: "s-1" });
    const registry = createToolRegistry([read], { hooks: reporter });
    for (const path of ["a.txt", "b.txt", "a.txt"])
      await registry.call({ id: "call_0", name: "read", arguments: { path } });
    await reporter.flush();
    expect((await recorded()).map(({ occurrence, status }) => [occurrence, status])).toEqual([
      [0, "ok"],
      [1, "failed"],
      [2, "ok"],
    ]);
  });

  it("calls keep their order, even when a batch ends within one millisecond", async () => {
    running = await startInFrontOf(NOWHERE);
    vi.spyOn(Date, "now").mockReturnValue(1_900_000_000_000);
    const reporter = createReporter({ url: running.url, session: "s-1" });
    const quick = defineTool({ name: "quick", input: { type: "object" }, run: () => "done" });
    const registry = createToolRegistry([quick], { hooks: reporter });
    const ids = Array.from({ length: 210 }, (_, n) => `call_${n}`);
    for (const id of ids) await registry.call({ id, name: "quick", arguments: {} });
    await reporter.flush();
    vi.restoreAllMocks();
    await running.server.drain();
    const timeline = (await (await fetch(`${running.url}/api/sessions/s-1`)).json()) as {
      calls: { tool_call_id: string }[];
    };
    expect(timeline.calls.map(({ tool_call_id }) => tool_call_id)).toEqual(ids);
  });

  it("the reporter sends outcomes without a flush, in order, many per request", async () => {
    running = await startInFrontOf(NOWHERE);
    let requests = 0;
    const counting: typeof fetch = (input, init) => {
      requests += 1;
      return fetch(input, init);
    };
    const reporter = createReporter({ url: running.url, session: "s-1", fetch: counting });
    const registry = createToolRegistry([read], { hooks: reporter });
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        registry.call({ id: `id-x${n}y`, name: "read", arguments: { path: "a.txt" } }),
      ),
    );
    await expect.poll(async () => (await recorded()).length, { timeout: 5000 }).toBe(50);
    expect(requests).toBeLessThan(5);
  });
});

describe("reported outcomes together with the proxy", () => {
  it("each call is one record, from any number of sources", async () => {
    const both = await startBoth(
      inOrder(
        respond("Let me look.", call("read", { path: "a.txt" }), call("read", { path: "b.txt" })),
        respond(call("write", {})),
        respond("So."),
      ),
    );
    running = both;
    const reporter = createReporter({ url: running.url, session: "s-2", agent: "a-1" });
    const registry = createToolRegistry([read], { hooks: reporter });
    const client = new OpenAI({ baseURL: `${running.url}/v1`, apiKey: "test", defaultHeaders: reporter.headers });
    const model = openaiChatModel(client, { model: "m" });
    await collectRun(runToolLoop({ model, registry, messages: [{ role: "user", content: "Go." }] }));
    await reporter.flush();
    // A call is emitted again when more becomes known about it.
    const latest = async () => [...new Map((await recorded()).map((event) => [event.tool_call_id, event])).values()];
    const recordedSources = async () => (await latest()).map(({ sources }) => sources);
    await expect.poll(recordedSources).toEqual(Array(3).fill(["library", "proxy"]));
    const calls = await latest();
    expect(calls.map(({ tool_name, status, agent_id }) => `${tool_name} ${status} ${agent_id}`).sort()).toEqual([
      "read failed a-1",
      "read ok a-1",
      "write failed a-1",
    ]);
    const ran = calls.find(({ status }) => status === "ok");
    expect(ran?.execution_time_ms).toBeGreaterThanOrEqual(15);
    expect(await running.server.store.sessions({})).toMatchObject([{ session_id: "s-2", calls: 3, failed: 2 }]);
    expect(await running.server.store.summary({})).toMatchObject({ calls: 3 });
  });

  it("each call is one record even when a server restarts its ids", async () => {
    const turn = (path: string) => respond(call("read", { path }, "call_0"));
    running = await startBoth(inOrder(turn("a.txt"), turn("c.txt"), turn("d.txt"), respond("So.")));
    const reporter = createReporter({ url: running.url, session: "s-3" });
    const registry = createToolRegistry([read], { hooks: reporter });
    const client = new OpenAI({ baseURL: `${running.url}/v1`, apiKey: "test", defaultHeaders: reporter.headers });
    const model = openaiChatModel(client, { model: "m" });
    await collectRun(runToolLoop({ model, registry, messages: [{ role: "user", content: "Go." }] }));
    await reporter.flush();
    await expect.poll(async () => responsesRecorded(running as Running)).toBe(4);
    expect(await running.server.store.sessions({})).toMatchObject([{ session_id: "s-3", calls: 3, failed: 0 }]);
    expect((await recorded()).every(({ tool_call_id }) => tool_call_id === "call_0")).toBe(true);
  });
});

describe("a reporter whose server is unavailable", () => {
  it("an unavailable server does not slow the loop down, and dropped outcomes are counted", async () => {
    const lost: [number, string][] = [];
    const reporter = createReporter({
      url: NOWHERE,
      session: "s-1",
      fetch: () => Promise.resolve(new Response("no", { status: 403 })),
      onDropped: (count, reason) => {
        lost.push([count, reason]);
        throw new Error("listener");
      },
    });
    const registry = createToolRegistry([read], { hooks: reporter });
    expect(await registry.call({ id: "x", name: "read", arguments: { path: "a" } })).toMatchObject({ ok: true });
    await reporter.flush();
    expect(lost).toEqual([[1, "the server responded with 403: no"]]);
  });

  it("the reporter retries", async () => {
    running = await startInFrontOf(NOWHERE);
    let failures = 2;
    const flaky: typeof fetch = (input, init) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new TypeError("fetch failed")) : fetch(input, init);
    };
    const reporter = createReporter({ url: running.url, session: "s-1", fetch: flaky });
    const registry = createToolRegistry([read], { hooks: reporter });
    await registry.call({ id: "x", name: "read", arguments: { path: "a" } });
    await reporter.flush();
    expect(await recorded()).toHaveLength(1);
  });

  it("the reporter waits once for a server that stays unavailable, not once per batch", async () => {
    let requests = 0;
    let lost = 0;
    const reporter = createReporter({
      url: NOWHERE,
      session: "s-1",
      onDropped: (count) => {
        lost += count;
      },
      fetch: () => {
        requests += 1;
        return Promise.reject(new TypeError("fetch failed"));
      },
    });
    const registry = createToolRegistry([], { hooks: reporter });
    for (let n = 0; n < 450; n += 1) await registry.call({ id: `x${n}`, name: "none", arguments: {} });
    await reporter.flush();
    expect([requests, lost]).toEqual([6, 450]);
  });

  it("the reporter queues a limited number of outcomes, the newest", async () => {
    const bodies: string[] = [];
    let lost = 0;
    const reporter = createReporter({
      url: NOWHERE,
      session: "s-1",
      onDropped: (count) => {
        lost += count;
      },
      fetch: async (_, init) => {
        bodies.push(String(init?.body));
        return new Response("{}");
      },
    });
    const registry = createToolRegistry([], { hooks: reporter });
    const calls = Array.from({ length: 2500 }, (_, n) => registry.call({ id: `x${n}`, name: "none", arguments: {} }));
    await Promise.all(calls);
    await reporter.flush();
    const ids = bodies.join("").match(/"tool_call_id":"x\d+"/g) ?? [];
    expect([lost, ids.length, ids[0]]).toEqual([500, 2000, '"tool_call_id":"x500"']);
  });

  it("the reporter rejects invalid settings immediately", () => {
    expect(() => createReporter({ url: NOWHERE, session: "two words" })).toThrow("'session' must be");
    expect(() => createReporter({ url: "here", session: "s" })).toThrow();
  });
});
