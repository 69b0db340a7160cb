import type { Json, JsonObject } from "../../../../src/core/model/tool-call.ts";
import { arrayOf, objectOf, textOf } from "../json.ts";
import type { ParsedRequest } from "../parsed-request.ts";

/** A message of the history with its index. */
export interface PlacedMessage {
  readonly index: number;
  readonly role: string;
  readonly message: JsonObject;
  readonly calls: readonly PlacedCall[];
}

export interface PlacedCall {
  /** `messages[1].tool_calls[0]` */
  readonly path: string;
  readonly call: JsonObject;
  readonly id: Json | undefined;
}

export function placedMessages(request: ParsedRequest): PlacedMessage[] {
  return request.messages.map((value, index) => {
    const message = objectOf(value);
    const calls = arrayOf(message.tool_calls).map((entry, place) => {
      const call = objectOf(entry);
      return { path: `messages[${index}].tool_calls[${place}]`, call, id: call.id };
    });
    return { index, role: textOf(message.role), message, calls };
  });
}

export function placedCalls(request: ParsedRequest): PlacedCall[] {
  return placedMessages(request).flatMap((message) => message.calls);
}

/** An assistant message with calls, and the tool messages directly after it. */
export interface Exchange {
  readonly index: number;
  readonly callIds: readonly string[];
  readonly results: readonly { readonly index: number; readonly id: string }[];
}

/** The history as exchanges; tool messages without preceding calls are an exchange without calls. */
export function exchanges(request: ParsedRequest): Exchange[] {
  const found: { index: number; callIds: string[]; results: { index: number; id: string }[] }[] = [];
  let open: (typeof found)[number] | undefined;
  for (const { index, role, message, calls } of placedMessages(request)) {
    if (role === "tool") {
      if (open === undefined) {
        open = { index, callIds: [], results: [] };
        found.push(open);
      }
      open.results.push({ index, id: textOf(message.tool_call_id) });
      continue;
    }
    open = calls.length === 0 ? undefined : { index, callIds: calls.map((call) => textOf(call.id)), results: [] };
    if (open !== undefined) found.push(open);
  }
  return found;
}
