import type Anthropic from "@anthropic-ai/sdk";
import type { Message } from "../../agent/index.ts";
import { argumentsObject } from "../../agent/loop/events.ts";
import { isObject } from "../../core/wire/json.ts";
import type { KeptBlock } from "./read-events.ts";

type Param = Anthropic.MessageParam;
type Block = Anthropic.ContentBlockParam;

/** A conversation as the API takes it: what the system says first stands apart, and neighbours of one role are one message. */
export function messageParams(messages: readonly Message[]): { system?: string; messages: Param[] } {
  const spoken = messages.findIndex(({ role }) => role !== "system");
  const first = spoken === -1 ? messages : messages.slice(0, spoken);
  const system = first.map(({ content }) => content).join("\n\n");
  const params: { role: "user" | "assistant"; content: Block[] }[] = [];
  for (const message of messages.slice(first.length)) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const blocks = role === "assistant" ? assistantBlocks(message) : userBlocks(message);
    const last = params.at(-1);
    if (blocks.length === 0) continue;
    if (last?.role === role) last.content.push(...blocks);
    else params.push({ role, content: blocks });
  }
  return { ...(system !== "" && { system }), messages: params };
}

function userBlocks({ role, content, toolCallId, isError }: Message): Block[] {
  if (role !== "tool") return text(content);
  return [
    {
      type: "tool_result",
      tool_use_id: validId(toolCallId ?? ""),
      ...(content !== "" && { content }),
      ...(isError === true && { is_error: true }),
    },
  ];
}

function assistantBlocks({ content, toolCalls = [], provider }: Message): Block[] {
  // Thinking that led to nothing is no message.
  if (content.trim() === "" && toolCalls.length === 0) return [];
  const kept = (provider?.blocks ?? []).flatMap(({ data, callIds }) => (isKept(data) ? [{ ...data, callIds }] : []));
  const blocks: Block[] = kept.filter(({ before }) => before === "text").map(({ block }) => block);
  blocks.push(...text(content));
  const waiting = kept.filter(({ before }) => before === "calls");
  for (const call of toolCalls) {
    while (waiting.length > 0 && waiting[0]?.callIds?.includes(call.id) !== false)
      blocks.push((waiting.shift() as KeptBlock).block);
    blocks.push({ type: "tool_use", id: validId(call.id), name: call.name, input: argumentsObject(call.arguments) });
  }
  blocks.push(...waiting.filter(({ callIds }) => callIds === undefined).map(({ block }) => block));
  return blocks;
}

/** A conversation may have begun with another provider, whose blocks mean nothing here. */
function isKept(data: unknown): data is KeptBlock {
  return isObject(data) && isObject(data.block) && (data.before === "text" || data.before === "calls");
}

/** Blank text is refused. */
function text(content: string): Block[] {
  return content.trim() === "" ? [] : [{ type: "text", text: content }];
}

/** Ids of other servers hold dots and colons, which this API refuses. The same id becomes the same. */
function validId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
}
