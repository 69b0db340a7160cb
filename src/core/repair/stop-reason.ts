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
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refusal",
  content_filter: "content-filter",
  error: "error",
};

/** Why a turn that ended with this word is not mended; undefined when it may be. */
export function stopProblem(word: string | undefined): UnrepairedReason | undefined {
  if (word === undefined) return "broken-off";
  return NORMAL.has(word) ? undefined : Object.hasOwn(NAMED, word) ? NAMED[word] : "ended-otherwise";
}
