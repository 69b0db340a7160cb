import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { anthropicModel, toAnthropicMessages } from "../../src/adapters/anthropic/index.ts";
import {
  openaiChatModel,
  openaiResponsesModel,
  toChatMessages,
  toResponsesInput,
} from "../../src/adapters/openai/index.ts";
import {
  createToolRegistry,
  type Message,
  type ModelFunction,
  readMessages,
  runToolLoop,
} from "../../src/agent/index.ts";
import { collectRun } from "../../src/agent/testing/index.ts";

// What the model functions make of errors, usage and content other than text, with the real SDKs.

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** A server with one answer to every request; records the bodies. */
async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    bodies.push(body);
    handle(request, response);
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}
const events =
  (...list: object[]) =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of list) {
      const name = "type" in event ? `event: ${String(event.type)}\n` : "";
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end("choices" in (list[0] ?? {}) ? "data: [DONE]\n\n" : "");
  };

/** Clients as a developer creates them, with the SDK's own retries. */
const MODELS: Readonly<Record<string, (url: string) => ModelFunction>> = {
  chat: (url) => openaiChatModel(new OpenAI({ baseURL: `${url}/v1`, apiKey: "test" }), { model: "m" }),
  responses: (url) => openaiResponsesModel(new OpenAI({ baseURL: `${url}/v1`, apiKey: "test" }), { model: "m" }),
  anthropic: (url) => anthropicModel(new Anthropic({ baseURL: url, apiKey: "test" }), { model: "m", max_tokens: 9 }),
};
const waits: number[] = [];
const clock = {
  now: () => 0,
  random: () => 0.5,
  sleep: async (ms: number, signal?: AbortSignal) => {
    // Time limits of the model never pass; the pauses between attempts pass at once.
    if (ms > 60_000) await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
    else waits.push(ms);
  },
};
const run = (model: ModelFunction) =>
  collectRun(
    runToolLoop({
      model,
      registry: createToolRegistry([], { log: false, clock }),
      messages: [{ role: "user", content: "Hi." }],
    }),
  );

const STREAMS: Readonly<Record<string, readonly object[]>> = {
  chat: [
    { choices: [{ index: 0, delta: { content: "Hi." }, finish_reason: "stop" }] },
    {
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
    },
  ],
  responses: [
    { type: "response.output_text.delta", delta: "Hi.", sequence_number: 1 },
    {
      type: "response.completed",
      sequence_number: 2,
      response: {
        status: "completed",
        output: [],
        usage: {
          input_tokens: 100,
          output_tokens: 20,
          input_tokens_details: { cached_tokens: 60 },
          output_tokens_details: { reasoning_tokens: 5 },
        },
      },
    },
  ],
  anthropic: [
    {
      type: "message_start",
      message: {
        content: [],
        usage: { input_tokens: 30, cache_read_input_tokens: 60, cache_creation_input_tokens: 10 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi." } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 20 } },
    { type: "message_stop" },
  ],
};
const USAGE: Readonly<Record<string, object>> = {
  chat: { input_tokens: 100, output_tokens: 20, cached_tokens: 60, reasoning_tokens: 5 },
  responses: { input_tokens: 100, output_tokens: 20, cached_tokens: 60, reasoning_tokens: 5 },
  anthropic: { input_tokens: 100, output_tokens: 20, cached_tokens: 60, cache_write_tokens: 10 },
};

describe.each(Object.keys(MODELS))("%s", (api) => {
  const model = MODELS[api] as (url: string) => ModelFunction;

  it("sends three requests to a server that always fails: the SDK does not retry what the loop retries", async () => {
    const { url, bodies } = await serve((_, response) => {
      response.writeHead(500, { "content-type": "application/json" }).end('{"error":{"message":"boom"}}');
    });
    expect((await run(model(url))).reason).toBe("model-error");
    expect(bodies).toHaveLength(3);
  });

  it("waits as long as the server asks for", async () => {
    waits.length = 0;
    let requests = 0;
    const { url } = await serve((request, response) => {
      requests += 1;
      if (requests === 1) response.writeHead(429, { "retry-after": "7" }).end("{}");
      else events(...(STREAMS[api] ?? []))(request, response);
    });
    expect((await run(model(url))).reason).toBe("answer");
    expect(waits).toEqual([7000]);
  });

  it("reports the tokens that the server counted", async () => {
    const { url } = await serve(events(...(STREAMS[api] ?? [])));
    const result = await run(model(url));
    expect(result.events.find(({ kind }) => kind === "usage")).toMatchObject({ round: 1, usage: USAGE[api] });
    expect(result.events.at(-1)).toMatchObject({ kind: "done", usage: USAGE[api] });
    expect(result.usage).toEqual(USAGE[api]);
  });
});

const PICTURE = { kind: "image", mediaType: "image/png", data: "AAAA" } as const;
const MIXED: readonly Message[] = [
  {
    role: "user",
    content: "What is this?\n[image image/png]",
    parts: [
      { kind: "text", text: "What is this?" },
      PICTURE,
      { kind: "file", mediaType: "application/pdf", name: "a.pdf", data: "BBBB" },
    ],
  },
  { role: "assistant", content: "", toolCalls: [{ id: "a", name: "shot", arguments: {} }] },
  {
    role: "tool",
    toolCallId: "a",
    content: "Here:\n[image image/png]",
    parts: [{ kind: "text", text: "Here:" }, PICTURE, { kind: "link", url: "https://e.x/a", name: "more" }],
  },
];

describe("content other than text", () => {
  it("content other than text is converted for chat completions, where results can only be text", () => {
    expect(toChatMessages(MIXED)).toMatchObject([
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,BBBB" } },
        ],
      },
      { role: "assistant" },
      { role: "tool", tool_call_id: "a", content: "Here:\n[image image/png]" },
    ]);
  });

  it("content other than text is converted for Responses", () => {
    expect(toResponsesInput(MIXED)).toMatchObject([
      {
        role: "user",
        content: [
          { type: "input_text", text: "What is this?" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
          { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,BBBB" },
        ],
      },
      { type: "function_call", call_id: "a" },
      {
        type: "function_call_output",
        call_id: "a",
        output: [
          { type: "input_text", text: "Here:" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA" },
          { type: "input_text", text: "[more](https://e.x/a)" },
        ],
      },
    ]);
  });

  it("content other than text is converted for Anthropic", () => {
    expect(toAnthropicMessages(MIXED).messages).toMatchObject([
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          { type: "document", title: "a.pdf", source: { type: "base64", media_type: "application/pdf", data: "BBBB" } },
        ],
      },
      { role: "assistant" },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "a",
            content: [
              { type: "text", text: "Here:" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
              { type: "text", text: "[more](https://e.x/a)" },
            ],
          },
        ],
      },
    ]);
  });

  it.each([
    ["Responses", (messages: readonly Message[]) => toResponsesInput(messages)],
    ["Anthropic", (messages: readonly Message[]) => toAnthropicMessages(messages).messages],
  ])("survives the way to %s and back", (_, convert) => {
    const back = readMessages(convert(MIXED.slice(0, 1)));
    expect(back[0]?.parts?.slice(0, 2)).toEqual([{ kind: "text", text: "What is this?" }, PICTURE]);
  });
});
