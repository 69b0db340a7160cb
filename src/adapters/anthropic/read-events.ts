import type Anthropic from "@anthropic-ai/sdk";
import type { ModelDelta, ProviderBlock, ProviderTurn } from "../../agent/index.ts";
import { readTokenUsage, type TokenUsage } from "../../core/model/token-usage.ts";
import { parseJson } from "../../core/wire/json.ts";
import { finishReason } from "../support.ts";

type Block = Anthropic.RawContentBlockStartEvent["content_block"];

/** A content block that is still being streamed. */
interface OpenBlock {
  readonly block: Block;
  /** The arguments of a call so far. */
  json: string;
}

/** A block that only the provider interprets, and the following block: text or a call. */
export interface PreservedBlock {
  readonly block: Anthropic.ContentBlockParam;
  readonly before: "text" | "calls";
}

/** Converts a stream of Anthropic events to deltas. */
export async function* readEvents(events: AsyncIterable<Anthropic.RawMessageStreamEvent>): AsyncGenerator<ModelDelta> {
  const blocks = new Map<number, OpenBlock>();
  let started: Partial<Anthropic.Usage> = {};
  for await (const event of events) {
    if (event.type === "message_start") started = event.message.usage ?? {};
    if (event.type === "message_delta") {
      const { stop_reason: reason } = event.delta;
      if (reason === null) continue;
      const provider = providerTurn([...blocks.values()].map(({ block }) => block));
      const usage = readUsage({ ...started, ...withoutNull(event.usage ?? {}) });
      yield { kind: "finish", reason: finishReason(reason), usage, ...(provider !== undefined && { provider }) };
      return;
    }
    const delta = readBlockEvent(event, blocks);
    if (delta !== undefined) yield delta;
  }
}

/** The final event repeats only some of the counts, and has null for others. */
function withoutNull(figures: object): object {
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== null));
}

/** Here the input excludes tokens read from or written to a cache. */
function readUsage(figures: Partial<Anthropic.Usage>): TokenUsage {
  const { input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: written } = figures;
  return readTokenUsage({
    input_tokens: input === undefined ? undefined : input + (read ?? 0) + (written ?? 0),
    output_tokens: figures.output_tokens,
    cached_tokens: read,
    cache_write_tokens: written,
  });
}

function readBlockEvent(
  event: Anthropic.RawMessageStreamEvent,
  blocks: Map<number, OpenBlock>,
): ModelDelta | undefined {
  switch (event.type) {
    case "content_block_start": {
      const block = structuredClone(event.content_block);
      blocks.set(event.index, { block, json: "" });
      if (block.type === "tool_use") return { kind: "call-part", index: event.index, id: block.id, name: block.name };
      return block.type === "text" && block.text !== "" ? { kind: "text", text: block.text } : undefined;
    }
    case "content_block_delta": {
      const { delta, index } = event;
      const open = blocks.get(index);
      if (open !== undefined) appendDelta(open, delta);
      if (delta.type === "text_delta") return { kind: "text", text: delta.text };
      return delta.type === "input_json_delta" && open?.block.type === "tool_use"
        ? { kind: "call-part", index, arguments: delta.partial_json }
        : undefined;
    }
    case "content_block_stop":
      return endBlock(event.index, blocks.get(event.index));
    default:
      return undefined;
  }
}
function endBlock(index: number, open: OpenBlock | undefined): ModelDelta | undefined {
  if (open === undefined) return undefined;
  const { block, json } = open;
  if (block.type === "server_tool_use" && json !== "") block.input = (parseJson(json) ?? {}) as typeof block.input;
  // The arguments of a call without a delta are in its start event.
  return block.type === "tool_use" && json === ""
    ? { kind: "call-part", index, arguments: JSON.stringify(block.input ?? {}) }
    : undefined;
}

function appendDelta(open: OpenBlock, delta: Anthropic.RawContentBlockDelta): void {
  const { block } = open;
  if (delta.type === "input_json_delta") open.json += delta.partial_json;
  if (block.type !== "thinking") return;
  if (delta.type === "thinking_delta") block.thinking += delta.thinking;
  if (delta.type === "signature_delta") block.signature = (block.signature ?? "") + delta.signature;
}

/**
 * The blocks that must be sent back with the turn. Signed thinking seals the turn: the provider rejects it if it was
 * changed.
 */
function providerTurn(blocks: readonly Block[]): ProviderTurn | undefined {
  const preserved = blocks.flatMap((block, at): ProviderBlock[] => {
    if (block.type === "text" || block.type === "tool_use") return [];
    const following = blocks.slice(at + 1);
    const next = following.find(({ type }) => type === "text" || type === "tool_use");
    const before = next?.type === "text" ? "text" : "calls";
    const data: PreservedBlock = { block: block as Anthropic.ContentBlockParam, before };
    const callIds = following.flatMap((later) => (later.type === "tool_use" ? [later.id] : []));
    return [before === "calls" && callIds.length > 0 ? { data, callIds } : { data }];
  });
  if (preserved.length === 0) return undefined;
  const sealed = blocks.some(({ type }) => type === "thinking" || type === "redacted_thinking");
  return sealed ? { sealed, blocks: preserved } : { blocks: preserved };
}
