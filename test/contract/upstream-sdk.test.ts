import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import type { Fault } from "../support/upstream/faults.ts";
import { inOrder, type Script } from "../support/upstream/script.ts";
import { startUpstream, type Upstream, type UpstreamOptions } from "../support/upstream/start-upstream.ts";
import { type Chunking, call, refuse, respond, say, think, withFaults } from "../support/upstream/turn.ts";

// The official SDKs check that the test upstream behaves like the providers.

let upstream: Upstream | undefined;

afterEach(async () => {
  await upstream?.close();
  upstream = undefined;
});

async function start(script: Script, options: Partial<UpstreamOptions> = {}): Promise<Upstream> {
  upstream = await startUpstream({ script, ...options });
  return upstream;
}

function anthropic({ url }: Upstream): Anthropic {
  return new Anthropic({ baseURL: url, apiKey: "test", maxRetries: 0 });
}

function openai({ url }: Upstream): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: "test", maxRetries: 0 });
}

const LOOK = respond("Let me look. 👀", call("read_file", { path: "a.txt" }), call("list", {}));
const DONE = respond("The file says hello.");
const SCHEMA = { type: "object" as const, properties: { path: { type: "string" } } };

describe("Anthropic SDK on Messages", () => {
  const model = "claude-scripted-1";
  const tools: Anthropic.Tool[] = [
    { name: "read_file", input_schema: SCHEMA },
    { name: "list", input_schema: SCHEMA },
  ];
  const first: Anthropic.MessageParam = { role: "user", content: "What is in a.txt?" };
  const base = { model, max_tokens: 100, tools };

  const expectLook = (message: Anthropic.Message) => {
    expect(message.content).toMatchObject([
      { type: "text", text: "Let me look. 👀" },
      { type: "tool_use", name: "read_file", input: { path: "a.txt" } },
      { type: "tool_use", name: "list", input: {} },
    ]);
    expect(message).toMatchObject({ model, role: "assistant", stop_reason: "tool_use" });
    expect(message.usage.output_tokens).toBeGreaterThan(0);
  };

  const results = (message: Anthropic.Message): Anthropic.MessageParam => ({
    role: "user",
    content: message.content
      .filter((block) => block.type === "tool_use")
      .map((block) => ({ type: "tool_result" as const, tool_use_id: block.id, content: "hello" })),
  });

  it("completes a conversation of two turns in JSON", async () => {
    const client = anthropic(await start(inOrder(LOOK, DONE)));
    const message = await client.messages.create({ ...base, messages: [first] });
    expectLook(message);
    const history = [first, { role: "assistant" as const, content: message.content }, results(message)];
    const last = await client.messages.create({ ...base, messages: history });
    expect(last.content).toMatchObject([{ type: "text", text: "The file says hello." }]);
    expect(last.stop_reason).toBe("end_turn");
    expect(upstream?.rejections).toEqual([]);
  });

  it("completes a conversation of two turns in streams", async () => {
    const client = anthropic(await start(inOrder({ ...LOOK, chunking: { characters: 1 } }, DONE)));
    const stream = client.messages.stream({ ...base, messages: [first] });
    const deltas: string[] = [];
    stream.on("text", (delta) => deltas.push(delta));
    const message = await stream.finalMessage();
    expectLook(message);
    expect(deltas.length).toBeGreaterThan(10);
    const history = [first, { role: "assistant" as const, content: message.content }, results(message)];
    const last = await client.messages.stream({ ...base, messages: history }).finalText();
    expect(last).toBe("The file says hello.");
  });

  it("accepts a thinking turn back as history", async () => {
    const client = anthropic(await start(inOrder(respond(think("Hm."), call("list")), DONE)));
    const message = await client.messages.stream({ ...base, messages: [first] }).finalMessage();
    expect(message.content[0]).toMatchObject({ type: "thinking", thinking: "Hm." });
    const history = [first, { role: "assistant" as const, content: message.content }, results(message)];
    await expect(client.messages.create({ ...base, messages: history })).resolves.toBeDefined();
  });

  it("gets the SDK's 400 for a history without results", async () => {
    const client = anthropic(await start(inOrder(LOOK)));
    const message = await client.messages.create({ ...base, messages: [first] });
    const history = [first, { role: "assistant" as const, content: message.content }, first];
    const failure = client.messages.create({ ...base, messages: history });
    await expect(failure).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await expect(failure).rejects.toMatchObject({
      status: 400,
      requestID: expect.stringMatching(/^req_/),
      error: {
        type: "error",
        error: { type: "invalid_request_error", message: expect.stringContaining("messages.1") },
      },
    });
    expect(upstream?.rejections.map(({ rule }) => rule)).toEqual(["calls-have-results"]);
  });

  it("gets the SDK's classes for other statuses, and a stream's error event", async () => {
    const client = anthropic(
      await start(
        inOrder(refuse(429, { retryAfter: 7 }), refuse(529), withFaults(DONE, { kind: "error-event", afterEvents: 3 })),
      ),
    );
    const create = () => client.messages.create({ ...base, messages: [first] });
    const limited = await create().catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(Anthropic.RateLimitError);
    expect((limited as InstanceType<typeof Anthropic.RateLimitError>).headers?.get("retry-after")).toBe("7");
    await expect(create()).rejects.toMatchObject({ status: 529, error: { error: { type: "overloaded_error" } } });
    await expect(client.messages.stream({ ...base, messages: [first] }).finalMessage()).rejects.toMatchObject({
      message: expect.stringContaining("overloaded_error"),
    });
  });

  it("counts tokens and lists models", async () => {
    const client = anthropic(await start(inOrder()));
    const counted = await client.messages.countTokens({ model, messages: [first] });
    expect(counted.input_tokens).toBeGreaterThan(0);
    const models = await client.models.list();
    expect(models.data.map(({ id }) => id)).toContain(model);
  });
});

describe("OpenAI SDK on Chat Completions", () => {
  const model = "gpt-scripted-1";
  const tools: OpenAI.ChatCompletionTool[] = [
    { type: "function", function: { name: "read_file", parameters: SCHEMA } },
    { type: "function", function: { name: "list", parameters: SCHEMA } },
  ];
  const first: OpenAI.ChatCompletionMessageParam = { role: "user", content: "What is in a.txt?" };
  const base = { model, tools };

  const expectLook = (choice: OpenAI.ChatCompletion.Choice | undefined) => {
    expect(choice).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        content: "Let me look. 👀",
        tool_calls: [
          { type: "function", function: { name: "read_file", arguments: '{"path":"a.txt"}' } },
          { type: "function", function: { name: "list", arguments: "{}" } },
        ],
      },
    });
  };

  const results = (message: OpenAI.ChatCompletionMessage): OpenAI.ChatCompletionMessageParam[] =>
    (message.tool_calls ?? []).map(({ id }) => ({ role: "tool", tool_call_id: id, content: "hello" }));

  it("completes a conversation of two turns in JSON", async () => {
    const client = openai(await start(inOrder(LOOK, DONE)));
    const look = await client.chat.completions.create({ ...base, messages: [first] });
    expectLook(look.choices[0]);
    expect(look.usage?.total_tokens).toBeGreaterThan(0);
    const message = look.choices[0]?.message as OpenAI.ChatCompletionMessage;
    const last = await client.chat.completions.create({ ...base, messages: [first, message, ...results(message)] });
    expect(last.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "The file says hello." } });
    expect(upstream?.rejections).toEqual([]);
  });

  it.each<Chunking>([{ characters: 1 }, { wholeCalls: true }])(
    "completes a conversation of two turns in streams: %j",
    async (chunking) => {
      const client = openai(await start(inOrder({ ...LOOK, chunking }, DONE)));
      const stream = client.chat.completions.stream({
        ...base,
        messages: [first],
        stream_options: { include_usage: true },
      });
      const look = await stream.finalChatCompletion();
      expectLook(look.choices[0]);
      expect(look.usage?.total_tokens).toBeGreaterThan(0);
      const message = look.choices[0]?.message as OpenAI.ChatCompletionMessage;
      const last = client.chat.completions.stream({ ...base, messages: [first, message, ...results(message)] });
      expect(await last.finalContent()).toBe("The file says hello.");
    },
  );

  it("streams several interleaved choices", async () => {
    const client = openai(await start(inOrder({ ...respond("one"), alternatives: [[say("two")]] })));
    const look = await client.chat.completions.stream({ ...base, messages: [first], n: 2 }).finalChatCompletion();
    expect(look.choices.map((choice) => choice.message.content)).toEqual(["one", "two"]);
  });

  it("gets the SDK's 400 for a history without results", async () => {
    const client = openai(await start(inOrder(LOOK)));
    const look = await client.chat.completions.create({ ...base, messages: [first] });
    const message = look.choices[0]?.message as OpenAI.ChatCompletionMessage;
    const failure = client.chat.completions.create({ ...base, messages: [first, message, first] });
    await expect(failure).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(failure).rejects.toMatchObject({
      status: 400,
      type: "invalid_request_error",
      param: "messages.[2].role",
      message: expect.stringContaining("did not have response messages"),
    });
  });

  it("gets an error out of a stream that began with 200", async () => {
    const client = openai(await start(inOrder(withFaults(DONE, { kind: "error-event", afterEvents: 1 }))));
    await expect(client.chat.completions.stream({ ...base, messages: [first] }).finalContent()).rejects.toBeInstanceOf(
      OpenAI.APIError,
    );
  });

  it("rejects an unknown API key and lists models", async () => {
    const client = openai(await start(inOrder(), { apiKey: "other" }));
    await expect(client.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    const welcome = new OpenAI({ baseURL: `${upstream?.url}/v1`, apiKey: "other" });
    expect((await welcome.models.list()).data.map(({ id }) => id)).toContain(model);
  });
});

describe("OpenAI SDK on Responses", () => {
  const model = "gpt-scripted-1";
  const tools: OpenAI.Responses.Tool[] = [
    { type: "function", name: "read_file", parameters: SCHEMA, strict: false },
    { type: "function", name: "list", parameters: SCHEMA, strict: false },
  ];
  const first: OpenAI.Responses.ResponseInputItem = { role: "user", content: "What is in a.txt?" };
  const base = { model, tools };

  const expectLook = (response: OpenAI.Responses.Response) => {
    expect(response).toMatchObject({
      status: "completed",
      output_text: "Let me look. 👀",
      output: [
        { type: "message", content: [{ type: "output_text", text: "Let me look. 👀" }] },
        { type: "function_call", name: "read_file", arguments: '{"path":"a.txt"}' },
        { type: "function_call", name: "list", arguments: "{}" },
      ],
    });
  };

  const outputs = (response: OpenAI.Responses.Response): OpenAI.Responses.ResponseInputItem[] =>
    response.output
      .filter((item) => item.type === "function_call")
      .map((item) => ({ type: "function_call_output", call_id: item.call_id, output: "hello" }));

  const items = (response: OpenAI.Responses.Response) => response.output as OpenAI.Responses.ResponseInputItem[];

  it("completes a conversation of two turns in JSON", async () => {
    const client = openai(await start(inOrder(LOOK, DONE)));
    const look = await client.responses.create({ ...base, input: [first], store: false });
    expectLook(look);
    const last = await client.responses.create({ ...base, input: [first, ...items(look), ...outputs(look)] });
    expect(last.output_text).toBe("The file says hello.");
    expect(upstream?.rejections).toEqual([]);
  });

  it("completes a conversation of two turns in streams", async () => {
    const client = openai(await start(inOrder({ ...LOOK, chunking: { characters: 1 } }, DONE)));
    const look = await client.responses.stream({ ...base, input: [first] }).finalResponse();
    expectLook(look);
    const stream = await client.responses.create({
      ...base,
      input: [first, ...items(look), ...outputs(look)],
      stream: true,
    });
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(["response.created", "response.completed"]);
    expect(upstream?.rejections).toEqual([]);
  });

  it("stores conversations: a follow-up by previous_response_id must include the outputs of open calls", async () => {
    const client = openai(await start(inOrder(LOOK, DONE)));
    const look = await client.responses.create({ ...base, input: "What is in a.txt?" });
    const half = outputs(look).slice(1);
    const followUp = (input: OpenAI.Responses.ResponseInputItem[]) =>
      client.responses.create({ ...base, input, previous_response_id: look.id });
    await expect(followUp(half)).rejects.toMatchObject({ message: expect.stringContaining("No tool output found") });
    expect((await followUp(outputs(look))).output_text).toBe("The file says hello.");
  });

  it("streams reasoning, custom calls and an incomplete ending", async () => {
    const turn = respond(think("Hm."), { kind: "call", name: "exec", arguments: "ls -l", custom: true });
    const client = openai(await start(inOrder(turn, { ...DONE, stopReason: "length" })));
    const look = await client.responses.stream({ ...base, input: [first] }).finalResponse();
    expect(look.output).toMatchObject([
      { type: "reasoning", summary: [{ text: "Hm." }] },
      { type: "custom_tool_call", name: "exec", input: "ls -l" },
    ]);
    const cut = await client.responses.create({ ...base, input: [first] });
    expect(cut).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  });

  it("gets the SDK's 400 for a history without outputs", async () => {
    const client = openai(await start(inOrder(LOOK)));
    const look = await client.responses.create({ ...base, input: [first] });
    const failure = client.responses.create({ ...base, input: [first, ...items(look)] });
    await expect(failure).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(failure).rejects.toMatchObject({ status: 400, param: "input" });
  });
});

describe("faults that clients must tolerate", () => {
  const harmless: readonly (readonly [string, readonly Fault[]])[] = [
    ["comments and a retry line", [{ kind: "comments" }, { kind: "retry-line", ms: 10 }]],
    ["CRLF", [{ kind: "line-end", lineEnd: "crlf" }]],
    ["gzip", [{ kind: "encoded", encoding: "gzip" }]],
    ["br", [{ kind: "encoded", encoding: "br" }]],
    [
      "pauses",
      [
        { kind: "stall", ms: 5 },
        { kind: "slow-first-byte", ms: 5 },
      ],
    ],
    ["a thousand events", [{ kind: "many-events", events: 1000 }]],
  ];

  it.each(harmless)("%s", async (_, faults) => {
    const turn = { ...withFaults(LOOK, ...faults), writeBytes: 100 };
    const target = await start(() => turn);
    const question = { role: "user" as const, content: "hi" };
    const message = await anthropic(target)
      .messages.stream({ model: "m", max_tokens: 9, messages: [question] })
      .finalMessage();
    expect(message.content[0]).toMatchObject({ text: "Let me look. 👀" });
    expect(message.content.slice(-2)).toMatchObject([{ input: { path: "a.txt" } }, { name: "list" }]);
    const chat = await openai(target)
      .chat.completions.stream({ model: "m", messages: [question] })
      .finalMessage();
    expect(chat.tool_calls).toMatchObject([{ function: { arguments: '{"path":"a.txt"}' } }, {}]);
    const response = await openai(target)
      .responses.stream({ model: "m", input: [question] })
      .finalResponse();
    expect(response.output_text).toMatch(/^Let me look. 👀/);
  });
});
