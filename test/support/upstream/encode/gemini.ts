import type { JsonObject } from "../../../../src/core/model/tool-call.ts";
import { objectOf, parseJson } from "../json.ts";
import type { SseEvent } from "../sse.ts";
import type { StopReason } from "../turn.ts";
import {
  type EncodeContext,
  type EncodedTurn,
  isCall,
  modelOf,
  pieces,
  type ResolvedBlock,
  wholeText,
} from "./encoded-turn.ts";
import { apiStopReason } from "./stop-reason.ts";

/** There is no reason for calls. */
const STOP_REASONS: { readonly [reason in StopReason]: string } = {
  end: "STOP",
  calls: "STOP",
  length: "MAX_TOKENS",
  "stop-sequence": "STOP",
  refusal: "SAFETY",
  "content-filter": "SAFETY",
};

/** Encodes a turn like Google's API: every chunk is a response, and a call is never split. */
export function encodeGemini(context: EncodeContext): EncodedTurn {
  const { blocks, turn, tokens, ids } = context;
  const responseId = ids("resp");
  const finishReason = apiStopReason(turn, blocks, STOP_REASONS) ?? "STOP";
  const response = (parts: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
    candidates: [{ content: { parts, role: "model" }, ...more, index: 0 }],
    usageMetadata: {
      promptTokenCount: tokens.input,
      candidatesTokenCount: tokens.output,
      totalTokenCount: tokens.input + tokens.output,
      ...(tokens.cached > 0 && { cachedContentTokenCount: tokens.cached }),
    },
    modelVersion: modelOf(context),
    responseId,
  });

  function* events(): Generator<SseEvent> {
    for (const block of blocks) {
      if (isCall(block)) yield { data: response([partOf(block)]) };
      else for (const piece of pieces(block, turn)) yield { data: response([textPart(block, piece)]) };
    }
    yield { data: response([{ text: "" }], { finishReason }) };
  }

  return { body: () => response(blocks.map(partOf), { finishReason }), events };
}

function partOf(block: ResolvedBlock): JsonObject {
  if (!isCall(block)) return textPart(block, wholeText(block));
  const id = block.id === "" ? {} : { id: block.id };
  return { functionCall: { ...id, name: block.name, args: objectOf(parseJson(block.argumentsText)) } };
}

function textPart(block: ResolvedBlock, text: string): JsonObject {
  return block.kind === "thinking" ? { text, thought: true } : { text };
}
