import type { UnrepairedReason } from "./types.ts";

/** The words for an end that nothing forced. Some servers already say that there are calls when there is only text. */
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
]);
const NAMED: Readonly<Record<string, UnrepairedReason>> = {
  length: "max-tokens",
  max_tokens: "max-tokens",
  max_output_tokens: "max-tokens",
  model_context_window_exceeded: "max-tokens",
  refusal: "refusal",
  content_filter: "content-filter",
  error: "error",
};

/** Why a turn that ended with this word is not mended; undefined when it may be. */
export function stopProblem(word: string | undefined): UnrepairedReason | undefined {
  if (word === undefined) return "aborted";
  return NORMAL.has(word) ? undefined : Object.hasOwn(NAMED, word) ? NAMED[word] : "unknown-stop-reason";
}
