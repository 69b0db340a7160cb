import type Anthropic from "@anthropic-ai/sdk";
import type { ContentPart, Message, ModelDelta, ModelFunction } from "../../agent/index.ts";
import { argumentsObject } from "../../agent/loop/events.ts";
import { partText } from "../../agent/model/content-part.ts";
import { definitionFor } from "../../agent/registry/definitions.ts";
import { isObject } from "../../core/wire/json.ts";
import { type PreservedBlock, readEvents } from "./read-events.ts";

type Create = Anthropic["messages"]["create"];

/** The part of an Anthropic client that is used. */
export interface AnthropicClient {
  readonly messages: { readonly create: Create };
}

/** All request parameters except messages and tools. */
export type AnthropicSettings = Omit<
  Anthropic.MessageCreateParamsStreaming,
  "messages" | "tools" | "tool_choice" | "stream" | "system"
>;

/**
 * A model of Anthropic's Messages API for the tool loop. Thinking blocks are sent back unchanged.
 *
 * @example
 * const model = anthropicModel(new Anthropic(), { model: "claude-sonnet-4-5", max_tokens: 8192 });
 */
export function anthropicModel(client: AnthropicClient, settings: AnthropicSettings): ModelFunction {
  return async function* (request): AsyncGenerator<ModelDelta> {
    const { tools, toolChoice, signal } = request;
    const stream = await client.messages.create(
      {
        ...settings,
        ...toAnthropicMessages(request.messages),
        stream: true,
        ...(tools.length > 0 && {
          tools: tools.map((tool) => definitionFor("anthropic", tool)),
          tool_choice: { type: toolChoice },
        }),
      },
      // The loop retries: with the SDK's retries too, a failing server would get nine requests.
      { signal, maxRetries: 0 },
    );
    yield* readEvents(stream);
  };
}

type Param = Anthropic.MessageParam;
type Block = Anthropic.ContentBlockParam;

/**
 * Converts a conversation for the API: leading system messages become `system`, and adjacent messages of one role are
 * merged.
 */
export function toAnthropicMessages(messages: readonly Message[]): { system?: string; messages: Param[] } {
  const firstTurn = messages.findIndex(({ role }) => role !== "system");
  const leading = firstTurn === -1 ? messages : messages.slice(0, firstTurn);
  const system = leading.map(({ content }) => content).join("\n\n");
  const params: { role: "user" | "assistant"; content: Block[] }[] = [];
  for (const message of messages.slice(leading.length)) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const blocks = role === "assistant" ? assistantBlocks(message) : userBlocks(message);
    const last = params.at(-1);
    if (blocks.length === 0) continue;
    if (last?.role === role) last.content.push(...blocks);
    else params.push({ role, content: blocks });
  }
  return { ...(system !== "" && { system }), messages: params };
}

function userBlocks({ role, content, toolCallId, isError, parts }: Message): Block[] {
  if (role !== "tool") return parts === undefined ? text(content) : parts.flatMap(contentBlocks);
  if (parts !== undefined) {
    const blocks = parts.flatMap(contentBlocks);
    return [
      {
        type: "tool_result",
        tool_use_id: validId(toolCallId ?? ""),
        ...(blocks.length > 0 && { content: blocks }),
        ...(isError === true && { is_error: true }),
      },
    ];
  }
  return [
    {
      type: "tool_result",
      tool_use_id: validId(toolCallId ?? ""),
      ...(content !== "" && { content }),
      ...(isError === true && { is_error: true }),
    },
  ];
}

type Content = Anthropic.TextBlockParam | Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam;

const IMAGES = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

/** Types that the API does not accept are represented by their text. */
function contentBlocks(part: ContentPart): Content[] {
  if (part.kind === "image" && part.url !== undefined) {
    return [{ type: "image", source: { type: "url", url: part.url } }];
  }
  const mediaType = part.kind === "image" ? IMAGES.find((type) => type === part.mediaType) : undefined;
  if (part.kind === "image" && part.data !== undefined && mediaType !== undefined) {
    return [{ type: "image", source: { type: "base64", media_type: mediaType, data: part.data } }];
  }
  if (part.kind === "file" && part.mediaType === "application/pdf") {
    const title = part.name === undefined ? {} : { title: part.name };
    const { data, url } = part;
    if (data !== undefined) {
      return [{ type: "document", ...title, source: { type: "base64", media_type: "application/pdf", data } }];
    }
    if (url !== undefined) return [{ type: "document", ...title, source: { type: "url", url } }];
  }
  const content = partText(part);
  return content.trim() === "" ? [] : [{ type: "text", text: content }];
}

function assistantBlocks({ content, toolCalls = [], provider }: Message): Block[] {
  // Thinking without text or a call is not sent back.
  if (content.trim() === "" && toolCalls.length === 0) return [];
  const preserved = (provider?.blocks ?? []).flatMap(({ data, callIds }) =>
    isPreserved(data) ? [{ ...data, callIds }] : [],
  );
  const blocks: Block[] = preserved.filter(({ before }) => before === "text").map(({ block }) => block);
  blocks.push(...text(content));
  const pending = preserved.filter(({ before }) => before === "calls");
  for (const call of toolCalls) {
    for (let [next] = pending; next !== undefined && next.callIds?.includes(call.id) !== false; [next] = pending) {
      blocks.push(next.block);
      pending.shift();
    }
    blocks.push({ type: "tool_use", id: validId(call.id), name: call.name, input: argumentsObject(call.arguments) });
  }
  blocks.push(...pending.filter(({ callIds }) => callIds === undefined).map(({ block }) => block));
  return blocks;
}

/** Skips blocks of another provider, with which a conversation may have started. */
function isPreserved(data: unknown): data is PreservedBlock {
  return isObject(data) && isObject(data.block) && (data.before === "text" || data.before === "calls");
}

/** The API rejects blank text. */
function text(content: string): Block[] {
  return content.trim() === "" ? [] : [{ type: "text", text: content }];
}

/**
 * Replaces characters such as dots and colons, which ids of other servers contain and this API rejects. Equal ids stay
 * equal.
 */
function validId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
}
