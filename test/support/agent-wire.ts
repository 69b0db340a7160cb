import type { Message, ModelCall } from "../../src/agent/index.ts";
import type { Json, JsonObject } from "../../src/core/model/tool-call.ts";
import { type Api, type ParsedRequest, parseRequest } from "./upstream/parsed-request.ts";
import { checkRequest, type Violation } from "./upstream/rules/check-request.ts";

/** A conversation in the format of one API, as simple as possible. */
function bodyOf(api: Api, messages: readonly Message[]): JsonObject {
  if (api === "anthropic-messages") return { model: "m", max_tokens: 100, messages: anthropic(messages) };
  if (api === "openai-chat") return { model: "m", messages: messages.map(chat) };
  return { model: "m", input: messages.flatMap(responses) };
}

const argumentsText = (call: ModelCall): string =>
  typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);

function chat({ role, content, toolCalls, toolCallId }: Message): JsonObject {
  if (role === "tool") return { role, tool_call_id: toolCallId ?? null, content };
  if (toolCalls === undefined) return { role, content };
  const calls = toolCalls.map(
    (call): JsonObject => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: argumentsText(call) },
    }),
  );
  return { role, content: content === "" ? null : content, tool_calls: calls };
}

function anthropic(messages: readonly Message[]): JsonObject[] {
  const turns: { role: string; content: Json[] }[] = [];
  for (const { role, content, toolCalls = [], toolCallId, provider } of messages) {
    const speaker = role === "assistant" ? "assistant" : "user";
    const blocks: Json[] = (provider?.blocks ?? []).map(({ data }) => data as Json);
    if (role === "tool") blocks.push({ type: "tool_result", tool_use_id: toolCallId ?? null, content });
    else if (content !== "") blocks.push({ type: "text", text: content });
    for (const { id, name, arguments: input } of toolCalls)
      blocks.push({ type: "tool_use", id, name, input: input as Json });
    // Results and the user's next message are one turn.
    const last = turns.at(-1);
    if (last?.role === speaker && speaker === "user") last.content.push(...blocks);
    else turns.push({ role: speaker, content: blocks });
  }
  return turns;
}

function responses({ role, content, toolCalls = [], toolCallId, provider }: Message): JsonObject[] {
  if (role === "tool") return [{ type: "function_call_output", call_id: toolCallId ?? null, output: content }];
  const items: JsonObject[] = content === "" ? [] : [{ type: "message", role, content }];
  for (const call of toolCalls) {
    for (const { data, callIds } of provider?.blocks ?? [])
      if (callIds?.[0] === call.id) items.push(data as JsonObject);
    items.push({ type: "function_call", call_id: call.id, name: call.name, arguments: argumentsText(call) });
  }
  return items;
}

const APIS: readonly Api[] = ["anthropic-messages", "openai-chat", "openai-responses"];

/** Lists which of the three APIs would reject this conversation and why; empty for a valid one. */
export function refusals(messages: readonly Message[]): (Violation & { readonly api: Api })[] {
  return APIS.flatMap((api) => {
    const violation = checkRequest(requestOf(api, messages));
    return violation === undefined ? [] : [{ api, ...violation }];
  });
}

function requestOf(api: Api, messages: readonly Message[]): ParsedRequest {
  const frame = { api, operation: "generate", nth: 0, path: "/v1", headers: {}, flavor: "openai" } as const;
  return parseRequest({ ...frame, callIdsUniqueWithin: "conversation" }, bodyOf(api, messages));
}
