import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import type { CallIdApi as Api } from "../../src/core/wire/call-ids.ts";

/** A call as a client's SDK parsed it. */
export interface SdkCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** A response as a client's SDK parsed it, and a way to continue from it. */
export interface SdkTurn {
  readonly text: string;
  readonly stop: string | null;
  readonly calls: readonly SdkCall[];
  /** Sends the turn back with a result for each call. */
  sendResults(): Promise<SdkTurn>;
}

export interface PromptOptions {
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
export const SDK_VARIANTS = [
  ["anthropic", false],
  ["anthropic", true],
  ["chat", false],
  ["chat", true],
  ["responses", false],
  ["responses", true],
] as const satisfies readonly (readonly [Api, boolean])[];

/** The declaration of one tool in a request. */
export function declareTool(api: Api, name: string, parameters: object): object[] {
  switch (api) {
    case "anthropic":
      return [{ name, input_schema: parameters }];
    case "chat":
      return [{ type: "function", function: { name, parameters } }];
    case "responses":
      return [{ type: "function", name, parameters, strict: false }];
  }
}

const PROMPT = "What is in a.txt?";
const SCHEMA = { type: "object" as const, properties: { path: { type: "string" } } };

/** Sends a prompt through the official SDK of an API, as an application would. */
export function sendPrompt(api: Api, url: string, options: PromptOptions): Promise<SdkTurn> {
  const settings = { apiKey: "test", maxRetries: 0, ...(options.fetch !== undefined && { fetch: options.fetch }) };
  switch (api) {
    case "anthropic":
      return promptAnthropic(new Anthropic({ baseURL: url, ...settings }), options, startOf(options));
    case "chat":
      return promptChat(new OpenAI({ baseURL: `${url}/v1`, ...settings }), options, chatStart(options));
    case "responses":
      return promptResponses(new OpenAI({ baseURL: `${url}/v1`, ...settings }), options, responsesStart(options));
  }
}

function startOf({ page }: PromptOptions): Anthropic.MessageParam[] {
  if (page === undefined) return [{ role: "user", content: PROMPT }];
  return [
    { role: "user", content: PROMPT },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_before", name: "read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_before", content: page }] },
  ];
}

async function promptAnthropic(
  client: Anthropic,
  options: PromptOptions,
  messages: Anthropic.MessageParam[],
): Promise<SdkTurn> {
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
    sendResults: () => {
      const content = uses.map(({ id }) => ({ type: "tool_result" as const, tool_use_id: id, content: "hello" }));
      return promptAnthropic(client, options, [
        ...messages,
        { role: "assistant", content: blocks },
        { role: "user", content },
      ]);
    },
  };
}

function chatStart({ page }: PromptOptions): OpenAI.ChatCompletionMessageParam[] {
  if (page === undefined) return [{ role: "user", content: PROMPT }];
  const call = { id: "call_before", type: "function" as const, function: { name: "read", arguments: "{}" } };
  return [
    { role: "user", content: PROMPT },
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "call_before", content: page },
  ];
}

async function promptChat(
  client: OpenAI,
  options: PromptOptions,
  messages: OpenAI.ChatCompletionMessageParam[],
): Promise<SdkTurn> {
  const tools = (options.tools ?? ["read"]).map((name) => ({
    type: "function" as const,
    function: { name, parameters: SCHEMA },
  }));
  const body = { model: "m", tools, messages, ...options.more };
  const { choices } = options.stream
    ? await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
    : await client.chat.completions.create({ ...body, stream: false });
  const { message, finish_reason } = choices[0] as OpenAI.ChatCompletion.Choice;
  const toolCalls = (message.tool_calls ?? []).filter((call) => call.type === "function");
  return {
    text: message.content ?? "",
    stop: finish_reason,
    calls: toolCalls.map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: JSON.parse(args) })),
    sendResults: () => {
      const results = toolCalls.map(({ id }) => ({ role: "tool" as const, tool_call_id: id, content: "hello" }));
      return promptChat(client, options, [...messages, message, ...results]);
    },
  };
}

function responsesStart({ page }: PromptOptions): OpenAI.Responses.ResponseInputItem[] {
  if (page === undefined) return [{ role: "user", content: PROMPT }];
  return [
    { role: "user", content: PROMPT },
    { type: "function_call", call_id: "call_before", name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: "call_before", output: page },
  ];
}

async function promptResponses(
  client: OpenAI,
  options: PromptOptions,
  input: OpenAI.Responses.ResponseInputItem[],
): Promise<SdkTurn> {
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
  const toolCalls = output.filter((item) => item.type === "function_call" || item.type === "custom_tool_call");
  return {
    text: response.output_text,
    stop: response.status ?? null,
    calls: toolCalls.map((item) => ({
      id: item.call_id,
      name: item.name,
      arguments: item.type === "function_call" ? JSON.parse(item.arguments) : item.input,
    })),
    sendResults: () => {
      const results = toolCalls.map((item) => ({
        type: item.type === "function_call" ? ("function_call_output" as const) : ("custom_tool_call_output" as const),
        call_id: item.call_id,
        output: "hello",
      }));
      return promptResponses(client, options, [
        ...input,
        ...(output as OpenAI.Responses.ResponseInputItem[]),
        ...results,
      ]);
    },
  };
}
