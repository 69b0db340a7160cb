import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import type { Api } from "../../src/core/wire/index.ts";

/** A call as a client's SDK parsed it. */
export interface SeenCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** A response as a client's SDK parsed it, and a way to continue from it. */
export interface SeenTurn {
  readonly text: string;
  readonly stop: string | null;
  readonly calls: readonly SeenCall[];
  /** Sends the turn back with a result for each call. */
  answerCalls(): Promise<SeenTurn>;
}

export interface Ask {
  readonly tools?: readonly string[];
  readonly stream: boolean;
  /** Messages to insert before the prompt, such as a tool result. */
  readonly page?: string;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly custom?: boolean;
  /** The fetch function that the SDK uses. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Each API's SDK, with and without streaming. */
export const SDK_WAYS = [
  ["anthropic", false],
  ["anthropic", true],
  ["chat", false],
  ["chat", true],
  ["responses", false],
  ["responses", true],
] as const satisfies readonly (readonly [Api, boolean])[];

const QUESTION = "What is in a.txt?";
const SCHEMA = { type: "object" as const, properties: { path: { type: "string" } } };

/** Sends a prompt through the official SDK of an API, as an application would. */
export function ask(api: Api, url: string, options: Ask): Promise<SeenTurn> {
  const settings = { apiKey: "test", maxRetries: 0, ...(options.fetch !== undefined && { fetch: options.fetch }) };
  switch (api) {
    case "anthropic":
      return askAnthropic(new Anthropic({ baseURL: url, ...settings }), options, startOf(options));
    case "chat":
      return askChat(new OpenAI({ baseURL: `${url}/v1`, ...settings }), options, chatStart(options));
    case "responses":
      return askResponses(new OpenAI({ baseURL: `${url}/v1`, ...settings }), options, responsesStart(options));
  }
}

function startOf({ page }: Ask): Anthropic.MessageParam[] {
  if (page === undefined) return [{ role: "user", content: QUESTION }];
  return [
    { role: "user", content: QUESTION },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_before", name: "read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_before", content: page }] },
  ];
}

async function askAnthropic(client: Anthropic, options: Ask, messages: Anthropic.MessageParam[]): Promise<SeenTurn> {
  const tools = (options.tools ?? ["read"]).map((name) => ({ name, input_schema: SCHEMA }));
  const body = { model: "m", max_tokens: 100, tools, messages, ...options.more };
  const message = options.stream
    ? await client.messages.stream(body).finalMessage()
    : await client.messages.create({ ...body, stream: false });
  const blocks = message.content;
  const uses = blocks.filter((block) => block.type === "tool_use");
  return {
    text: blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
    stop: message.stop_reason,
    calls: uses.map(({ id, name, input }) => ({ id, name, arguments: input })),
    answerCalls: () => {
      const content = uses.map(({ id }) => ({ type: "tool_result" as const, tool_use_id: id, content: "hello" }));
      return askAnthropic(client, options, [
        ...messages,
        { role: "assistant", content: blocks },
        { role: "user", content },
      ]);
    },
  };
}

function chatStart({ page }: Ask): OpenAI.ChatCompletionMessageParam[] {
  if (page === undefined) return [{ role: "user", content: QUESTION }];
  const call = { id: "call_before", type: "function" as const, function: { name: "read", arguments: "{}" } };
  return [
    { role: "user", content: QUESTION },
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "call_before", content: page },
  ];
}

async function askChat(client: OpenAI, options: Ask, messages: OpenAI.ChatCompletionMessageParam[]): Promise<SeenTurn> {
  const tools = (options.tools ?? ["read"]).map((name) => ({
    type: "function" as const,
    function: { name, parameters: SCHEMA },
  }));
  const body = { model: "m", tools, messages, ...options.more };
  const { choices } = options.stream
    ? await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
    : await client.chat.completions.create({ ...body, stream: false });
  const { message, finish_reason } = choices[0] as OpenAI.ChatCompletion.Choice;
  const made = (message.tool_calls ?? []).filter((call) => call.type === "function");
  return {
    text: message.content ?? "",
    stop: finish_reason,
    calls: made.map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: JSON.parse(args) })),
    answerCalls: () => {
      const results = made.map(({ id }) => ({ role: "tool" as const, tool_call_id: id, content: "hello" }));
      return askChat(client, options, [...messages, message, ...results]);
    },
  };
}

function responsesStart({ page }: Ask): OpenAI.Responses.ResponseInputItem[] {
  if (page === undefined) return [{ role: "user", content: QUESTION }];
  return [
    { role: "user", content: QUESTION },
    { type: "function_call", call_id: "call_before", name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: "call_before", output: page },
  ];
}

async function askResponses(
  client: OpenAI,
  options: Ask,
  input: OpenAI.Responses.ResponseInputItem[],
): Promise<SeenTurn> {
  const tools = (options.tools ?? ["read"]).map((name) =>
    options.custom === true
      ? { type: "custom" as const, name }
      : { type: "function" as const, name, parameters: SCHEMA, strict: false },
  );
  const body = { model: "m", tools, input, store: false, ...options.more };
  const response = options.stream
    ? await client.responses.stream(body).finalResponse()
    : await client.responses.create({ ...body, stream: false });
  const output = response.output as OpenAI.Responses.ResponseOutputItem[];
  const made = output.filter((item) => item.type === "function_call" || item.type === "custom_tool_call");
  return {
    text: response.output_text,
    stop: response.status ?? null,
    calls: made.map((item) => ({
      id: item.call_id,
      name: item.name,
      arguments: item.type === "function_call" ? JSON.parse(item.arguments) : item.input,
    })),
    answerCalls: () => {
      const results = made.map((item) => ({
        type: item.type === "function_call" ? ("function_call_output" as const) : ("custom_tool_call_output" as const),
        call_id: item.call_id,
        output: "hello",
      }));
      return askResponses(client, options, [...input, ...(output as OpenAI.Responses.ResponseInputItem[]), ...results]);
    },
  };
}
