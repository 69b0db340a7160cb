import type OpenAI from "openai";
import type { ContentPart, Message, ModelDelta, ModelFunction, ModelRequest } from "../../agent/index.ts";
import { partText, urlOf } from "../../agent/model/content-part.ts";
import { definitionFor } from "../../agent/registry/definitions.ts";
import { readTokenUsage, type TokenUsage } from "../../core/model/token-usage.ts";
import { argumentsText, finishReason } from "../support.ts";

type Create = OpenAI["chat"]["completions"]["create"];

/** The part of an OpenAI client that is used. */
export interface OpenAIChatClient {
  readonly chat: { readonly completions: { readonly create: Create } };
}

/** All request parameters except messages and tools. */
export type OpenAIChatSettings = Omit<
  OpenAI.ChatCompletionCreateParamsStreaming,
  "messages" | "tools" | "tool_choice" | "stream" | "n"
>;

/**
 * A model of OpenAI's Chat Completions API, or of any compatible server, for the tool loop.
 *
 * @example
 * const model = openaiChatModel(new OpenAI({ baseURL: "http://127.0.0.1:8000/v1" }), { model: "qwen3-coder" });
 */
export function openaiChatModel(client: OpenAIChatClient, settings: OpenAIChatSettings): ModelFunction {
  return async function* (request): AsyncGenerator<ModelDelta> {
    const { tools, toolChoice, signal } = request;
    const stream = await client.chat.completions.create(
      {
        ...settings,
        stream: true,
        stream_options: { include_usage: true, ...settings.stream_options },
        messages: toChatMessages(request.messages),
        ...(tools.length > 0 && {
          tools: tools.map((tool) => definitionFor("openai-chat", tool)),
          tool_choice: toolChoice,
        }),
      },
      // The loop retries: with the SDK's retries too, a failing server would get nine requests.
      { signal, maxRetries: 0 },
    );
    yield* readChunks(stream);
  };
}

/** Reasoning as servers of open models send it; OpenAI's own types lack it. */
interface WithReasoning {
  readonly reasoning_content?: string | null;
}

async function* readChunks(chunks: AsyncIterable<OpenAI.ChatCompletionChunk>): AsyncGenerator<ModelDelta> {
  let reasoning = "";
  let refused = false;
  let index = -1;
  let reason: string | undefined;
  let usage: TokenUsage | undefined;
  for await (const { choices, usage: figures } of chunks) {
    if (figures != null) usage = readUsage(figures);
    const choice = choices?.[0];
    if (choice === undefined) continue;
    const delta: OpenAI.ChatCompletionChunk.Choice.Delta & WithReasoning = choice.delta ?? {};
    if (delta.content) yield { kind: "text", text: delta.content };
    if (delta.refusal) {
      refused = true;
      yield { kind: "text", text: delta.refusal };
    }
    reasoning += delta.reasoning_content ?? "";
    for (const part of delta.tool_calls ?? []) {
      // Some servers omit the index: a part with an id starts a call.
      index = part.index ?? (part.id ? index + 1 : Math.max(index, 0));
      yield {
        kind: "call-part",
        index,
        id: part.id,
        name: part.function?.name,
        arguments: part.function?.arguments,
      };
    }
    reason = choice.finish_reason ?? reason;
  }
  // Without a finish reason the turn was truncated. Emitting no `finish` delta lets the loop detect that.
  if (reason === undefined) return;
  const blocks = reasoning === "" ? [] : [{ data: reasoning }];
  yield {
    kind: "finish",
    reason: refused ? "refusal" : finishReason(reason),
    ...(blocks.length > 0 && { provider: { blocks } }),
    ...(usage !== undefined && { usage }),
  };
}

function readUsage(figures: OpenAI.CompletionUsage): TokenUsage {
  return readTokenUsage({
    input_tokens: figures.prompt_tokens,
    output_tokens: figures.completion_tokens,
    cached_tokens: figures.prompt_tokens_details?.cached_tokens,
    reasoning_tokens: figures.completion_tokens_details?.reasoning_tokens,
  });
}

/** Converts a conversation to messages of Chat Completions. Results can contain only text there. */
export function toChatMessages(messages: readonly Message[]): OpenAI.ChatCompletionMessageParam[] {
  return messages.map(messageParam);
}

function messageParam(message: ModelRequest["messages"][number]): OpenAI.ChatCompletionMessageParam {
  const { role, content, toolCallId, parts } = message;
  if (role === "tool") return { role, tool_call_id: toolCallId ?? "", content };
  if (role === "user" && parts !== undefined) return { role, content: parts.map(contentPart) };
  return role === "assistant" ? assistantParam(message) : { role, content };
}

function contentPart(part: ContentPart): OpenAI.ChatCompletionContentPart {
  if (part.kind === "image") return { type: "image_url", image_url: { url: urlOf(part) } };
  if (part.kind === "file" && part.data !== undefined) {
    return { type: "file", file: { filename: part.name ?? "file", file_data: urlOf(part) } };
  }
  return { type: "text", text: partText(part) };
}

function assistantParam({ content, toolCalls = [], provider }: Message): OpenAI.ChatCompletionMessageParam {
  const calls = toolCalls.map((call) => ({
    id: call.id,
    type: "function" as const,
    function: { name: call.name, arguments: argumentsText(call) },
  }));
  const reasoning = provider?.blocks.map(({ data }) => data).filter((data) => typeof data === "string") ?? [];
  return {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join("") }),
  };
}
