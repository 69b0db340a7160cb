import { count, type Fields, isObject, messageText, objects, omitUndefined, text } from "../json.ts";
import type { DecodedResponse, Usage } from "../turn.ts";

/**
 * Decodes a complete Chat Completions response or an error body. With several choices, the stop reason is that of the
 * first.
 */
export function decodeResponse(body: unknown): DecodedResponse | undefined {
  if (!isObject(body)) return undefined;
  if (body.error !== undefined && body.error !== null) {
    return { text: "", calls: [], usage: {}, finished: true, error: errorText(body.error) };
  }
  if (!Array.isArray(body.choices)) {
    const error = plainError(body);
    return error === undefined ? undefined : { text: "", calls: [], usage: {}, finished: true, error };
  }
  const choices = objects(body.choices);
  const messages = choices.map(({ message }) => (isObject(message) ? message : {}));
  return omitUndefined({
    id: text(body.id),
    model: text(body.model),
    stopReason: text(choices[0]?.finish_reason),
    text: messages.map(({ content }) => messageText(content)).join("\n"),
    calls: messages.flatMap(({ tool_calls }) => objects(tool_calls).flatMap(madeCall)),
    usage: usageOf(body.usage),
    finished: true,
  });
}

/** Error formats of local servers: `{object: "error", message}`, `{detail}`. */
function plainError({ object, message, detail }: Fields): string | undefined {
  if (object === "error") return text(message) ?? "error";
  if (detail === undefined || detail === null) return undefined;
  if (typeof detail === "string") return detail;
  try {
    return JSON.stringify(detail);
  } catch {
    // JSON.stringify overflows the stack on deeply nested values.
    return "error";
  }
}

function madeCall(call: Fields): readonly { id: string; name: string; arguments: unknown }[] {
  const called = isObject(call.function) ? call.function : {};
  const [id, name] = [text(call.id), text(called.name)];
  return id === undefined || name === undefined ? [] : [{ id, name, arguments: called.arguments ?? "" }];
}

export function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  const { type, message } = isObject(error) ? error : {};
  return [text(type), text(message)].filter((part) => part !== undefined).join(": ") || "error";
}

export function usageOf(usage: unknown): Usage {
  if (!isObject(usage)) return {};
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  return omitUndefined({
    input_tokens: count(usage.prompt_tokens),
    output_tokens: count(usage.completion_tokens),
    cache_read_tokens: count(details.cached_tokens),
  });
}
