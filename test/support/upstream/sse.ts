import type { JsonObject } from "../../../src/core/model/tool-call.ts";

/** One event of a provider's stream. Anthropic and Responses name it, Chat does not. */
export interface SseEvent {
  readonly event?: string;
  readonly data: JsonObject | "[DONE]";
}

/** The event as sent on the wire. */
export function sseFrame({ event, data }: SseEvent): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return event === undefined ? `data: ${text}\n\n` : `event: ${event}\ndata: ${text}\n\n`;
}

/** An event whose SSE name is its JSON `type`, as in Anthropic's and the Responses API. */
export function typedEvent(data: JsonObject & { readonly type: string }): SseEvent {
  return { event: data.type, data };
}
