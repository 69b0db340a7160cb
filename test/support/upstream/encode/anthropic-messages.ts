import type { JsonObject } from "../../../../src/core/model/tool-call.ts";
import { isObject, parseJson } from "../json.ts";
import { type SseEvent, typedEvent } from "../sse.ts";
import type { StopReason } from "../turn.ts";
import {
  citationsOf,
  type EncodeContext,
  type EncodedTurn,
  modelOf,
  pieces,
  type ResolvedBlock,
  wholeText,
} from "./encoded-turn.ts";
import { apiStopReason } from "./stop-reason.ts";

const STOP_REASONS: { readonly [reason in StopReason]: string } = {
  end: "end_turn",
  calls: "tool_use",
  length: "max_tokens",
  "stop-sequence": "stop_sequence",
  refusal: "refusal",
  "content-filter": "refusal",
};

/** Encodes a turn like Anthropic's Messages API. */
export function encodeAnthropicMessages(context: EncodeContext): EncodedTurn {
  const { turn, blocks, ids, tokens } = context;
  const id = ids("msg");
  const signatures = blocks.map((block) =>
    block.kind === "thinking" ? (block.signature ?? ids("signature")) : undefined,
  );
  const stopReason = apiStopReason(turn, blocks, STOP_REASONS);
  const usage = (outputTokens: number): JsonObject => ({
    input_tokens: tokens.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: tokens.cached,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: outputTokens,
    service_tier: "standard",
  });
  const message = (content: readonly JsonObject[], stop: string | null, outputTokens: number): JsonObject => ({
    id,
    type: "message",
    role: "assistant",
    model: modelOf(context),
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: usage(outputTokens),
  });

  function* events(): Generator<SseEvent> {
    yield typedEvent({ type: "message_start", message: message([], null, 1) });
    for (const [index, block] of blocks.entries()) {
      yield typedEvent({ type: "content_block_start", index, content_block: emptyBlock(block) });
      // The API sends a ping once the first block is open, and again in every long pause.
      if (index === 0) yield typedEvent({ type: "ping" });
      for (const delta of deltas(block, pieces(block, turn), signatures[index])) {
        yield typedEvent({ type: "content_block_delta", index, delta });
      }
      yield typedEvent({ type: "content_block_stop", index });
    }
    yield typedEvent({
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: {
        input_tokens: tokens.input,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: tokens.cached,
        output_tokens: tokens.output,
      },
    });
    yield typedEvent({ type: "message_stop" });
  }

  return {
    body: () =>
      message(
        blocks.map((block, index) => wholeBlock(block, signatures[index])),
        stopReason,
        tokens.output,
      ),
    events,
  };
}

function emptyBlock(block: ResolvedBlock): JsonObject {
  switch (block.kind) {
    case "call":
      return { type: "tool_use", id: block.id, name: block.name, input: {} };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    default:
      return { type: "text", text: "" };
  }
}

function wholeBlock(block: ResolvedBlock, signature: string | undefined): JsonObject {
  switch (block.kind) {
    case "call":
      return { type: "tool_use", id: block.id, name: block.name, input: inputOf(block.argumentsText) };
    case "thinking":
      return { type: "thinking", thinking: block.text, signature: signature ?? "" };
    default:
      return citationsOf(block).length === 0
        ? { type: "text", text: wholeText(block) }
        : { type: "text", text: wholeText(block), citations: citationsOf(block) };
  }
}

function* deltas(block: ResolvedBlock, parts: Iterable<string>, signature: string | undefined): Generator<JsonObject> {
  // The first chunk of arguments is always empty on the real API.
  if (block.kind === "call") yield { type: "input_json_delta", partial_json: "" };
  for (const part of parts) {
    if (block.kind === "call") yield { type: "input_json_delta", partial_json: part };
    else if (block.kind === "thinking") yield { type: "thinking_delta", thinking: part };
    else yield { type: "text_delta", text: part };
  }
  for (const citation of citationsOf(block)) yield { type: "citations_delta", citation };
  if (block.kind === "thinking") yield { type: "signature_delta", signature: signature ?? "" };
}

/** JSON bodies contain parsed input: arguments that are not an object can only be streamed. */
function inputOf(argumentsText: string): JsonObject {
  const input = parseJson(argumentsText);
  if (isObject(input)) return input;
  throw new Error("a Messages response in JSON cannot contain arguments that are not a JSON object");
}
