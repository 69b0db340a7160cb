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
import { type AnswerTurn, answer, call, refuse, type Turn, think, withFaults } from "../support/upstream/turn.ts";

// The model functions with the real SDKs: the strict upstream says whether a history goes back as it should.

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
  const cut = (turn: AnswerTurn): AnswerTurn => ({ ...turn, chunking: { characters: 3 } });

  it("calls tools, with text and thinking around them, and every request is taken", async () => {
    const url = await start(
      cut(answer(think("Hm."), "Let me look. 👀", call("read", { path: "a.txt" }), call("clock"))),
      cut(answer(think("And again."), call("read", { path: "ä.txt" }))),
      answer("It says hello."),
    );
    const { reason, messages } = await run(model(url));
    expect(reason).toBe("answer");
    const said = messages.filter(({ role }) => role === "assistant");
    expect(said.map(({ content }) => content)).toEqual(["Let me look. 👀", "", "It says hello."]);
    expect(said.map(({ toolCalls = [] }) => toolCalls.map(({ name }) => name))).toEqual([
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

  it.each(Object.entries(LEAKS))("runs a call leaked as %s, thinking before it or not", async (_, leak) => {
    const url = await start(
      cut(answer(think("Hm."), `Let me look. ${leak}`)),
      cut(answer(leak)),
      answer("It says hello."),
    );
    const { reason, text, messages } = await run(model(url));
    expect([reason, text]).toEqual(["answer", "Let me look.It says hello."]);
    expect(messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual([
      "a.txt says hello",
      "a.txt says hello",
    ]);
    expect([upstream.requests.length, upstream.rejections]).toEqual([3, []]);
  });

  it("goes on with a conversation that began with the others", async () => {
    const others = Object.keys(MODELS).filter((name) => name !== api);
    let messages = HISTORY;
    for (const name of [...others, api]) {
      const url = await start(answer(think("Hm."), call("read", { path: name })), answer("So."));
      const done = await run((MODELS[name] as typeof model)(url), messages);
      expect(done.reason).toBe("answer");
      expect(upstream.rejections).toEqual([]);
      await upstream.close();
      messages = [...done.messages, { role: "user", content: "And now?" }];
    }
  });

  it("tells the model of calls that failed", async () => {
    const url = await start(answer(call("write", { path: "a" }), call("read", { file: 1 })), answer("Sorry."));
    const { messages } = await run(model(url));
    expect(messages.filter(({ isError }) => isError === true)).toHaveLength(2);
    expect(JSON.stringify(sent(1))).toContain("Error: Tool 'write' not found.");
    expect(upstream.rejections).toEqual([]);
  });

  it("gives back arguments that are no object so that the request is still taken", async () => {
    const url = await start(answer(call("read", '{"path": "a')), answer("Sorry."));
    await run(model(url));
    expect(JSON.stringify(sent(1))).toContain("unreadable_arguments");
    expect(upstream.rejections).toEqual([]);
  });

  // Anthropic knows no content filter beside the refusal, OpenAI's filter is all the upstream has for one.
  const refused = api === "anthropic" ? "refusal" : "content-filter";
  it.each([
    ["length", "length"],
    ["refusal", refused],
    ["content-filter", refused],
    ["stop-sequence", "stop"],
  ] as const)("ends by %s as %s", async (stopReason, finish) => {
    const url = await start({ ...answer("Half"), stopReason });
    const request = { messages: HISTORY, tools: [], toolChoice: "auto", round: 1 } as const;
    const turn = await collect(model(url)({ ...request, signal: new AbortController().signal }));
    expect(turn).toMatchObject({ text: "Half", finish });
  });

  it("has no end when the stream has none", async () => {
    const url = await start(withFaults(cut(answer("Hello, how are you?")), { kind: "truncate", afterEvents: 5 }));
    const request = { messages: HISTORY, tools: [], toolChoice: "auto", round: 1 } as const;
    const turn = await collect(model(url)({ ...request, signal: new AbortController().signal }));
    expect(turn.finish).toBeUndefined();
  });

  it("asks for an answer without calls where none may be made", async () => {
    const url = await start(answer("So."));
    const request = { messages: HISTORY, tools: registry.definitions(), toolChoice: "none", round: 1 } as const;
    await collect(model(url)({ ...request, signal: new AbortController().signal }));
    expect(sent(0).tool_choice).toEqual(api === "anthropic" ? { type: "none" } : "none");
    expect(upstream.rejections).toEqual([]);
  });

  it("throws what the provider refuses with, and stops at the signal", async () => {
    const url = await start(refuse(429), withFaults(answer("Hello"), { kind: "stall", afterEvents: 2 }));
    const stopping = new AbortController();
    const request = { messages: HISTORY, tools: [], toolChoice: "auto", round: 1, signal: stopping.signal } as const;
    await expect(collect(model(url)(request))).rejects.toMatchObject({ status: 429 });
    const second = collect(model(url)(request));
    setTimeout(() => stopping.abort(), 100);
    // Some of the SDKs end the stream, some throw: either way it is over, without an end of the model's.
    expect((await second.catch(() => ({ finish: undefined }))).finish).toBeUndefined();
    expect(await upstream.requests[1]?.ended).toBe("client-gone");
  });
});

describe("what the provider wants back", () => {
  it("is Anthropic's thinking with its signature, first in its turn", async () => {
    const url = await start(answer(think("Hm."), "Let me look.", call("read", { path: "a" })), answer("So."));
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

  it("is OpenAI's reasoning, right before the call it led to", async () => {
    const url = await start(answer(think("Hm."), call("read", { path: "a" }), call("clock")), answer("So."));
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

  it("is nothing of reasoning that is neither stored nor encrypted", async () => {
    const url = await start(answer(think("Hm."), call("read", { path: "a" })), answer("So."));
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "test", maxRetries: 0 });
    await run(openaiResponsesModel(client, { model: "m", store: false }));
    expect(JSON.stringify(sent(1).input)).not.toContain("reasoning");
    expect(upstream.rejections).toEqual([]);
  });

  it("is the thinking of open models, as they wrote it", async () => {
    const url = await start(answer(think("Hm."), call("read", { path: "a" })), answer("So."));
    await run(MODELS.chat?.(url) as ModelFunction);
    const { messages } = sent(1) as { messages: object[] };
    expect(messages[2]).toMatchObject({ role: "assistant", content: null, reasoning_content: "Hm." });
  });
});
