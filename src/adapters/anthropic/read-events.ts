import type Anthropic from "@anthropic-ai/sdk";
import type { ModelDelta, ProviderBlock, ProviderTurn } from "../../agent/index.ts";
import { parseJson } from "../../core/wire/json.ts";
import { finishReason } from "../finish-reason.ts";

type Block = Anthropic.RawContentBlockStartEvent["content_block"];

/** A block as it grows. */
interface Growing {
  readonly block: Block;
  /** The arguments of a call so far. */
  json: string;
}

/** A block of the model's that the loop does not read, and what stood behind it: the text, or a call. */
export interface KeptBlock {
  readonly block: Anthropic.ContentBlockParam;
  readonly before: "text" | "calls";
}

/** A stream of Anthropic's events as deltas. */
export async function* readEvents(events: AsyncIterable<Anthropic.RawMessageStreamEvent>): AsyncGenerator<ModelDelta> {
  const blocks = new Map<number, Growing>();
  for await (const event of events) {
    switch (event.type) {
      case "content_block_start": {
        const block = structuredClone(event.content_block);
        blocks.set(event.index, { block, json: "" });
        if (block.type === "text" && block.text !== "") yield { kind: "text", text: block.text };
        if (block.type === "tool_use") yield { kind: "call-part", index: event.index, id: block.id, name: block.name };
        break;
      }
      case "content_block_delta": {
        const { delta, index } = event;
        const growing = blocks.get(index);
        if (growing !== undefined) grow(growing, delta);
        if (delta.type === "text_delta") yield { kind: "text", text: delta.text };
        if (delta.type === "input_json_delta" && growing?.block.type === "tool_use")
          yield { kind: "call-part", index, arguments: delta.partial_json };
        break;
      }
      case "content_block_stop": {
        const { block, json } = blocks.get(event.index) ?? {};
        // A call without arguments has no delta of them.
        if (block?.type === "tool_use" && json === "")
          yield { kind: "call-part", index: event.index, arguments: JSON.stringify(block.input ?? {}) };
        if (block?.type === "server_tool_use" && json !== undefined && json !== "")
          block.input = (parseJson(json) ?? {}) as typeof block.input;
        break;
      }
      case "message_delta": {
        const { stop_reason: reason } = event.delta;
        if (reason === null) break;
        const provider = providerTurn([...blocks.values()].map(({ block }) => block));
        yield { kind: "finish", reason: finishReason(reason), ...(provider !== undefined && { provider }) };
        return;
      }
    }
  }
}

function grow(growing: Growing, delta: Anthropic.RawContentBlockDelta): void {
  const { block } = growing;
  if (delta.type === "input_json_delta") growing.json += delta.partial_json;
  if (block.type !== "thinking") return;
  if (delta.type === "thinking_delta") block.thinking += delta.thinking;
  if (delta.type === "signature_delta") block.signature = (block.signature ?? "") + delta.signature;
}

/** What must go back with the turn. Signed thinking seals it: the provider compares it with what it sent. */
function providerTurn(blocks: readonly Block[]): ProviderTurn | undefined {
  const kept = blocks.flatMap((block, at): ProviderBlock[] => {
    if (block.type === "text" || block.type === "tool_use") return [];
    const behind = blocks.slice(at + 1);
    const next = behind.find(({ type }) => type === "text" || type === "tool_use");
    const before = next?.type === "text" ? "text" : "calls";
    const data: KeptBlock = { block: block as Anthropic.ContentBlockParam, before };
    const callIds = behind.flatMap((later) => (later.type === "tool_use" ? [later.id] : []));
    return [before === "calls" && callIds.length > 0 ? { data, callIds } : { data }];
  });
  if (kept.length === 0) return undefined;
  const sealed = blocks.some(({ type }) => type === "thinking" || type === "redacted_thinking");
  return sealed ? { sealed, blocks: kept } : { blocks: kept };
}
