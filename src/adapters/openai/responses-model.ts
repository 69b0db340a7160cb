import type OpenAI from "openai";
import type {
  ContentPart,
  FinishReason,
  Message,
  ModelDelta,
  ModelFunction,
  ProviderBlock,
} from "../../agent/index.ts";
import { partText, urlOf } from "../../agent/model/content-part.ts";
import { definitionFor } from "../../agent/registry/definitions.ts";
import { readTokenUsage, type TokenUsage } from "../../core/model/token-usage.ts";
import { isObject } from "../../core/wire/json.ts";
import { argumentsText, finishReason } from "../support.ts";

type Create = OpenAI["responses"]["create"];
type InputItem = OpenAI.Responses.ResponseInputItem;
type OutputItem = OpenAI.Responses.ResponseOutputItem;

/** The part of an OpenAI client that is used. */
export interface OpenAIResponsesClient {
  readonly responses: { readonly create: Create };
}

/**
 * All request parameters except input and tools. The loop sends the complete history, so references to stored responses
 * are excluded.
 */
export type OpenAIResponsesSettings = Omit<
  OpenAI.Responses.ResponseCreateParamsStreaming,
  "input" | "tools" | "tool_choice" | "stream" | "previous_response_id" | "conversation" | "background"
>;

/**
 * A model of OpenAI's Responses API for the tool loop. Reasoning items are sent back before the calls they led to.
 * With `store: false` this requires encrypted reasoning: `include: ["reasoning.encrypted_content"]`.
 *
 * @example
 * const model = openaiResponsesModel(new OpenAI(), { model: "gpt-5.2", store: false, include: ["reasoning.encrypted_content"] });
 */
export function openaiResponsesModel(client: OpenAIResponsesClient, settings: OpenAIResponsesSettings): ModelFunction {
  return async function* (request): AsyncGenerator<ModelDelta> {
    const { tools, toolChoice, signal } = request;
    const stream = await client.responses.create(
      {
        ...settings,
        stream: true,
        input: toResponsesInput(request.messages),
        ...(tools.length > 0 && {
          tools: tools.map((tool) => definitionFor("openai-responses", tool)),
          tool_choice: toolChoice,
        }),
      },
      // The loop retries: with the SDK's retries too, a failing server would get nine requests.
      { signal, maxRetries: 0 },
    );
    yield* readEvents(stream, settings.store !== false);
  };
}

async function* readEvents(
  events: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>,
  isStored: boolean,
): AsyncGenerator<ModelDelta> {
  const items: OutputItem[] = [];
  let messages = 0;
  let refused = false;
  for await (const event of events) {
    switch (event.type) {
      case "response.output_item.added":
        // Separates two messages of one turn as paragraphs.
        if (event.item.type === "message" && messages++ > 0) yield { kind: "text", text: "\n\n" };
        break;
      case "response.output_text.delta":
        yield { kind: "text", text: event.delta };
        break;
      case "response.refusal.delta":
        refused = true;
        yield { kind: "text", text: event.delta };
        break;
      case "response.output_item.done":
        items.push(event.item);
        if (event.item.type === "function_call") {
          const { call_id: id, name, arguments: args } = event.item;
          yield { kind: "call", call: { id, name, arguments: args } };
        }
        break;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        yield finish(event.response, refused, reasoningBlocks(items, isStored));
        return;
      case "error":
        yield { kind: "finish", reason: "error", error: event };
        return;
    }
  }
}

function finish(response: OpenAI.Responses.Response, refused: boolean, blocks: readonly ProviderBlock[]): ModelDelta {
  const { status, incomplete_details: details, error, usage } = response;
  const reason: FinishReason = refused ? "refusal" : finishReason(details?.reason ?? status ?? "error");
  return {
    kind: "finish",
    reason,
    ...(blocks.length > 0 && { provider: { blocks } }),
    ...(error != null && { error }),
    ...(usage != null && { usage: readUsage(usage) }),
  };
}

function readUsage(figures: OpenAI.Responses.ResponseUsage): TokenUsage {
  return readTokenUsage({
    input_tokens: figures.input_tokens,
    output_tokens: figures.output_tokens,
    cached_tokens: figures.input_tokens_details?.cached_tokens,
    reasoning_tokens: figures.output_tokens_details?.reasoning_tokens,
  });
}

/** Reasoning belongs to the calls that follow it, unless a message comes first. */
function reasoningBlocks(items: readonly OutputItem[], isStored: boolean): ProviderBlock[] {
  return items.flatMap((item, at): ProviderBlock[] => {
    if (item.type !== "reasoning" || (!isStored && !item.encrypted_content)) return [];
    const callIds: string[] = [];
    for (const next of items.slice(at + 1)) {
      if (next.type === "reasoning" && callIds.length > 0) break;
      if (next.type === "message") break;
      if (next.type === "function_call") callIds.push(next.call_id);
    }
    return [callIds.length > 0 ? { data: item, callIds } : { data: item }];
  });
}

/** Converts a conversation to input items of the Responses API. */
export function toResponsesInput(messages: readonly Message[]): InputItem[] {
  return messages.flatMap(inputItems);
}

function inputItems(message: Message): InputItem[] {
  const { role, content, toolCallId, toolCalls = [], provider, parts } = message;
  if (role === "tool") {
    const output = parts === undefined ? content : parts.map(inputContent);
    return [{ type: "function_call_output", call_id: toolCallId ?? "", output }];
  }
  if (role !== "assistant") return [{ role, content: parts === undefined ? content : parts.map(inputContent) }];
  // Skips blocks of another provider, with which a conversation may have started.
  const blocks = (provider?.blocks ?? []).filter(({ data }) => isObject(data) && data.type === "reasoning");
  const items: InputItem[] = [];
  // The API rejects a reasoning item without a following item.
  if (content !== "" || toolCalls.length > 0)
    items.push(...blocks.filter(({ callIds }) => callIds === undefined).map(asItem));
  if (content !== "") items.push({ role, content });
  const pending = blocks.filter(({ callIds }) => callIds !== undefined);
  for (const call of toolCalls) {
    for (let [next] = pending; next?.callIds?.includes(call.id) === true; [next] = pending) {
      items.push(asItem(next));
      pending.shift();
    }
    items.push({ type: "function_call", call_id: call.id, name: call.name, arguments: argumentsText(call) });
  }
  return items;
}

function inputContent(part: ContentPart): OpenAI.Responses.ResponseInputContent {
  if (part.kind === "image") return { type: "input_image", image_url: urlOf(part), detail: "auto" };
  if (part.kind === "file" && part.data !== undefined) {
    return { type: "input_file", filename: part.name ?? "file", file_data: urlOf(part) };
  }
  if (part.kind === "file" && part.url !== undefined) return { type: "input_file", file_url: part.url };
  return { type: "input_text", text: partText(part) };
}

function asItem({ data }: ProviderBlock): InputItem {
  return data as InputItem;
}
