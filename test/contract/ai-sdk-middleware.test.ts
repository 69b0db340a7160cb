import { generateText, jsonSchema, simulateReadableStream, streamText, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterEach, describe, expect, it } from "vitest";
import {
  type CallReport,
  type LeakContext,
  type LeakReport,
  type MendMiddlewareOptions,
  mendMiddleware,
  type SecondChanceReport,
} from "../../src/adapters/ai-sdk/index.ts";
import { AI_SDK_PROVIDERS, type AiSdkRun, aiSdkModel, runAiSdk } from "../support/ai-sdk-clients.ts";
import { LEAKS } from "../support/leaks.ts";
import { inOrder } from "../support/upstream/script.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";
import { call, type ModelTurn, refuse, respond, type Turn, think } from "../support/upstream/turn.ts";

// Runs the middleware behind the real provider packages, against the strict upstream.

const DONE = respond("The file says hello.");
const turn = (text: string, characters = 5): ModelTurn => ({ ...respond(text), chunking: { characters } });

let upstream: Upstream | undefined;
afterEach(async () => {
  await upstream?.close();
  upstream = undefined;
});

const VARIANTS = AI_SDK_PROVIDERS.flatMap((provider) => [false, true].map((stream) => [provider, stream] as const));

describe.each(VARIANTS)("mendMiddleware with %s, stream %s", (provider, stream) => {
  async function run(turns: readonly Turn[], options: MendMiddlewareOptions = {}, page?: string): Promise<AiSdkRun> {
    upstream = await startUpstream({ script: inOrder(...turns) });
    const model = wrapLanguageModel({ model: aiSdkModel(provider, upstream.url), middleware: mendMiddleware(options) });
    return runAiSdk({ model, stream, ...(page !== undefined && { page }) });
  }

  it.each(Object.entries(LEAKS))("executes a call leaked as %s and continues", async (_, leak) => {
    const ran = await run([turn(`Let me look. ${leak}`), turn(leak), DONE]);
    expect(ran.executed).toEqual([{ path: "a.txt" }, { path: "a.txt" }]);
    expect(ran.steps).toEqual([
      { text: "Let me look.", finishReason: "tool-calls", calls: ["read"] },
      { text: "", finishReason: "tool-calls", calls: ["read"] },
      { text: "The file says hello.", finishReason: "stop", calls: [] },
    ]);
    if (stream) expect(ran.streamed).toBe("Let me look.The file says hello.");
    expect([upstream?.requests.length, upstream?.rejections]).toEqual([3, []]);
  });

  it("executes a native call after repair of its name and arguments", async () => {
    const calls: CallReport[] = [];
    const broken: ModelTurn = { ...respond(call("Read", '{"Path": "a.txt"}')), chunking: { characters: 3 } };
    const ran = await run([broken, DONE], { onCall: (report) => calls.push(report) });
    expect(ran.executed).toEqual([{ path: "a.txt" }]);
    expect(calls).toMatchObject([
      { result: "repaired", tool_name: "read", repairs: [{ class: "name" }, { class: "key-spelling" }] },
    ]);
    expect(upstream?.rejections).toEqual([]);
  });

  it("asks again if no call can work, and executes only the second one", async () => {
    const reports: SecondChanceReport[] = [];
    const usage = { inputTokens: 100, outputTokens: 10 };
    const first: ModelTurn = { ...respond("I look.", call("open_file", {}), call("read", {})), usage };
    const second: ModelTurn = { ...respond(call("read", { path: "a.txt" })), usage };
    const options = { secondChance: true, onSecondChance: (told: SecondChanceReport) => void reports.push(told) };
    const ran = await run([first, second, DONE], options);
    expect(ran.executed).toEqual([{ path: "a.txt" }]);
    expect(ran.steps).toEqual([
      { text: "I look.", finishReason: "tool-calls", calls: ["read"] },
      { text: "The file says hello.", finishReason: "stop", calls: [] },
    ]);
    expect(reports).toEqual([{ reason: "unknown_tool", result: "healed", toolNames: ["open_file", "read"] }]);
    expect([upstream?.requests.length, upstream?.rejections]).toEqual([3, []]);
    expect(upstream?.requests[1]?.body.toString()).toContain("There is no tool");
  });

  it("keeps the first response if the second is no better, fails, or the option is off", async () => {
    const results: string[] = [];
    const bad: ModelTurn = respond("I look.", call("read", {}));
    const options = {
      secondChance: true,
      onSecondChance: ({ result }: SecondChanceReport) => void results.push(result),
    };
    const same = await run([bad, respond(call("read", {})), DONE], options);
    expect(same.steps[0]).toEqual({ text: "I look.", finishReason: "tool-calls", calls: ["read"] });
    await upstream?.close();
    const failed = await run([bad, refuse(400), DONE], options);
    expect(failed.steps[0]).toMatchObject({ text: "I look.", calls: ["read"] });
    await upstream?.close();
    await run([bad, DONE]);
    expect(upstream?.requests).toHaveLength(2);
    expect(results).toEqual(["no_better", "failed"]);
  });

  it("executes several leaked calls of a turn that starts with reasoning", async () => {
    const leaks: [LeakReport, LeakContext][] = [];
    const ran = await run([respond(think("Hm."), `${LEAKS.hermes}\n${LEAKS.hermes.replace("a.txt", "b.txt")}`), DONE], {
      onLeak: (leak, place) => leaks.push([leak, place]),
    });
    expect(ran.executed).toEqual([{ path: "a.txt" }, { path: "b.txt" }]);
    expect(upstream?.rejections).toEqual([]);
    const { provider: name, modelId } = aiSdkModel(provider, "http://unused.test");
    expect(leaks).toMatchObject([
      [
        { result: "recovered", format: "hermes-json", parsed: 2 },
        { provider: name, model: modelId },
      ],
    ]);
  });

  it("does not execute echoed calls, denied tools or leaks beside a native call", async () => {
    const reasons: (string | undefined)[] = [];
    const onLeak = (leak: LeakReport): void => void reasons.push(leak.reason);
    const page = `A page:\n> ${LEAKS.hermes.replaceAll("\n", "\n> ")}`;
    const quoted = await run([turn(`Let me read it.\n${LEAKS.hermes}`)], { onLeak }, page);
    expect(quoted).toMatchObject({ executed: [], text: `Let me read it.\n${LEAKS.hermes}` });
    await upstream?.close();
    const denied = await run([turn(LEAKS.hermes)], { onLeak, deny: ["re*"] });
    expect(denied).toMatchObject({ executed: [], text: LEAKS.hermes });
    await upstream?.close();
    const beside = await run([respond(LEAKS.hermes, call("read", { path: "b.txt" })), DONE], { onLeak });
    expect(beside.executed).toEqual([{ path: "b.txt" }]);
    expect(upstream?.rejections).toEqual([]);
    expect(reasons).toEqual(["echo", "denied", "native-call"]);
  });

  it.each([
    ["length", "max-tokens"],
    ["content-filter", "content-filter"],
  ] as const)("does not execute a leaked call when the turn ended with %s", async (stopReason, expected) => {
    const reasons: (string | undefined)[] = [];
    const ended = { ...turn(LEAKS.hermes), stopReason };
    const ran = await run([ended], { onLeak: ({ reason }) => reasons.push(reason) });
    expect(ran).toMatchObject({ executed: [], text: LEAKS.hermes });
    expect(reasons).toEqual([expected]);
  });
});

describe("a stream of parts through mendMiddleware", () => {
  const USAGE = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  const read = tool({ inputSchema: jsonSchema<{ path: string }>({ type: "object" }), execute: () => "hello" });
  type Part =
    Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

  async function partsOf(parts: readonly Part[], toolName?: string): Promise<unknown[]> {
    const model = new MockLanguageModelV4({
      doStream: async () => ({
        stream: simulateReadableStream({ chunks: [...parts], chunkDelayInMs: null, initialDelayInMs: null }),
      }),
    });
    const wrapped = wrapLanguageModel({ model, middleware: mendMiddleware() });
    const { stream } = await wrapped.doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
      tools: [{ type: "function", name: "read", inputSchema: { type: "object" } }],
      ...(toolName !== undefined && { toolChoice: { type: "tool", toolName } }),
    });
    const out: unknown[] = [];
    for await (const part of stream as unknown as AsyncIterable<unknown>) out.push(part);
    return out;
  }
  const text = (id: string, ...deltas: string[]): Part[] => [
    { type: "text-start", id },
    ...deltas.map((delta) => ({ type: "text-delta", id, delta }) as const),
    { type: "text-end", id },
  ];
  const finish = { type: "finish", usage: USAGE, finishReason: { unified: "stop", raw: "eos" } } as const;

  it("passes parts through unchanged and in order without a leak", async () => {
    const parts: Part[] = [
      { type: "stream-start", warnings: [] },
      ...text("0", "Use `<tool_call>` ", "so: \n```\n<tool_call>{}\n```\n", ""),
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-end", id: "r" },
      ...text("1", " ", "[a] {b} 👀 done. "),
      finish,
    ];
    const out = await partsOf(parts);
    expect(out).toEqual(parts);
    expect(out.every((part, at) => part === parts[at])).toBe(true);
  });

  it("emits no empty text and emits repaired calls before the finish part", async () => {
    const out = await partsOf([...text("0", "\n"), ...text("1", "<tool_call>", LEAKS.hermes.slice(11)), finish]);
    const id = expect.stringMatching(/^call_\w{24}$/);
    const input = '{"path": "a.txt"}';
    expect(out).toEqual([
      ...text("0", "\n"),
      { type: "tool-input-start", id, toolName: "read" },
      { type: "tool-input-delta", id, delta: input },
      { type: "tool-input-end", id },
      { type: "tool-call", toolCallId: id, toolName: "read", input },
      { ...finish, finishReason: { unified: "tool-calls", raw: "eos" } },
    ]);
  });

  it("passes a leak through when toolChoice names another tool", async () => {
    const parts = [...text("0", LEAKS.hermes), finish];
    expect(await partsOf(parts, "write")).toEqual(parts);
    expect(await partsOf(parts, "read")).toContainEqual(expect.objectContaining({ type: "tool-call" }));
  });

  it("emits the buffered text when the stream aborts or fails", async () => {
    const aborted = text("0", "Hi ", LEAKS.hermes).slice(0, 3);
    expect(await partsOf(aborted)).toEqual(aborted);
    const failed: Part[] = [...text("0", LEAKS.hermes), { type: "error", error: new Error("reset") }];
    expect(await partsOf(failed)).toEqual(failed);
  });

  it("repairs the streamText and generateText calls of any model", async () => {
    const model = new MockLanguageModelV4({
      doGenerate: async () => ({
        content: [{ type: "text", text: LEAKS.qwen }],
        finishReason: { unified: "stop", raw: undefined },
        usage: USAGE,
        warnings: [],
      }),
      doStream: async () => ({ stream: simulateReadableStream({ chunks: [...text("0", LEAKS.qwen), finish] }) }),
    });
    const settings = {
      model: wrapLanguageModel({ model, middleware: mendMiddleware() }),
      tools: { read },
      prompt: "Hi",
    };
    expect((await generateText(settings)).toolResults).toMatchObject([{ input: { path: "a.txt" }, output: "hello" }]);
    expect(await streamText(settings).toolResults).toMatchObject([{ input: { path: "a.txt" }, output: "hello" }]);
  });
});

it.each([false, true])("the usage of a second chance is the sum of both responses, stream %s", async (stream) => {
  const usage = { inputTokens: 100, outputTokens: 10 };
  const turns = [respond(call("read", {})), respond(call("read", { path: "a" }))];
  upstream = await startUpstream({ script: inOrder(...turns.map((one) => ({ ...one, usage }))) });
  const model = wrapLanguageModel({
    model: aiSdkModel("openai-chat", upstream.url),
    middleware: mendMiddleware({ secondChance: true }),
  });
  const inputSchema = jsonSchema<{ path: string }>({
    ...{ type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  });
  const options = { model, prompt: "Read.", tools: { read: tool({ inputSchema, execute: () => "x" }) } };
  const total = stream ? await streamText(options).usage : (await generateText(options)).usage;
  expect(total).toMatchObject({ inputTokens: 200, outputTokens: 20 });
});
