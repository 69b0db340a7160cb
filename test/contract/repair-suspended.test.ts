import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { doctorCommand } from "../../src/cli/commands/doctor.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/raw-http.ts";
import { eventsAfter, recordedEvents } from "../support/recorded-events.ts";
import { type PromptOptions, sendPrompt } from "../support/repair-clients.ts";
import { getJson, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { type Both, startForTest } from "../support/start-for-test.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, refuse, respond, type Turn } from "../support/upstream/turn.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const KEY = "sk-live-0123456789abcdef";
const REFUSED = refuse(400, { message: `messages.1: unexpected id, key ${KEY}` });

async function start(turns: readonly Turn[], options: Parameters<typeof startForTest>[1] = {}): Promise<Both> {
  return await startForTest(inOrder(...turns), options);
}

interface RepairResponse {
  readonly suspended: readonly object[];
  readonly refusals: readonly object[];
}

/** Repairs a call, then has the upstream reject the request that contains it. */
async function repairAndReject(
  url: string,
  api: "anthropic" | "chat" | "responses",
  promptOptions: PromptOptions,
): Promise<void> {
  const response = await sendPrompt(api, url, promptOptions);
  expect(response.calls).toHaveLength(1);
  await expect(response.sendResults()).rejects.toThrow("400");
}

describe.each(["anthropic", "chat", "responses"] as const)("repair that is suspended: %s", (api) => {
  const promptOptions: PromptOptions = { stream: true };
  const provider = api === "anthropic" ? "anthropic" : "openai";

  it("a rejected request with a repaired call suspends its upstream and model", async () => {
    const running = await start([respond(LEAK), REFUSED, respond(LEAK), respond(LEAK)]);
    await repairAndReject(running.url, api, promptOptions);
    await until("repair is suspended", async () => {
      const { suspended } = await getJson<RepairResponse>(`${running.url}/api/repair`);
      return suspended.length === 1;
    });
    expect(await sendPrompt(api, running.url, promptOptions)).toMatchObject({ text: LEAK, calls: [] });
    expect(await sendPrompt(api, running.url, { ...promptOptions, more: { model: "another" } })).toMatchObject({
      calls: [{ name: "read" }],
    });
    expect(await eventsAfter(running, 4, "leak_left")).toMatchObject([{ reason: "suspended", model_name: "m" }]);
    const [event] = await eventsAfter(running, 4, "repair_suspended");
    expect(event).toMatchObject({ provider, model_name: "m", http_status: 400 });
    expect(event?.message).toContain("unexpected id, key [key]");
    expect(JSON.stringify(await recordedEvents(running))).not.toContain(KEY);
  });

  it("a suspension continues after a restart, until it expires", async () => {
    const data = temporaryFolder();
    let now = Date.UTC(2026, 2, 10, 12);
    const options = { data, now: () => now, repair: { mode: "known", suspendForMs: 3_600_000 } } as const;
    const running = await start([respond(LEAK), REFUSED, respond(LEAK), respond(LEAK)], options);
    await repairAndReject(running.url, api, promptOptions);
    await eventsAfter(running, 2, "repair_suspended");
    await running.server.close();
    const restarted = await startInFrontOf(running.upstream.url, options);
    now += 3_599_000;
    expect(await sendPrompt(api, restarted.url, promptOptions)).toMatchObject({ text: LEAK, calls: [] });
    now += 1000;
    expect((await sendPrompt(api, restarted.url, promptOptions)).calls).toHaveLength(1);
    await restarted.close();
    rmSync(data, { recursive: true });
  });
});

it("repair is suspended for the session too, with any model", async () => {
  const running = await start([respond(LEAK), REFUSED, respond(LEAK), respond(LEAK)]);
  const response = await sendPrompt("chat", running.url, { stream: false });
  await expect(response.sendResults()).rejects.toThrow("400");
  await eventsAfter(running, 2, "repair_suspended");
  const suspended = (await recordedEvents(running)).find(({ type }) => type === "repair_suspended");
  const session_id = suspended?.session_id as string;
  const post = (headers: Record<string, string>) =>
    fetch(`${running.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({
        model: "another",
        messages: [{ role: "user", content: "Hi" }],
        tools: [{ type: "function", function: { name: "read", parameters: { type: "object" } } }],
      }),
    });
  expect((await post({ "x-toolmend-session": session_id })).headers.get("x-toolmend-mended")).toBeNull();
  expect((await post({ "x-toolmend-session": "someone-else" })).headers.get("x-toolmend-mended")).toBe("1");
});

it("repair is not suspended by rejections unrelated to a repaired call", async () => {
  const running = await start([
    respond(call("read", { path: "a.txt" })),
    REFUSED,
    respond(LEAK),
    refuse(400, { message: "prompt is too long: 210000 tokens > 200000 maximum" }),
    respond(LEAK),
    refuse(500),
    respond(LEAK),
  ]);
  for (const status of ["400", "400", "500"]) {
    const response = await sendPrompt("anthropic", running.url, { stream: true });
    await expect(response.sendResults()).rejects.toThrow(status);
  }
  expect((await sendPrompt("anthropic", running.url, { stream: true })).calls).toHaveLength(1);
  expect(await eventsAfter(running, 7, "repair_suspended")).toEqual([]);
});

it("a repaired call is recognized after a restart, from the store", async () => {
  const data = temporaryFolder();
  const port = await freePort();
  const running = await start([respond(LEAK), REFUSED], { data, port });
  const response = await sendPrompt("chat", running.url, { stream: false });
  await running.server.close();
  const restarted = await startInFrontOf(running.upstream.url, { data, port });
  await expect(response.sendResults()).rejects.toThrow("400");
  await until("repair is suspended", async () => {
    const { refusals } = await getJson<RepairResponse>(`${restarted.url}/api/repair`);
    return refusals.length === 1;
  });
  expect((await getJson<RepairResponse>(`${restarted.url}/api/repair`)).suspended).toMatchObject([
    { provider: "openai", model: "m" },
  ]);
  await restarted.close();
  rmSync(data, { recursive: true });
});

it("doctor reports a suspension with the upstream's message and the next step", async () => {
  const running = await start([respond(LEAK), REFUSED]);
  await repairAndReject(running.url, "chat", { stream: true });
  await eventsAfter(running, 2, "repair_suspended");
  let out = "";
  const io = { out: (text: string) => (out += text), err: () => undefined, environment: {} };
  await doctorCommand({ data: running.data, json: true }, { ...io, isTerminal: false, width: 100, now: Date.now });
  const { findings } = JSON.parse(out) as { findings: readonly { check: string }[] };
  expect(findings.find(({ check }) => check === "repair")).toMatchObject({
    status: "warning",
    detail: expect.stringContaining(
      "suspended for openai m; the upstream rejected a repaired call with 400: invalid_request_error",
    ),
    advice: expect.stringContaining("toolmend -- repair known"),
  });
});

it("the upstream's message is not stored with capture set to none", async () => {
  const running = await start([respond(LEAK), REFUSED], { capture: "none" });
  await repairAndReject(running.url, "chat", { stream: true });
  expect(await eventsAfter(running, 2, "repair_suspended")).toMatchObject([{ message: null, http_status: 400 }]);
});
