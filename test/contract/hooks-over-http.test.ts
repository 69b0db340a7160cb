import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ServerOptions } from "../../src/cli/server/server-options.ts";
import {
  basePayload,
  batchOf,
  CALLS,
  eventsAfterCall,
  eventsBeforeCall,
  followUps,
  hookEvents,
  SESSION,
} from "../support/hook-session.ts";
import { type Running, startBoth, temporaryFolder } from "../support/running.ts";
import { type StoredCall, storedCalls } from "../support/stored-calls.ts";

let running: Running | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(options: Partial<ServerOptions> = {}): Promise<Running> {
  running = await startBoth(() => ({ kind: "answer", blocks: [{ kind: "text", text: "Noted." }] }), options);
  return running;
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

async function hook(url: string, payload: unknown, agent = "claude-code"): Promise<void> {
  const response = await post(`${url}/hooks/${agent}`, payload);
  expect([response.status, await response.text()]).toEqual([200, "{}"]);
}

async function send(url: string, body: unknown, agent?: string): Promise<void> {
  const response = await post(`${url}/v1/messages`, body, {
    "anthropic-version": "2023-06-01",
    "x-api-key": "k",
    "user-agent": "claude-cli/2.1.325 (external, sdk-cli)",
    "x-claude-code-session-id": SESSION,
    ...(agent !== undefined && { "x-claude-code-agent-id": agent }),
  });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
}

const ends = (calls: readonly StoredCall[]): readonly string[] =>
  calls.map(({ tool_call_id, status, phase, category }) => `${tool_call_id} ${status} ${phase} ${category}`);
const EXPECTED = [...CALLS]
  .sort((a, b) => (a.id < b.id ? -1 : 1))
  .map(({ id, ends: end, category }) => (end === "ok" ? `${id} ok null null` : `${id} failed ${end} ${category}`));

const metric = async (url: string, line: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = text.split("\n").find((one) => one.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
};

describe("POST /hooks/claude-code", () => {
  it.each([true, false])(
    "hooks alone record every way a call of a session can end; with PreToolUse: %s",
    async (pre) => {
      const { url } = await start();
      for (const event of hookEvents({ pre })) await hook(url, event);
      expect(ends(await storedCalls(running as Running))).toEqual(EXPECTED);
    },
  );

  it("everything delivered twice is recorded and counted once (K4)", async () => {
    const { url } = await start();
    for (const event of hookEvents()) for (const _ of [1, 2]) await hook(url, event);
    expect(ends(await storedCalls(running as Running))).toEqual(EXPECTED);
    const counted =
      'toolmend_tool_calls_total{provider="anthropic",model="unknown",tool_name="Telepathy",outcome="failed"}';
    expect(await metric(url, counted)).toBe(1);
  });

  it("ten concurrent events of one session are recorded as ten calls (K7)", async () => {
    const { url } = await start();
    const [call] = CALLS;
    if (call === undefined) throw new Error("no call");
    const events = Array.from({ length: 10 }, (_, n) =>
      eventsAfterCall({ ...call, id: `toolu_at_once_x${n}y` }),
    ).flat();
    await Promise.all(events.map((event) => hook(url, event)));
    expect(await storedCalls(running as Running)).toHaveLength(10);
  });

  it("Stop after a turn does not end the session: the next turn belongs to it and its scores cover all calls (K1, K9)", async () => {
    const { url, server } = await start();
    const [first, second] = CALLS;
    if (first === undefined || second === undefined) throw new Error("no calls");
    for (const event of [
      ...eventsAfterCall(first),
      basePayload("Stop"),
      ...eventsAfterCall(second),
      basePayload("Stop"),
    ])
      await hook(url, event);
    await server.drain();
    const sessions = await server.store.sessions({ limit: 10 });
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({ session_id: SESSION, calls: 2, failed: 1 });
  });

  it("each call seen by hook and proxy is one record with the hook's duration and the proxy's model", async () => {
    const { url } = await start();
    const events = hookEvents({ pre: true });
    const requests = followUps();
    // A request follows each batch of calls, as in the real client.
    let next = 0;
    for (const event of events) {
      await hook(url, event);
      if (event.hook_event_name === "PostToolBatch") await send(url, requests[next++]);
    }
    const calls = await storedCalls(running as Running);
    expect(ends(calls)).toEqual(EXPECTED);
    expect(new Set(calls.map(({ session_id, agent_id }) => `${session_id} ${agent_id}`))).toEqual(
      new Set([`${SESSION} root`]),
    );
    const failedRun = calls.find(({ tool_call_id }) => tool_call_id === "toolu_acFails03");
    expect(failedRun).toMatchObject({ avg_execution_time_ms: 34, model_name: "claude-test-5" });
    const sources = await (running as Running).server.store.sessions({ limit: 1 });
    expect(sources[0]?.calls).toBe(CALLS.length);
  });

  it("a subagent's call seen by hook and proxy is one record in its own thread (K12)", async () => {
    const { url } = await start();
    const [call] = CALLS;
    if (call === undefined) throw new Error("no call");
    for (const event of eventsAfterCall(call)) await hook(url, { ...event, agent_id: "sub1", agent_type: "explorer" });
    await send(url, followUps()[0], "sub1");
    const calls = await storedCalls(running as Running);
    expect(calls.filter(({ tool_call_id }) => tool_call_id === call.id)).toHaveLength(1);
    expect(calls.every(({ agent_id }) => agent_id === "sub1")).toBe(true);
  });

  it("a started call without a result is incomplete when its session ends, across a restart too (K8)", async () => {
    const data = temporaryFolder();
    const [call] = CALLS as [(typeof CALLS)[number]];
    try {
      const before = await start({ data });
      for (const event of eventsBeforeCall(call)) await hook(before.url, event);
      await before.server.drain();
      expect(await storedCalls(before)).toEqual([]);
      await before.close();
      const after = await start({ data, sweepMs: 20 });
      await hook(after.url, { ...basePayload("SessionEnd"), reason: "other" });
      await expect.poll(async () => ends(await storedCalls(after))).toEqual([`${call.id} failed run incomplete`]);
      expect(await after.server.store.sessions({})).toMatchObject([{ calls: 1, failed: 1, health: "degraded" }]);
    } finally {
      await running?.close();
      running = undefined;
      rmSync(data, { recursive: true });
    }
  });

  it.each([
    ["malformed JSON", "{"],
    ["nothing", ""],
    ["a list", "[]"],
    ["an event without a session", JSON.stringify({ hook_event_name: "Stop" })],
  ])("%s is acknowledged with {} and counted", async (_, body) => {
    const { url, server } = await start();
    await hook(url, body);
    await server.drain();
    expect(await metric(url, 'toolmend_hook_events_total{agent="claude-code",result="unreadable"}')).toBe(1);
  });

  it("an unknown agent is acknowledged with {} and counted", async () => {
    const { url } = await start();
    await hook(url, {}, "nobody");
    expect(await metric(url, 'toolmend_hook_events_total{agent="unknown",result="unreadable"}')).toBe(1);
  });

  it("an oversized event is acknowledged with {} and counted, and the next one is read", async () => {
    const { url } = await start();
    await hook(url, { ...basePayload("Stop"), last_assistant_message: "x".repeat(17 << 20) });
    for (const event of eventsAfterCall(CALLS[0] as (typeof CALLS)[number])) await hook(url, event);
    expect(await storedCalls(running as Running)).toHaveLength(1);
    expect(await metric(url, 'toolmend_hook_events_total{agent="claude-code",result="unreadable"}')).toBe(1);
  });

  it("the response does not wait for the store (K14)", async () => {
    const { url, server } = await start();
    const apply = server.store.apply.bind(server.store);
    const answered = Promise.withResolvers<void>();
    server.store.apply = async (batch) => {
      await answered.promise;
      return await apply(batch);
    };
    for (const event of hookEvents()) await hook(url, event);
    answered.resolve();
    server.store.apply = apply;
    expect((await storedCalls(running as Running)).length).toBeGreaterThan(0);
  });

  it("cross-site requests and other content types are rejected before the body is read", async () => {
    const { url } = await start();
    const text = await fetch(`${url}/hooks/claude-code`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "text/plain" },
    });
    expect(text.status).toBe(415);
    const foreign = await post(`${url}/hooks/claude-code`, basePayload("Stop"), { origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    expect((await fetch(`${url}/hooks/claude-code`)).status).toBe(405);
  });

  it("a server with a token requires it, in a header or in the URL", async () => {
    const token = "a-token-of-some-length";
    const { url } = await start({ token });
    expect((await post(`${url}/hooks/claude-code`, basePayload("Stop"))).status).toBe(401);
    const headers = { "x-toolmend-token": token };
    expect((await post(`${url}/hooks/claude-code`, basePayload("Stop"), headers)).status).toBe(200);
    expect((await post(`${url}/~${token}/hooks/claude-code`, basePayload("Stop"))).status).toBe(200);
  });

  it("x-toolmend-record: off is respected, and a project can be set", async () => {
    const { url, server } = await start();
    const [call] = CALLS;
    if (call === undefined) throw new Error("no call");
    for (const event of eventsAfterCall(call)) {
      await post(`${url}/hooks/claude-code`, event, { "x-toolmend-record": "off" });
      await post(`${url}/hooks/claude-code`, event, { "x-toolmend-project": "blue" });
    }
    await server.drain();
    const sessions = await server.store.sessions({ limit: 10 });
    expect(sessions.map(({ calls }) => calls)).toEqual([1]);
    expect((await server.store.summary({ project: "blue" })).calls).toBe(1);
  });

  it("neither prompts nor the text of successful calls are written anywhere (K13)", async () => {
    const { url, server, data } = await start();
    const [call] = CALLS;
    if (call === undefined) throw new Error("no call");
    const secret = "heliotrope";
    const successful = { ...call, text: secret, response: { stdout: secret, stderr: "", interrupted: false } };
    await hook(url, { ...basePayload("UserPromptSubmit"), prompt: secret });
    for (const event of [batchOf([successful]), ...eventsBeforeCall(successful), ...eventsAfterCall(successful)])
      await hook(url, event);
    await server.drain();
    const files = readdirSync(data, { recursive: true, encoding: "utf8", withFileTypes: true });
    const written = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    expect(written.length).toBeGreaterThan(2);
    expect(written.filter((file) => existsSync(file) && readFileSync(file, "latin1").includes(secret))).toEqual([]);
  });
});

/** Payloads in the shape that each agent documents; none was run against the agent itself. */
const DOCUMENTED = {
  codex: [
    {
      ...{ session_id: "019c-codex", transcript_path: null, cwd: "/srv", hook_event_name: "PostToolUse" },
      ...{ model: "gpt-test-codex", permission_mode: "default", turn_id: "t1", tool_name: "Bash" },
      ...{
        tool_input: { command: "make" },
        tool_use_id: "call_Ab12Cd34Ef56",
        tool_response: "Process exited with code 2\nmake: *** [all] Error 2",
      },
    },
  ],
  gemini: [
    {
      ...{ session_id: "gem-1", transcript_path: "/t.json", cwd: "/srv", hook_event_name: "AfterTool" },
      ...{ timestamp: "2026-03-10T12:00:00.000Z", tool_name: "read_file", tool_input: { path: "a.txt" } },
      tool_response: {
        llmContent: "",
        returnDisplay: "",
        error: { message: "File not found: a.txt", type: "file_not_found" },
      },
    },
  ],
  opencode: [
    {
      type: "message.part.updated",
      model: "qwen-test",
      properties: {
        part: {
          ...{
            id: "prt_1",
            sessionID: "ses_1",
            messageID: "msg_1",
            type: "tool",
            callID: "call_Zz98Yy76Xx54",
            tool: "bash",
          },
          state: {
            ...{ status: "completed", input: { command: "make" }, output: "make: *** [all] Error 2", title: "make" },
            ...{ metadata: { exit: 2 }, time: { start: 1_773_144_000_000, end: 1_773_144_000_250 } },
          },
        },
      },
    },
  ],
} as const;

describe("POST /hooks/<agent> with payloads as documented", () => {
  it.each([
    ["codex", { session_id: "019c-codex", tool_name: "Bash", model_name: "gpt-test-codex", status: "failed" }],
    ["gemini", { session_id: "gem-1", tool_name: "read_file", status: "failed", category: "not_found" }],
    [
      "opencode",
      {
        session_id: "ses_1",
        tool_name: "bash",
        model_name: "qwen-test",
        status: "failed",
        phase: "run",
        avg_execution_time_ms: 250,
      },
    ],
  ] as const)(
    "%s: the call and its failure are recorded once, even when delivered repeatedly",
    async (agent, expected) => {
      const { url } = await start();
      for (const payload of DOCUMENTED[agent]) for (const _ of [1, 2]) await hook(url, payload, agent);
      const calls = await storedCalls(running as Running);
      expect(calls).toHaveLength(1);
      expect(calls[0]).toMatchObject(expected);
    },
  );
});
