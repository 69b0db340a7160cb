import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ServerOptions } from "../../src/cli/server/server-options.ts";
import type { AskableApi as Api } from "../../src/core/second-chance/index.ts";
import { AI_SDK_PROVIDERS, aiSdkModel, runAiSdk } from "../support/ai-sdk-clients.ts";
import { encodeBody, encodeStream } from "../support/encode-turn.ts";
import { startRawServer, until } from "../support/raw-http.ts";
import { eventsAfter } from "../support/recorded-events.ts";
import { declareTool, type PromptOptions, SDK_VARIANTS, sendPrompt } from "../support/repair-clients.ts";
import { runCommand } from "../support/run-command.ts";
import { startInFrontOf } from "../support/running.ts";
import { type Both, startForTest } from "../support/start-for-test.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, type ModelTurn, refuse, respond, say, type Turn, think, withFaults } from "../support/upstream/turn.ts";

const PARAMETERS = {
  type: "object",
  properties: { path: { type: "string" }, lines: { type: "integer" } },
  required: ["path"],
};

async function start(turns: readonly Turn[], options: Partial<ServerOptions> = {}): Promise<Both> {
  return await startForTest(inOrder(...turns), { secondChance: { mode: "on" }, ...options });
}

const USAGE = { inputTokens: 100, outputTokens: 10, cachedInputTokens: 0 };
const of = (turn: ModelTurn): ModelTurn => ({ ...turn, usage: USAGE, chunking: { characters: 5 } });
const GOOD = of(respond(call("read", { path: "b.txt" })));
const MISSING = of(respond("I look.", call("read", { lines: 5 })));
const UNKNOWN = of(respond("I look.", call("fetch_page", { url: "x" })));
const UNREADABLE = of(respond("I look.", call("read", '{"path": "a')));
const DONE = respond("Hello.");

/** Faults that each API can express: a JSON body of the Messages API cannot contain unreadable arguments. */
const HOPELESS = [
  ["missing_parameter", MISSING],
  ["unknown_tool", UNKNOWN],
  ["unreadable_arguments", UNREADABLE],
] as const;

describe.each(SDK_VARIANTS)("a turn in which no call can work: %s, stream %s", (api, stream) => {
  const options: PromptOptions = { stream, more: { tools: declareTool(api, "read", PARAMETERS) } };
  const faults = HOPELESS.filter(([reason]) => reason !== "unreadable_arguments" || api !== "anthropic" || stream);

  it.each(faults)(
    "a turn without a working call is requested again (%s), and goes back as valid history",
    async (reason, first) => {
      const running = await start([first, GOOD, DONE]);
      const turn = await sendPrompt(api, running.url, options);
      expect(turn).toMatchObject({ text: "I look.", calls: [{ name: "read", arguments: { path: "b.txt" } }] });
      expect(turn.stop).toBe({ anthropic: "tool_use", chat: "tool_calls", responses: "completed" }[api]);
      expect(await turn.sendResults()).toMatchObject({ text: "Hello." });
      expect(running.upstream.rejections).toEqual([]);
      expect(running.upstream.requests).toHaveLength(3);
      expect(await eventsAfter(running, 2, "second_chance")).toMatchObject([
        {
          reason,
          result: "healed",
          healed_by: [turn.calls[0]?.id],
          usage: { input_tokens: 100, output_tokens: 10 },
          first_usage: { input_tokens: 100, output_tokens: 10 },
        },
      ]);
      // The calls of the first response were never made: nothing waits for their results.
      expect(await eventsAfter(running, 2, "tool_call_requested")).toMatchObject([{ tool_call_id: turn.calls[0]?.id }]);
      const [response] = await eventsAfter(running, 2, "response_recorded");
      expect(response).toMatchObject({ input_tokens: 200, output_tokens: 20 });
    },
  );

  it("the second request begins with the bytes of the first", async () => {
    const { url, upstream } = await start([MISSING, GOOD]);
    await sendPrompt(api, url, options);
    const [first = "", second = ""] = upstream.requests.map(({ body }) => body.toString());
    const list = api === "responses" ? '"input":[' : '"messages":[';
    const end = first.indexOf("]", first.indexOf(list));
    expect(second.slice(0, end)).toBe(first.slice(0, end));
    expect(second).toContain("[toolmend]");
    expect(second).toContain('\\"path\\" of \\"read\\" is required and missing');
  });

  it.each([
    ["the same call again", MISSING, "no_better"],
    ["another unknown tool", of(respond(call("open", {}))), "no_better"],
    ["text, though the first response had text", of(respond("I cannot.")), "no_better"],
    ["a turn that was cut off", { ...GOOD, stopReason: "length" } as const, "no_better"],
    ["status 400", refuse(400), "rejected"],
    ["status 429", refuse(429, { retryAfter: 30 }), "rejected"],
    ["status 500", refuse(500), "rejected"],
    ["a reset", withFaults(GOOD, { kind: "reset-before-headers" }), "failed"],
    ["half of a response", withFaults(GOOD, { kind: "half-frame", ending: "abrupt" }), "failed"],
    ["something else", { kind: "raw", contentType: "text/plain", body: "hello" } as const, "failed"],
  ])("a turn is left byte for byte if the second response is %s", async (_name, second, result) => {
    const body = stream ? encodeStream(api, MISSING) : encodeBody(api, MISSING);
    const raw = { kind: "raw", contentType: stream ? "text/event-stream" : "application/json", body } as const;
    const running = await start([raw, second]);
    expect(await (await post(running.url, api, stream)).text()).toBe(body);
    expect(running.upstream.requests).toHaveLength(2);
    expect(await eventsAfter(running, 1, "second_chance")).toMatchObject([{ reason: "missing_parameter", result }]);
  });

  it("a turn is left byte for byte if the second response does not come in time", async () => {
    const body = stream ? encodeStream(api, MISSING) : encodeBody(api, MISSING);
    const raw = { kind: "raw", contentType: stream ? "text/event-stream" : "application/json", body } as const;
    const never = withFaults(GOOD, { kind: "stall" });
    const running = await start([raw, never], { secondChance: { mode: "on", timeoutMs: 300 } });
    expect(await (await post(running.url, api, stream)).text()).toBe(body);
    expect(await eventsAfter(running, 1, "second_chance")).toMatchObject([{ result: "timeout" }]);
  });

  it("a turn becomes an answer in words if the first response had none", async () => {
    const { url, upstream } = await start([of(respond(call("read", {}))), of(respond("I cannot do that."))]);
    const turn = await sendPrompt(api, url, options);
    expect(turn).toMatchObject({ text: "I cannot do that.", calls: [] });
    expect(turn.stop).toBe({ anthropic: "end_turn", chat: "stop", responses: "completed" }[api]);
    expect(upstream.requests).toHaveLength(2);
  });

  it("a turn becomes the calls of the second response, also several and with text", async () => {
    const two = of(respond("Both.", call("read", { path: "a" }), call("read", { path: "b" })));
    const running = await start([of(respond(call("read", {}), call("open", {}))), two, DONE]);
    const turn = await sendPrompt(api, running.url, options);
    expect(turn).toMatchObject({ text: "Both.", calls: [{ arguments: { path: "a" } }, { arguments: { path: "b" } }] });
    expect(await turn.sendResults()).toMatchObject({ text: "Hello." });
  });

  it("a turn is not requested again if one call can work, or none is certain to fail", async () => {
    const turns = [
      respond(call("read", { path: "a" }), call("open", {})),
      respond(call("read", { path: 5 })),
      respond(call("Read", { path: "a" })),
      respond("Words."),
    ];
    for (const turn of turns) {
      const { url, upstream } = await start([of(turn)]);
      await sendPrompt(api, url, options);
      expect(upstream.requests).toHaveLength(1);
    }
  });

  it("a turn is not requested again if it was cut off, if the option is off, or if the client says so", async () => {
    const cut = await start([{ ...MISSING, stopReason: "length" }]);
    await post(cut.url, api, stream);
    expect(cut.upstream.requests).toHaveLength(1);
    const off = await start([MISSING], { secondChance: { mode: "off" } });
    await post(off.url, api, stream);
    expect(off.upstream.requests).toHaveLength(1);
    const told = await start([MISSING]);
    await post(told.url, api, stream, {}, { "x-toolmend-second-chance": "off" });
    expect(told.upstream.requests).toHaveLength(1);
  });

  it("a turn is requested again with repair switched off", async () => {
    const { url } = await start([MISSING, GOOD], { repair: { mode: "off" } });
    expect(await sendPrompt(api, url, options)).toMatchObject({ calls: [{ arguments: { path: "b.txt" } }] });
  });

  it("the second response is repaired like the first", async () => {
    const repairable = of(respond(call("Read", '{"path": "a", "lines": "7"}')));
    const { url } = await start([MISSING, repairable]);
    const turn = await sendPrompt(api, url, options);
    expect(turn.calls).toMatchObject([{ name: "read", arguments: { path: "a", lines: 7 } }]);
  });

  it("a second response is requested at most five times in a session", async () => {
    const running = await start(Array.from({ length: 20 }, () => MISSING));
    for (let at = 0; at < 7; at += 1) await post(running.url, api, stream, {}, { "x-claude-code-session-id": "s1" });
    expect(running.upstream.requests).toHaveLength(12);
  });

  it("a turn is not requested again if the request was too large", async () => {
    const { url, upstream } = await start([MISSING], { secondChance: { mode: "on", maxInputTokens: 99 } });
    await post(url, api, stream);
    expect(upstream.requests).toHaveLength(1);
  });

  it("nothing is requested after the client has left", async () => {
    const running = await start([MISSING, withFaults(GOOD, { kind: "stall" })]);
    const controller = new AbortController();
    const pending = post(running.url, api, stream, {}, {}, controller.signal).then((response) => response.text());
    await until("the second request arrives", async () => running.upstream.requests.length === 2, 5000);
    controller.abort();
    await expect(pending).rejects.toThrow();
    const second = running.upstream.requests[1];
    await expect(second?.ended).resolves.toBeDefined();
  });
});

function bodyOf(api: Api, stream: boolean, more: object): object {
  const common = { model: "m", tools: declareTool(api, "read", PARAMETERS), stream, ...more };
  const prompt = [{ role: "user", content: "What is in a.txt?" }];
  if (api === "responses") return { store: false, input: prompt, ...common };
  return { ...(api === "anthropic" && { max_tokens: 100 }), messages: prompt, ...common };
}

const PATHS = { anthropic: "/v1/messages", chat: "/v1/chat/completions", responses: "/v1/responses" } as const;

function post(
  url: string,
  api: Api,
  stream: boolean,
  more: object = {},
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  return fetch(url + PATHS[api], {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(bodyOf(api, stream, more)),
    signal,
  });
}

describe("requests that are never asked for again", () => {
  it.each<[string, Api, object]>([
    ["conversations that the provider stores", "responses", { store: true }],
    ["conversations that continue a stored one", "responses", { previous_response_id: "resp_1" }],
    ["several choices", "chat", { n: 2 }],
    ["probabilities", "chat", { logprobs: true }],
    ["forbidden tools", "chat", { tool_choice: "none" }],
    [
      "tools that the provider runs",
      "anthropic",
      { tools: [...declareTool("anthropic", "read", PARAMETERS), { type: "web_search_20250305", name: "web_search" }] },
    ],
    [
      "tools that the provider runs, in the Responses API",
      "responses",
      { tools: [...declareTool("responses", "read", PARAMETERS), { type: "web_search" }] },
    ],
  ])("%s", async (_name, api, more) => {
    const { url, upstream } = await start([MISSING]);
    await (await post(url, api, false, more)).text();
    expect(upstream.requests).toHaveLength(1);
  });
});

describe("streams", () => {
  it.each(["anthropic", "chat", "responses"] as const)(
    "%s: text before the calls is not held, and a call that works only until it is complete",
    async (api) => {
      const slow: ModelTurn = {
        ...of(respond("I look.", call("read", { path: "a" }), call("read", { path: "b" }))),
        chunking: { characters: 1000 },
        delays: { eventMs: 40 },
      };
      const { url } = await start([slow]);
      const response = await post(url, api, true);
      const arrivals: [string, number][] = [];
      const decoder = new TextDecoder();
      const startedAt = performance.now();
      for await (const chunk of response.body ?? [])
        arrivals.push([decoder.decode(chunk), performance.now() - startedAt]);
      const at = (needle: string): number => arrivals.find(([written]) => written.includes(needle))?.[1] ?? -1;
      const end = arrivals.at(-1)?.[1] ?? 0;
      expect(at("I look.")).toBeGreaterThanOrEqual(0);
      expect(at("I look.")).toBeLessThan(end - 100);
    },
  );

  it.each([
    ["anthropic", "event: ping"],
    ["chat", ": toolmend"],
    ["responses", ": toolmend"],
  ] as const)("%s: the client gets keep-alive messages while the model is asked again", async (api, sign) => {
    const slow = { ...GOOD, delays: { headersMs: 400 } };
    const { url } = await start([MISSING, slow], { keepAliveMs: 50 });
    const written = await (await post(url, api, true)).text();
    expect(written).toContain(sign);
    expect(written).toContain("b.txt");
  });

  it("Responses: sequence numbers have no gaps, and the last event holds all items", async () => {
    const { url } = await start([MISSING, GOOD]);
    const written = await (await post(url, "responses", true)).text();
    const events = [...written.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at));
    const last = events.at(-1);
    expect(last.type).toBe("response.completed");
    expect(last.response.output.map((item: { type: string }) => item.type)).toEqual(["message", "function_call"]);
    expect(last.response.id).toBe(events[0].response.id);
    expect(last.response.usage).toMatchObject({ input_tokens: 200, output_tokens: 20, total_tokens: 220 });
    expect(written).not.toContain('\\"lines\\"');
  });

  it("Messages: thinking stays at the beginning of the turn", async () => {
    const first = of(respond({ ...think("Hm."), signature: "sig1" }, say("I look."), call("read", {})));
    const second = of(respond({ ...think("Oh."), signature: "sig2" }, call("read", { path: "b" })));
    const { url, upstream } = await start([first, second]);
    const response = await post(url, "anthropic", false, {
      thinking: { type: "enabled", budget_tokens: 1024 },
      max_tokens: 4000,
    });
    const { content } = (await response.json()) as { content: { type: string; signature?: string }[] };
    expect(content.map(({ type }) => type)).toEqual(["thinking", "text", "tool_use"]);
    expect(content[0]?.signature).toBe("sig1");
    expect(upstream.requests[1]?.body.toString()).toContain('"signature":"sig1"');
    expect(upstream.rejections).toEqual([]);
  });
});

describe.each(AI_SDK_PROVIDERS.flatMap((provider) => [false, true].map((stream) => [provider, stream] as const)))(
  "the AI SDK with %s behind the proxy, stream %s",
  (provider, stream) => {
    it.each([0, 7])("executes only the call of the second response, in writes of %i bytes", async (writeBytes) => {
      const cut = (turn: ModelTurn): ModelTurn => (writeBytes === 0 ? turn : { ...turn, writeBytes });
      const first = of(respond("I look.", call("open_file", { path: "a" }), call("read", {})));
      const second = of(respond("Now.", call("read", { path: "b.txt" })));
      const { url, upstream } = await start([cut(first), cut(second), DONE]);
      const ran = await runAiSdk({ model: aiSdkModel(provider, url), stream });
      expect(ran.executed).toEqual([{ path: "b.txt" }]);
      expect(ran.steps.map(({ finishReason, calls }) => [finishReason, calls])).toEqual([
        ["tool-calls", ["read"]],
        ["stop", []],
      ]);
      expect(ran.steps[0]?.text.replaceAll(/\s/g, "")).toBe("Ilook.Now.");
      expect([upstream.requests.length, upstream.rejections]).toEqual([3, []]);
    });
  },
);

it("a second response that switches to another protocol is not waited for", async () => {
  const body = encodeBody("chat", MISSING);
  const server = await startRawServer((socket) => {
    socket.on("data", (data) => {
      if (!data.includes("[toolmend]"))
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        );
      else socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nhello");
    });
  });
  const running = await startInFrontOf(server.url, { secondChance: { mode: "on" } });
  try {
    expect(await (await post(running.url, "chat", false)).text()).toBe(body);
  } finally {
    await running.close();
    await server.close();
  }
});

it("the second request has no idempotency key, and is sent uncompressed", async () => {
  const { url, upstream } = await start([MISSING, GOOD]);
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-encoding": "gzip",
      "idempotency-key": "k1",
      "x-own": "kept",
    },
    body: gzipSync(JSON.stringify(bodyOf("chat", false, {}))),
  });
  expect(await response.text()).toContain("b.txt");
  const [first, second] = upstream.requests.map(({ rawHeaders }) => rawHeaders);
  expect(first).toEqual(expect.arrayContaining(["idempotency-key", "content-encoding", "x-own"]));
  expect(second).toEqual(expect.arrayContaining(["x-own", "kept"]));
  expect(second?.filter((name) => ["idempotency-key", "k1", "content-encoding"].includes(name))).toEqual([]);
});

it("the added text contains no value of an argument", async () => {
  const secret = "sk-live-4eC39HqLyjWDarjtT1zdp7dc";
  const { url, upstream } = await start([of(respond(call("read", { lines: secret }))), GOOD]);
  await post(url, "chat", false);
  const messages = JSON.parse(upstream.requests[1]?.body.toString() ?? "{}").messages as { content: string }[];
  expect(messages.at(-1)?.content).toContain("[toolmend]");
  expect(messages.at(-1)?.content).not.toContain(secret);
});

it("second chances obey retry-after, and are suspended for a model with which few succeed", async () => {
  const limited = await start([MISSING, refuse(429, { retryAfter: 60 }), MISSING]);
  await post(limited.url, "chat", false);
  await post(limited.url, "chat", false);
  expect(limited.upstream.requests).toHaveLength(3);
  const failing = await start(Array.from({ length: 60 }, () => MISSING));
  for (let at = 0; at < 22; at += 1) await post(failing.url, "chat", false);
  expect(failing.upstream.requests).toHaveLength(42);
});

it("second chances appear in the API, the metrics and on the models page, with their price", async () => {
  const running = await start([MISSING, GOOD, UNKNOWN, UNKNOWN]);
  await post(running.url, "chat", false);
  await post(running.url, "chat", false);
  await eventsAfter(running, 2, "second_chance");
  const { rows } = (await (await fetch(`${running.url}/api/second-chances`)).json()) as { rows: unknown[] };
  expect(rows).toMatchObject([
    { model: "m", reason: "missing_parameter", attempts: 1, healed: 1, healed_rate: 1, input_tokens: 100 },
    { model: "m", reason: "unknown_tool", attempts: 1, healed: 0, healed_rate: 0, input_tokens: 100 },
  ]);
  const metrics = await (await fetch(`${running.url}/metrics`)).text();
  expect(metrics).toMatch(/toolmend_second_chances_total\{model="m",reason="missing_parameter",result="healed"\} 1/);
  expect(metrics).toMatch(/toolmend_second_chances_total\{model="m",reason="unknown_tool",result="no_better"\} 1/);
});

it("second chances are switched on and off while the server runs, and shown in the report", async () => {
  const running = await start([MISSING, MISSING, GOOD], { secondChance: { mode: "off" } });
  const environment = { TOOLMEND_PORT: String(new URL(running.url).port), TOOLMEND_DATA: running.data };
  await post(running.url, "chat", false);
  expect((await runCommand(["second-chance", "on", "--model", "m*"], { environment })).out).toContain(
    "on for model m*",
  );
  await post(running.url, "chat", false);
  expect(running.upstream.requests).toHaveLength(3);
  expect((await runCommand(["second-chance"], { environment })).out).toContain("on for model m*");
  await eventsAfter(running, 2, "second_chance");
  const report = await runCommand(["report"], { environment, now: Date.now });
  expect(report.out).toMatch(
    /Second chances \(.*\):\n {2}m at openai, missing parameter: 1 of 1 turn healed, \d+ ms each, 100 tokens in, 10 out\n/,
  );
});
