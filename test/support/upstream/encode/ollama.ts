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
  type ResolvedCall,
  wholeText,
} from "./encoded-turn.ts";
import { apiStopReason } from "./stop-reason.ts";

const STOP_REASONS: { readonly [reason in StopReason]: string } = {
  end: "stop",
  calls: "stop",
  length: "length",
  "stop-sequence": "stop",
  refusal: "stop",
  "content-filter": "stop",
};

/** Encodes a turn like Ollama's own chat API. An event becomes a line. */
export function encodeOllama(context: EncodeContext): EncodedTurn {
  const { blocks, turn, tokens, nowMs } = context;
  const head = { model: modelOf(context), created_at: new Date(nowMs).toISOString() };
  const line = (message: JsonObject): SseEvent => ({
    data: { ...head, message: { role: "assistant", ...message }, done: false },
  });
  const end: JsonObject = {
    done: true,
    done_reason: apiStopReason(turn, blocks, STOP_REASONS) ?? "stop",
    ...{
      total_duration: 5_000_000,
      load_duration: 1_000_000,
      prompt_eval_duration: 1_000_000,
      eval_duration: 3_000_000,
    },
    ...{ prompt_eval_count: tokens.input, eval_count: tokens.output },
  };

  function* events(): Generator<SseEvent> {
    for (const block of blocks) {
      if (isCall(block)) yield line({ content: "", tool_calls: [toolCall(block, 0)] });
      else
        for (const piece of pieces(block, turn))
          yield line(block.kind === "thinking" ? { content: "", thinking: piece } : { content: piece });
    }
    yield { data: { ...head, message: { role: "assistant", content: "" }, ...end } };
  }

  const texts = (isThinking: boolean): string =>
    blocks
      .flatMap((block) => (!isCall(block) && (block.kind === "thinking") === isThinking ? [wholeText(block)] : []))
      .join("");
  const calls = blocks.filter(isCall);
  const message: JsonObject = {
    ...{ role: "assistant", content: texts(false) },
    ...(texts(true) !== "" && { thinking: texts(true) }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
  };
  return { body: () => ({ ...head, message, ...end }), events };
}

function toolCall({ id, name, argumentsText }: ResolvedCall, index: number): JsonObject {
  return {
    ...(id !== "" && { id }),
    function: { index, name, arguments: objectOf(parseJson(argumentsText)) },
  };
}
