import type { Json, JsonObject } from "../../../../src/core/model/tool-call.ts";
import { type EncodeContext, modelOf } from "./encoded-turn.ts";

export type ResponseStatus = "in_progress" | "completed" | "incomplete" | "failed";

/** The `response` object: the whole JSON body, and part of the first and last events of a stream. */
export function responseObject(
  context: EncodeContext,
  id: string,
  status: ResponseStatus,
  output: readonly JsonObject[],
  incompleteReason: string | undefined,
): JsonObject {
  const { request, nowMs, tokens } = context;
  const requested = (key: string, otherwise: Json): Json => request.body[key] ?? otherwise;
  const createdAt = Math.floor(nowMs / 1000);
  return {
    id,
    object: "response",
    created_at: createdAt,
    status,
    background: false,
    completed_at: status === "completed" ? createdAt : null,
    error: null,
    incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
    instructions: requested("instructions", null),
    max_output_tokens: requested("max_output_tokens", null),
    max_tool_calls: null,
    model: modelOf(context),
    output,
    parallel_tool_calls: requested("parallel_tool_calls", true),
    previous_response_id: requested("previous_response_id", null),
    prompt_cache_key: requested("prompt_cache_key", null),
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: "default",
    store: requested("store", true),
    temperature: requested("temperature", 1),
    text: { format: { type: "text" }, verbosity: "medium" },
    tool_choice: requested("tool_choice", "auto"),
    tools: request.tools,
    top_logprobs: 0,
    top_p: requested("top_p", 1),
    truncation: "disabled",
    usage:
      status === "in_progress"
        ? null
        : {
            input_tokens: tokens.input,
            input_tokens_details: { cached_tokens: tokens.cached },
            output_tokens: tokens.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: tokens.input + tokens.output,
          },
    user: null,
    metadata: requested("metadata", {}),
  };
}
