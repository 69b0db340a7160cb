import { count, isObject, messageText, objects, omitUndefined, text } from "../json.ts";
import type { DecodedResponse, Usage } from "../turn.ts";

/** Decodes a complete Messages response or an error body. */
export function decodeResponse(body: unknown): DecodedResponse | undefined {
  if (!isObject(body)) return undefined;
  if (body.type === "error") return { text: "", calls: [], usage: {}, finished: true, error: errorText(body.error) };
  if (body.type !== "message") return undefined;
  return omitUndefined({
    id: text(body.id),
    model: text(body.model),
    stopReason: text(body.stop_reason),
    text: messageText(objects(body.content).filter((block) => block.type === "text")),
    calls: objects(body.content).flatMap((block) => {
      const [id, name] = [text(block.id), text(block.name)];
      return block.type === "tool_use" && id !== undefined && name !== undefined
        ? [{ id, name, arguments: block.input }]
        : [];
    }),
    usage: usageOf(body.usage),
    finished: true,
  });
}

export function errorText(error: unknown): string {
  const { type, message } = isObject(error) ? error : {};
  return [text(type), text(message)].filter((part) => part !== undefined).join(": ") || "error";
}

export function usageOf(usage: unknown): Usage {
  if (!isObject(usage)) return {};
  return omitUndefined({
    input_tokens: count(usage.input_tokens),
    output_tokens: count(usage.output_tokens),
    cache_read_tokens: count(usage.cache_read_input_tokens),
    cache_creation_tokens: count(usage.cache_creation_input_tokens),
  });
}
