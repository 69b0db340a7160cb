import type { Json, JsonObject } from "../../src/core/model/tool-call.ts";
import type { ParsedRequest } from "../support/upstream/parsed-request.ts";
import type { Script } from "../support/upstream/script.ts";
import { call, respond, think } from "../support/upstream/turn.ts";
import type { ScriptedCall } from "./driven-client.ts";

/** One turn of the model: a call, or a text that may contain a leaked one. */
export type ScriptedTurn = ScriptedCall | { readonly text: string };

/** What the model says when the script is over. */
export const LAST_WORDS = "All scripted turns are done.";

/**
 * A model that makes one turn for each tool result in the history. It keeps no state, so retries, side requests and
 * sub-agents do not disturb it. Requests without tools (titles, summaries) get a short text.
 */
export function modelOf(turns: readonly ScriptedTurn[]): Script {
  return (request) => {
    if (request.tools.length === 0 && !hasToolItems(request)) return respond("A title");
    const turn = turns[resultCount(request.messages)] ?? { text: LAST_WORDS };
    // Anthropic's API refuses a later request if a turn of a thinking model has calls and no thought.
    const thoughts = fields(request.body.thinking ?? null).type === "enabled" ? [think("One step further.")] : [];
    return respond(...thoughts, "text" in turn ? turn.text : call(turn.tool, turn.arguments));
  };
}

/** Codex may declare its tools in an input item. */
function hasToolItems({ messages }: ParsedRequest): boolean {
  return messages.some((item) => fields(item).type === "additional_tools");
}

/** How many tool results a history contains, in the shape of any API. */
export function resultCount(messages: readonly Json[]): number {
  let results = 0;
  for (const message of messages.map(fields)) {
    if (message.role === "tool" || String(message.type).endsWith("_call_output")) results += 1;
    const blocks = Array.isArray(message.content) ? message.content : [];
    results += blocks.filter((block: Json) => fields(block).type === "tool_result").length;
    const parts = Array.isArray(message.parts) ? message.parts : [];
    results += parts.filter((part: Json) => "functionResponse" in fields(part)).length;
  }
  return results;
}

function fields(value: Json): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
