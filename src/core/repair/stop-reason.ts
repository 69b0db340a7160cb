import type { UnrepairedReason } from "./types.ts";

/** Stop reasons of a normal end. Some servers report `tool_calls` although the response has only text. */
const NORMAL = new Set([
  "stop",
  "end_turn",
  "stop_sequence",
  "tool_use",
  "tool_calls",
  "function_call",
  "eos",
  "eos_token",
  "completed",
  "STOP",
]);
const ABNORMAL: Readonly<Record<string, UnrepairedReason>> = {
  length: "max-tokens",
  max_tokens: "max-tokens",
  max_output_tokens: "max-tokens",
  model_context_window_exceeded: "max-tokens",
  refusal: "refusal",
  content_filter: "content-filter",
  error: "error",
  MAX_TOKENS: "max-tokens",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  LANGUAGE: "content-filter",
  BLOCKLIST: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  SPII: "content-filter",
  MALFORMED_FUNCTION_CALL: "malformed-call",
  OTHER: "error",
};

/** Why a turn with this stop reason is not repaired; undefined if it may be. */
export function stopProblem(stopReason: string | undefined): UnrepairedReason | undefined {
  if (stopReason === undefined) return "aborted";
  return NORMAL.has(stopReason)
    ? undefined
    : Object.hasOwn(ABNORMAL, stopReason)
      ? ABNORMAL[stopReason]
      : "unknown-stop-reason";
}
