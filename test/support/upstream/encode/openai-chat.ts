import type { Json, JsonObject } from "../../../../src/core/model/tool-call.ts";
import { objectOf } from "../json.ts";
import type { SseEvent } from "../sse.ts";
import type { StopReason } from "../turn.ts";
import {
  citationsOf,
  type EncodeContext,
  type EncodedTurn,
  isCall,
  modelOf,
  pieces,
  type ResolvedBlock,
  type ResolvedCall,
  wholeText,
} from "./encoded-turn.ts";
import { logprobsOf, requestsLogprobs } from "./logprobs.ts";
import { apiStopReason } from "./stop-reason.ts";

const STOP_REASONS: { readonly [reason in StopReason]: string } = {
  end: "stop",
  calls: "tool_calls",
  length: "length",
  "stop-sequence": "stop",
  refusal: "content_filter",
  "content-filter": "content_filter",
};

/** Encodes a turn like OpenAI's Chat Completions API. */
export function encodeOpenaiChat(context: EncodeContext): EncodedTurn {
  const { request, turn, ids, tokens, nowMs } = context;
  const choices = [context.blocks, ...context.alternatives];
  const head = (object: string): JsonObject => ({ id, object, created: Math.floor(nowMs / 1000), model });
  const id = ids("chatcmpl");
  const model = modelOf(context);
  const usage: JsonObject = {
    prompt_tokens: tokens.input,
    completion_tokens: tokens.output,
    total_tokens: tokens.input + tokens.output,
    prompt_tokens_details: { cached_tokens: tokens.cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
  const withUsage = objectOf(request.body.stream_options).include_usage === true;

  const logprobs = (content: Json | undefined): Json =>
    requestsLogprobs(request) && typeof content === "string" ? { content: logprobsOf(content), refusal: null } : null;

  function* choiceChunks(blocks: readonly ResolvedBlock[], index: number): Generator<JsonObject> {
    for (const delta of deltas(context, blocks)) {
      yield { index, delta, logprobs: logprobs(delta.content), finish_reason: null };
    }
    yield { index, delta: {}, logprobs: null, finish_reason: apiStopReason(turn, blocks, STOP_REASONS) };
  }

  function* events(): Generator<SseEvent> {
    // When usage is requested, the API also sends it as null in every chunk before.
    const tail: JsonObject = withUsage ? { usage: null } : {};
    for (const choice of alternating(choices.map(choiceChunks))) {
      yield { data: { ...head("chat.completion.chunk"), system_fingerprint: null, choices: [choice], ...tail } };
    }
    if (withUsage) yield { data: { ...head("chat.completion.chunk"), system_fingerprint: null, choices: [], usage } };
    yield { data: "[DONE]" };
  }

  return {
    body: () => ({
      ...head("chat.completion"),
      choices: choices.map((blocks, index) => ({
        index,
        message: messageOf(blocks),
        logprobs: logprobs(messageOf(blocks).content),
        finish_reason: apiStopReason(turn, blocks, STOP_REASONS),
      })),
      usage,
      system_fingerprint: null,
    }),
    events,
  };
}

function messageOf(blocks: readonly ResolvedBlock[]): JsonObject {
  const calls = blocks.filter(isCall);
  const texts = blocks.filter((block) => block.kind === "text" || block.kind === "filler");
  const annotations = blocks.flatMap(citationsOf);
  const thoughts = blocks.filter((block) => block.kind === "thinking");
  return {
    role: "assistant",
    content: texts.length === 0 ? null : texts.map(wholeText).join(""),
    refusal: null,
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.map(wholeText).join("") }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => toolCall(call, call.argumentsText)) }),
  };
}

function* deltas({ turn }: EncodeContext, blocks: readonly ResolvedBlock[]): Generator<JsonObject> {
  const wholeCalls = turn.chunking?.wholeCalls === true;
  const hasText = blocks.some((block) => block.kind === "text" || block.kind === "filler");
  yield { role: "assistant", content: hasText ? "" : null, refusal: null };
  let index = -1;
  for (const block of blocks) {
    if (isCall(block)) {
      index += 1;
      yield { tool_calls: [{ index, ...toolCall(block, wholeCalls ? block.argumentsText : "") }] };
      if (wholeCalls) continue;
      const key = block.custom === true ? "custom" : "function";
      const field = block.custom === true ? "input" : "arguments";
      for (const piece of pieces(block, turn)) yield { tool_calls: [{ index, [key]: { [field]: piece } }] };
    } else {
      const field = block.kind === "thinking" ? "reasoning_content" : "content";
      for (const piece of pieces(block, turn)) yield { [field]: piece };
      if (citationsOf(block).length > 0) yield { annotations: citationsOf(block) };
    }
  }
}

function toolCall(call: ResolvedCall, argumentsText: string): { readonly [key: string]: Json } {
  return call.custom === true
    ? { id: call.id, type: "custom", custom: { name: call.name, input: argumentsText } }
    : { id: call.id, type: "function", function: { name: call.name, arguments: argumentsText } };
}

/** Interleaves the choices: on the real API their chunks arrive mixed. */
function* alternating<T>(sources: readonly Generator<T>[]): Generator<T> {
  let open = [...sources];
  while (open.length > 0) {
    const still: Generator<T>[] = [];
    for (const source of open) {
      const next = source.next();
      if (next.done === true) continue;
      yield next.value;
      still.push(source);
    }
    open = still;
  }
}
