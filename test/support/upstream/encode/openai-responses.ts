import type { JsonObject } from "../../../../src/core/model/tool-call.ts";
import type { SseEvent } from "../sse.ts";
import type { FillerBlock, TextBlock } from "../turn.ts";
import {
  citationsOf,
  type EncodeContext,
  type EncodedTurn,
  isCall,
  pieces,
  type ResolvedBlock,
  wholeText,
} from "./encoded-turn.ts";
import { logprobsOf, requestsLogprobs } from "./logprobs.ts";
import { type ResponseStatus, responseObject } from "./response-object.ts";
import { stopReasonOf } from "./stop-reason.ts";

type TypedData = JsonObject & { readonly type: string };

export interface EncodedResponse extends EncodedTurn {
  readonly id: string;
  /** The calls whose outputs the next request must contain. */
  readonly callIds: readonly string[];
}

/** Encodes a turn like OpenAI's Responses API: every block is an output item. */
export function encodeOpenaiResponses(context: EncodeContext): EncodedResponse {
  const { turn, blocks, ids } = context;
  const id = ids("resp");
  const items = blocks.map((block) => ({ block, id: ids(itemKind(block)) }));
  const logprobs = requestsLogprobs(context.request);
  const incompleteReason = incompleteReasonOf(context);
  const ending: ResponseStatus = incompleteReason === undefined ? "completed" : "incomplete";
  const output = () => items.map((item) => wholeItem(item.block, item.id, logprobs));
  const response = (status: ResponseStatus) =>
    status === "in_progress"
      ? responseObject(context, id, status, [], undefined)
      : responseObject(context, id, status, output(), incompleteReason);

  function* unnumbered(): Generator<TypedData> {
    yield { type: "response.created", response: response("in_progress") };
    yield { type: "response.in_progress", response: response("in_progress") };
    for (const [outputIndex, item] of items.entries()) {
      const place = { output_index: outputIndex };
      yield { type: "response.output_item.added", ...place, item: emptyItem(item.block, item.id) };
      yield* innerEvents(item.block, { item_id: item.id, ...place }, pieces(item.block, turn), logprobs);
      yield { type: "response.output_item.done", ...place, item: wholeItem(item.block, item.id, logprobs) };
    }
    yield { type: `response.${ending}`, response: response(ending) };
  }

  function* events(): Generator<SseEvent> {
    let sequence = 0;
    for (const { type, ...rest } of unnumbered()) {
      yield { event: type, data: { type, sequence_number: sequence, ...rest } };
      sequence += 1;
    }
  }

  return { id, callIds: blocks.filter(isCall).map((call) => call.id), body: () => response(ending), events };
}

function itemKind(block: ResolvedBlock): "msg" | "rs" | "fc" | "ctc" {
  switch (block.kind) {
    case "call":
      return block.custom === true ? "ctc" : "fc";
    case "thinking":
      return "rs";
    default:
      return "msg";
  }
}

function incompleteReasonOf({ turn, blocks }: EncodeContext): string | undefined {
  switch (stopReasonOf(turn, blocks)) {
    case "length":
      return "max_output_tokens";
    case "content-filter":
    case "refusal":
      return "content_filter";
    default:
      return undefined;
  }
}

function emptyItem(block: ResolvedBlock, id: string): JsonObject {
  switch (block.kind) {
    case "call":
      return callItem(block.custom === true, id, "in_progress", block.id, block.name, "");
    case "thinking":
      return { id, type: "reasoning", summary: [] };
    default:
      return { id, type: "message", status: "in_progress", content: [], role: "assistant" };
  }
}

function wholeItem(block: ResolvedBlock, id: string, logprobs: boolean): JsonObject {
  switch (block.kind) {
    case "call":
      return callItem(block.custom === true, id, "completed", block.id, block.name, block.argumentsText);
    case "thinking":
      return { id, type: "reasoning", summary: [{ type: "summary_text", text: block.text }] };
    default:
      return { id, type: "message", status: "completed", content: [wholePart(block, logprobs)], role: "assistant" };
  }
}

/** Codex declares the tools of a server in a namespace, which calls then name. */
function namesOf(name: string): JsonObject {
  const [, namespace, tool] = /^(mcp__\w+)\.(\w+)$/.exec(name) ?? [];
  return namespace === undefined || tool === undefined ? { name } : { name: tool, namespace };
}

function callItem(custom: boolean, id: string, status: string, callId: string, name: string, text: string): JsonObject {
  return custom
    ? { id, type: "custom_tool_call", status, call_id: callId, input: text, name }
    : { id, type: "function_call", status, arguments: text, call_id: callId, ...namesOf(name) };
}

const EMPTY_PART: JsonObject = { type: "output_text", annotations: [], logprobs: [], text: "" };

function wholePart(block: TextBlock | FillerBlock, logprobs: boolean): JsonObject {
  const text = wholeText(block);
  return { type: "output_text", annotations: citationsOf(block), logprobs: logprobs ? logprobsOf(text) : [], text };
}

/** The events between an item's `added` and its `done`. */
function* innerEvents(
  block: ResolvedBlock,
  place: JsonObject,
  parts: Iterable<string>,
  logprobs: boolean,
): Generator<TypedData> {
  if (block.kind === "call") {
    const [type, field] =
      block.custom === true
        ? ["response.custom_tool_call_input", "input"]
        : ["response.function_call_arguments", "arguments"];
    for (const delta of parts) yield { type: `${type}.delta`, ...place, delta };
    yield { type: `${type}.done`, ...place, [field]: block.argumentsText };
  } else if (block.kind === "thinking") {
    const part = { type: "summary_text", text: block.text };
    const where = { ...place, summary_index: 0 };
    yield { type: "response.reasoning_summary_part.added", ...where, part: { ...part, text: "" } };
    for (const delta of parts) yield { type: "response.reasoning_summary_text.delta", ...where, delta };
    yield { type: "response.reasoning_summary_text.done", ...where, text: block.text };
    yield { type: "response.reasoning_summary_part.done", ...where, part };
  } else {
    const text = wholeText(block);
    const probable = (delta: string) => (logprobs ? logprobsOf(delta) : []);
    const where = { ...place, content_index: 0 };
    yield { type: "response.content_part.added", ...where, part: EMPTY_PART };
    for (const delta of parts) yield { type: "response.output_text.delta", ...where, delta, logprobs: probable(delta) };
    for (const [index, annotation] of citationsOf(block).entries()) {
      yield { type: "response.output_text.annotation.added", ...where, annotation_index: index, annotation };
    }
    yield { type: "response.output_text.done", ...where, text, logprobs: probable(text) };
    yield { type: "response.content_part.done", ...where, part: wholePart(block, logprobs) };
  }
}
