import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { greeting } from "../../src/cli/commands/start.ts";
import { readRuntimeSettings } from "../../src/cli/runtime-settings.ts";
import { dataFolder } from "../../src/ingest/data-folder.ts";
import { until } from "../support/raw-http.ts";
import { eventsAfter } from "../support/recorded-events.ts";
import { sendPrompt } from "../support/repair-clients.ts";
import { type Ran, runCommand } from "../support/run-command.ts";
import { getJson, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { type Both, startForTest } from "../support/start-for-test.ts";
import { inOrder } from "../support/upstream/script.ts";
import { refuse, respond, type Turn } from "../support/upstream/turn.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const UNKNOWN = LEAK.replace("read", "write");

async function start(turn: Turn, options: Parameters<typeof startForTest>[1] = {}): Promise<Both> {
  return await startForTest(() => turn, options);
}

async function calls(url: string, model = "m", api: "anthropic" | "chat" = "chat"): Promise<number> {
  return (await sendPrompt(api, url, { stream: true, more: { model } })).calls.length;
}

function choose(url: string, body: unknown, type = "application/json"): Promise<Response> {
  return fetch(`${url}/api/settings/repair`, {
    method: "POST",
    headers: { "content-type": type },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** Runs a command as a user would, with no server on the configured port. */
const toolmend = (...args: readonly string[]): Promise<Ran> =>
  runCommand(args, { environment: { TOOLMEND_PORT: "1" }, now: Date.now });

describe("the repair configuration", () => {
  it("supports modes by upstream and by model, and the model's mode wins", async () => {
    const { url } = await start(respond(LEAK), {
      repair: { mode: "known", upstreams: { openai: "off" }, models: { "qwen*": "known" } },
    });
    expect(await calls(url, "m", "anthropic")).toBe(1);
    expect(await calls(url, "gpt")).toBe(0);
    expect(await calls(url, "qwen3")).toBe(1);
  });

  it("one model alone may allow undeclared names", async () => {
    const { url } = await start(respond(UNKNOWN), { repair: { mode: "known", models: { "qwen*": "any" } } });
    expect(await calls(url, "gpt")).toBe(0);
    expect(await calls(url, "qwen3")).toBe(1);
  });
});

describe("a repair override", () => {
  it("an override applies from the next request on, within its scope", async () => {
    const { url } = await start(respond(LEAK));
    expect(await (await choose(url, { mode: "off", upstream: "openai" })).json()).toMatchObject({
      mode: "known",
      choices: [{ mode: "off", upstream: "openai" }],
    });
    expect(await calls(url)).toBe(0);
    expect(await calls(url, "m", "anthropic")).toBe(1);
    await choose(url, { mode: "known", model: "qwen*" });
    expect(await calls(url, "qwen3")).toBe(1);
    expect(await calls(url, "gpt")).toBe(0);
    await choose(url, { mode: "config" });
    expect(await calls(url)).toBe(1);
    expect(await getJson(`${url}/api/repair`)).toMatchObject({ choices: [] });
  });

  it("an override turns repair on when the server started with off", async () => {
    const { url } = await start(respond(LEAK), { repair: { mode: "off" } });
    expect(await calls(url)).toBe(0);
    await choose(url, { mode: "known" });
    expect(await calls(url)).toBe(1);
  });

  it("an override does not affect a stream in progress", async () => {
    const { url, upstream } = await start({
      ...respond(`Hi. ${LEAK}`),
      chunking: { characters: 4 },
      delays: { eventMs: 20 },
    });
    const running = sendPrompt("chat", url, { stream: true });
    await until("the response is in progress", () => (upstream.requests[0]?.sentBytes ?? 0) > 0);
    await choose(url, { mode: "off" });
    expect(await running).toMatchObject({ text: "Hi.", calls: [{ name: "read" }] });
    expect(await calls(url)).toBe(0);
  });

  it("an override survives a restart, and the start message mentions it", async () => {
    const data = temporaryFolder();
    const running = await start(respond(LEAK), { data });
    await choose(running.url, { mode: "off", model: "q*" });
    await running.server.close();
    const restarted = await startInFrontOf(running.upstream.url, { data });
    expect(await calls(restarted.url, "qwen")).toBe(0);
    expect(await calls(restarted.url, "m")).toBe(1);
    const choices = readRuntimeSettings(dataFolder(data)).repair;
    expect(greeting({ url: restarted.url, data, overrides: choices })).toMatch(
      /Repair +off for model q\*, set 20.*toolmend -- repair config/,
    );
    await restarted.close();
    rmSync(data, { recursive: true });
  });

  it("an override ends the suspensions in its scope and no others", async () => {
    const both = await startForTest(inOrder(respond(LEAK), refuse(400), respond(LEAK), respond(LEAK)));
    const turn = await sendPrompt("chat", both.url, { stream: true });
    await expect(turn.sendResults()).rejects.toThrow("400");
    await eventsAfter(both, 2, "repair_suspended");
    await choose(both.url, { mode: "known", upstream: "anthropic" });
    expect(await calls(both.url)).toBe(0);
    await choose(both.url, { mode: "known" });
    expect(await getJson(`${both.url}/api/repair`)).toMatchObject({ suspended: [], refusals: [{ http_status: 400 }] });
    expect(await calls(both.url)).toBe(1);
  });

  it.each([
    [{ mode: "sometimes" }, 400, "mode"],
    [{ mode: "off", upstream: "nobody" }, 400, "Configured: anthropic, openai"],
    [{ mode: "off", extra: 1 }, 400, "extra"],
    ["{half", 400, "not JSON"],
    [[], 400, "The body must be a JSON object"],
  ])("an invalid override gets an error with a reason: %j", async (body, status, message) => {
    const { url } = await start(respond(LEAK));
    const response = await choose(url, body);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(message);
    expect(await calls(url)).toBe(1);
  });

  it("an override is accepted only from the dashboard and local programs", async () => {
    const { url } = await start(respond(LEAK));
    expect((await choose(url, { mode: "off" }, "text/plain")).status).toBe(415);
    const foreign = await fetch(`${url}/api/settings/repair`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "http://elsewhere.example" },
      body: '{"mode":"off"}',
    });
    expect(foreign.status).toBe(403);
    expect(await calls(url)).toBe(1);
  });
});

describe("toolmend repair", () => {
  it("shows the status and sets an override", async () => {
    const { url, data } = await start(respond(LEAK), { repair: { mode: "known", models: { "gpt*": "observe" } } });
    const before = await toolmend("repair", "--data", data);
    expect(before).toMatchObject({ code: 0, err: "" });
    expect(before.out.replaceAll(/ {3,}/g, "  ").split("\n")).toEqual([
      "Configuration",
      ...["  everything  known", "  model gpt*  observe", "  everything, native calls  as for leaks"],
      "Modes",
      "  observe  leaked calls are recorded and stay text",
      "  known  leaked calls become tool calls if the request declares the tool",
      "",
    ]);
    const overridden = await toolmend("repair", "off", "--upstream", "openai", "--model", "m*", "--data", data);
    expect(overridden.out).toContain("off for upstream openai, model m*, set 20");
    expect(await calls(url)).toBe(0);
    const native = await toolmend("repair", "observe", "--calls", "--data", data);
    expect(native.out).toContain("observe for everything, native calls, set 20");
    expect((await toolmend("repair", "any", "--calls", "--data", data)).err).toContain("mode must be one of off");
    await toolmend("repair", "config", "--calls", "--data", data);
    const json = await toolmend("repair", "status", "--json", "--data", data);
    expect(JSON.parse(json.out)).toMatchObject({
      choices: [{ mode: "off", upstream: "openai", model: "m*" }],
    });
  });

  it("explains what to do when it fails", async () => {
    const data = temporaryFolder();
    const unreachable = await toolmend("repair", "--data", data);
    expect(unreachable.code).toBe(1);
    expect(unreachable.err).toContain("is not running at");
    rmSync(data, { recursive: true });
    expect((await toolmend("repair", "loudly")).code).toBe(2);
    expect((await toolmend("repair", "status", "--model", "m")).code).toBe(2);
    const running = await start(respond(LEAK));
    const wrong = await toolmend("repair", "off", "--upstream", "nobody", "--data", running.data);
    expect(wrong).toMatchObject({
      code: 1,
      err: "Upstream not found. Configured: anthropic, openai, gemini, ollama.\n",
    });
  });
});
