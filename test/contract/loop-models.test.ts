import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { anthropicModel } from "../../src/adapters/anthropic/index.ts";
import { openaiChatModel, openaiResponsesModel } from "../../src/adapters/openai/index.ts";
import {
  createToolRegistry,
  defineTool,
  type Message,
  type ModelFunction,
  runToolLoop,
} from "../../src/agent/index.ts";
import { type CollectedRun, collectRun } from "../../src/agent/testing/index.ts";
import { LEAKS } from "../support/leaks.ts";
import { collect } from "../support/model-turn.ts";
import { inOrder } from "../support/upstream/script.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";
import { call, type ModelTurn, refuse, respond, type Turn, think, withFaults } from "../support/upstream/turn.ts";

// The model functions with the real SDKs: the strict upstream rejects a history that is not valid.

let upstream: Upstream;
afterEach(() => upstream.close());

async function start(...turns: Turn[]): Promise<string> {
  upstream = await startUpstream({ script: inOrder(...turns) });
  return upstream.url;
}

const read = defineTool({
  name: "read",
  description: "Reads a file.",
  input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  run: ({ path }) => `${String(path)} says hello`,
});
const clock = defineTool({ name: "clock", input: { type: "object", properties: {} }, run: () => "noon" });
const registry = createToolRegistry([read, clock]);

const MODELS: Readonly<Record<string, (url: string) => ModelFunction>> = {
  chat: (url) => openaiChatModel(new OpenAI({ baseURL: `${url}/v1`, apiKey: "test", maxRetries: 0 }), { model: "m" }),
  responses: (url) =>
    openaiResponsesModel(new OpenAI({ baseURL: `${url}/v1`, apiKey: "test", maxRetries: 0 }), { model: "m" }),
  anthropic: (url) =>
    anthropicModel(new Anthropic({ baseURL: url, apiKey: "test", maxRetries: 0 }), { model: "m", max_tokens: 100 }),
};
const HISTORY: readonly Message[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "What is in a.txt?" },
];

function run(model: ModelFunction, messages = HISTORY): Promise<CollectedRun> {
  return collectRun(runToolLoop({ model, registry, messages }));
}

function sent(nth: number): { readonly [name: string]: unknown } {
  return JSON.parse(String(upstream.requests[nth]?.body));
}

describe.each(Object.keys(MODELS))("%s", (api) => {
  const model = MODELS[api] as (url: string) => ModelFunction;
  const cut = (turn: ModelTurn): ModelTurn => ({ ...turn, chunking: { characters: 3 } });

  it("calls tools with text and reasoning around them, and the upstream accepts every request", async () => {
    const url = await start(
      cut(respond(think("Hm."), "Let me look. 👀", call("read", { path: "a.txt" }), call("clock"))),
      cut(respond(think("And again."), call("read", { path: "ä.txt" }))),
      respond("It says hello."),
    );
    const { reason, messages } = await run(model(url));
    expect(reason).toBe("answer");
    const assistantMessages = messages.filter(({ role }) => role === "assistant");
    expect(assistantMessages.map(({ content }) => content)).toEqual(["Let me look. 👀", "", "It says hello."]);
    expect(assistantMessages.map(({ toolCalls = [] }) => toolCalls.map(({ name }) => name))).toEqual([
      ["read", "clock"],
      ["read"],
      [],
    ]);
    expect(messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual([
      "a.txt says hello",
      "noon",
      "ä.txt says hello",
    ]);
    expect([upstream.requests.length, upstream.rejections]).toEqual([3, []]);
  });

  it.each(Object.entries(LEAKS))("runs a call leaked as %s, with or without reasoning before it", async (_, leak) => {
    const url = await start(
      cut(respond(think("Hm."), `Let me look. ${leak}`)),
      cut(respond(leak)),
      respond("It says hello."),
    );
    const { reason, text, messages } = await run(model(url));
    expect([reason, text]).toEqual(["answer", "Let me look.It says hello."]);
    expect(messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual([
      "a.txt says hello",
      "a.txt says hello",
    ]);
    expect([upstream.requests.length, upstream.rejections]).toEqual([3, []]);
  });

  it("continues a conversation that another provider's model started", async () => {
    const others = Object.keys(MODELS).filter((name) => name !== api);
    let messages = HISTORY;
    for (const name of [...others, api]) {
      const url = await start(respond(think("Hm."), call("read", { path: name })), respond("So."));
      const done = await run((MODELS[name] as typeof model)(url), messages);
      expect(done.reason).toBe("answer");
      expect(upstream.rejections).toEqual([]);
      await upstream.close();
      messages = [...done.messages, { role: "user", content: "And now?" }];
    }
  });

  it("reports failed calls to the model", async () => {
    const url = await start(respond(call("write", { path: "a" }), call("read", { file: 1 })), respond("Sorry."));
    const { messages } = await run(model(url));
    expect(messages.filter(({ isError }) => isError === true)).toHaveLength(2);
    expect(JSON.stringify(sent(1))).toContain("Error: Tool 'write' not found.");
    expect(upstream.rejections).toEqual([]);
  });

  it("returns non-object arguments in a form that the upstream accepts", async () => {
    const url = await start(respond(call("read", '{"path": "a')), respond("Sorry."));
    await run(model(url));
    expect(JSON.stringify(sent(1))).toContain("unreadable_arguments");
    expect(upstream.rejections).toEqual([]);
  });

  // Anthropic has no content filter other than the refusal; for OpenAI the upstream only has the filter.
  const refused = api === "anthropic" ? "refusal" : "content-filter";
  it.each([
    ["length", "length"],
    ["refusal", refused],
    ["content-filter", refused],
    ["stop-sequence", "stop"],
  ] as const)("maps the stop reason %s to %s", async (stopReason, finish) => {
    const url = await start({ ...respond("Half"), stopReason });
    const request = { messages: HISTORY, tools: [], toolChoice: "auto", round: 1 } as const;
    const turn = await collect(model(url)({ ...request, signal: new AbortController().signal }));
    expect(turn).toMatchObject({ text: "Half", finish });
  });

  it("reports no stop reason when the stream is cut off", async () => {
    const url = await start(withFaults(cut(respond("Hello, how are you?")), { kind: "truncate", afterEvents: 5 }));
    const request = { messages: HISTORY, tools: [], toolChoice: "auto", round: 1 } as const;
    const turn = await collect(model(url)({ ...request, signal: new AbortController().signal }));
    expect(turn.finish).toBeUndefined();
  });

  it("asks for a response without calls when calls are not allowed", async () => {
    const url = await start(respond("So."));
    const request = { messages: HISTORY, tools: registry.definitions(), toolChoice: "none", round: 1 } as const;
    await collect(model(url)({ ...request, signal: new AbortController().signal }));
    expect(sent(0).tool_choice).toEqual(api === "anthropic" ? { type: "none" } : "none");
    expect(upstream.rejections).toEqual([]);
  });

  it("throws the provider's error and stops at the abort signal", async () => {
    const url = await start(refuse(429), withFaults(respond("Hello"), { kind: "stall", afterEvents: 2 }));
    const stopping = new AbortController();
    const request = { messages: HISTORY, tools: [], toolChoice: "auto", round: 1, signal: stopping.signal } as const;
    await expect(collect(model(url)(request))).rejects.toMatchObject({ status: 429 });
    const second = collect(model(url)(request));
    await expect.poll(() => upstream.requests[1]?.sentBytes ?? 0).toBeGreaterThan(0);
    stopping.abort();
    // Some SDKs end the stream, some throw: either way the run is over without a stop reason from the model.
    expect((await second.catch(() => ({ finish: undefined }))).finish).toBeUndefined();
    expect(await upstream.requests[1]?.ended).toBe("client-gone");
  });
});

describe("reasoning in the history", () => {
  it("Anthropic's thinking goes back first in its turn, with its signature", async () => {
    const url = await start(respond(think("Hm."), "Let me look.", call("read", { path: "a" })), respond("So."));
    await run(MODELS.anthropic?.(url) as ModelFunction);
    const { messages, system } = sent(1) as {
      messages: { role: string; content: { type: string }[] }[];
      system: string;
    };
    expect(system).toBe("Be brief.");
    expect(messages[1]?.content).toMatchObject([
      { type: "thinking", thinking: "Hm.", signature: expect.stringMatching(/./) },
      { type: "text", text: "Let me look." },
      { type: "tool_use", name: "read", input: { path: "a" } },
    ]);
  });

  it("OpenAI's reasoning goes back directly before the call it led to", async () => {
    const url = await start(respond(think("Hm."), call("read", { path: "a" }), call("clock")), respond("So."));
    await run(MODELS.responses?.(url) as ModelFunction);
    const { input } = sent(1) as { input: { type?: string; role?: string }[] };
    expect(input.map(({ type, role }) => type ?? role)).toEqual([
      "system",
      "user",
      "reasoning",
      "function_call",
      "function_call",
      "function_call_output",
      "function_call_output",
    ]);
  });

  it("reasoning that is neither stored nor encrypted is omitted", async () => {
    const url = await start(respond(think("Hm."), call("read", { path: "a" })), respond("So."));
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "test", maxRetries: 0 });
    await run(openaiResponsesModel(client, { model: "m", store: false }));
    expect(JSON.stringify(sent(1).input)).not.toContain("reasoning");
    expect(upstream.rejections).toEqual([]);
  });

  it("the reasoning of open models goes back unchanged", async () => {
    const url = await start(respond(think("Hm."), call("read", { path: "a" })), respond("So."));
    await run(MODELS.chat?.(url) as ModelFunction);
    const { messages } = sent(1) as { messages: object[] };
    expect(messages[2]).toMatchObject({ role: "assistant", content: null, reasoning_content: "Hm." });
  });
});
