import { count, type Fields, isObject, objects, omitUndefined, text } from "../json.ts";
import type { DecodedResponse, MadeCall, Usage } from "../turn.ts";
import { callOf, isMessage, itemText } from "./items.ts";
import { turnOf } from "./request.ts";

/** Decodes a complete response object or an error body. */
export function decodeResponse(body: unknown): DecodedResponse | undefined {
  if (!isObject(body)) return undefined;
  if (!Array.isArray(body.output)) {
    const failed = body.error !== undefined && body.error !== null;
    return failed ? { text: "", calls: [], usage: {}, finished: true, error: errorText(body.error) } : undefined;
  }
  const items = objects(body.output);
  const calls = items.flatMap(madeCall);
  const joinedText = items.filter(isMessage).map(itemText).join("\n");
  return omitUndefined({
    id: text(body.id),
    model: text(body.model),
    stopReason: stopReasonOf(body),
    text: joinedText,
    calls,
    // An empty turn leaves no trace in a history; only its id distinguishes it from other empty turns.
    signature: turnOf(calls, joinedText) || text(body.id),
    usage: usageOf(body.usage),
    error: isObject(body.error) ? errorText(body.error) : undefined,
    finished: true,
  });
}

function madeCall(item: Fields): readonly MadeCall[] {
  const call = callOf(item);
  return call?.name === undefined ? [] : [{ id: call.id, name: call.name, arguments: call.arguments ?? "" }];
}

/** The reason in `incomplete_details` is more specific than the status `incomplete`. */
function stopReasonOf({ status, incomplete_details: details }: Fields): string | undefined {
  return (isObject(details) ? text(details.reason) : undefined) ?? text(status);
}

export function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  const { type, code, message } = isObject(error) ? error : {};
  return [text(code) ?? text(type), text(message)].filter((part) => part !== undefined).join(": ") || "error";
}

function usageOf(usage: unknown): Usage {
  if (!isObject(usage)) return {};
  const details = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  return omitUndefined({
    input_tokens: count(usage.input_tokens),
    output_tokens: count(usage.output_tokens),
    cache_read_tokens: count(details.cached_tokens),
  });
}
