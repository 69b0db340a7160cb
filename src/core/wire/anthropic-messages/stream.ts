import { type Fields, isObject, omitUndefined, parseJson, text } from "../json.ts";
import type { DecodedResponse, StreamDecoder, Usage } from "../turn.ts";
import { errorText, usageOf } from "./response.ts";

interface OpenBlock {
  readonly kind: "text" | "call" | "other";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  parts: string[];
}

/** Assembles a streamed Messages response. */
export function createStreamDecoder(): StreamDecoder {
  const blocks = new Map<unknown, OpenBlock>();
  let id: string | undefined;
  let model: string | undefined;
  let stopReason: string | undefined;
  let usage: Usage = {};
  let error: string | undefined;
  let finished = false;

  const handlers: { readonly [type: string]: (event: Fields) => void } = {
    message_start({ message }) {
      if (!isObject(message)) return;
      id ??= text(message.id);
      model ??= text(message.model);
      usage = { ...usage, ...usageOf(message.usage) };
    },
    content_block_start({ index, content_block: block }) {
      if (!isObject(block) || blocks.has(index)) return;
      blocks.set(index, {
        kind: block.type === "text" ? "text" : block.type === "tool_use" ? "call" : "other",
        id: text(block.id) ?? "",
        name: text(block.name) ?? "",
        input: block.input,
        parts: typeof block.text === "string" && block.text !== "" ? [block.text] : [],
      });
    },
    content_block_delta({ index, delta }) {
      if (!isObject(delta)) return;
      const part =
        delta.type === "text_delta" ? delta.text : delta.type === "input_json_delta" ? delta.partial_json : undefined;
      if (typeof part === "string") blocks.get(index)?.parts.push(part);
    },
    message_delta({ delta, usage: final }) {
      if (isObject(delta)) stopReason = text(delta.stop_reason) ?? stopReason;
      usage = { ...usage, ...usageOf(final) };
    },
    message_stop() {
      finished = true;
    },
    error({ error: reported }) {
      error = errorText(reported);
    },
  };

  return {
    push(data, json) {
      const event = json ?? parseJson(data);
      if (!isObject(event) || typeof event.type !== "string") return;
      if (Object.hasOwn(handlers, event.type)) handlers[event.type]?.(event);
    },
    end(): DecodedResponse {
      const all = [...blocks.values()];
      return omitUndefined({
        id,
        model,
        stopReason,
        text: all.flatMap((block) => (block.kind === "text" ? [block.parts.join("")] : [])).join("\n"),
        calls: all.flatMap((block) =>
          block.kind === "call" && block.id !== "" && block.name !== ""
            ? [{ id: block.id, name: block.name, arguments: argumentsOf(block) }]
            : [],
        ),
        usage,
        error,
        finished,
      });
    },
  };
}

/** A call without arguments has no delta, or only an empty one. Its input is then in the start of the block. */
function argumentsOf(block: OpenBlock): unknown {
  const written = block.parts.join("");
  return written === "" ? (block.input ?? {}) : written;
}
