import type { JsonObject } from "../../../src/core/model/tool-call.ts";
import type { Api, Flavor } from "./parsed-request.ts";
import type { SseEvent } from "./sse.ts";

/** An error before it takes a provider's shape. */
export interface ErrorDetails {
  readonly type: string;
  readonly message: string;
  readonly param?: string | null;
  readonly code?: string | null;
}

const ANTHROPIC: { readonly [status: number]: readonly [type: string, message: string] } = {
  400: ["invalid_request_error", "Invalid request"],
  401: ["authentication_error", "invalid x-api-key"],
  402: ["billing_error", "Your credit balance is too low to access the Anthropic API"],
  403: ["permission_error", "Your API key does not have permission to use the specified resource"],
  404: ["not_found_error", "Not found"],
  413: ["request_too_large", "Request exceeds the maximum size"],
  429: ["rate_limit_error", "This request would exceed your organization's rate limit"],
  500: ["api_error", "Internal server error"],
  504: ["timeout_error", "Request timed out"],
  529: ["overloaded_error", "Overloaded"],
};

const OPENAI: { readonly [status: number]: readonly [type: string, message: string, code?: string] } = {
  400: ["invalid_request_error", "Invalid request"],
  401: ["invalid_request_error", "Incorrect API key provided.", "invalid_api_key"],
  403: ["invalid_request_error", "You do not have access to this resource."],
  404: ["invalid_request_error", "Not found", "not_found"],
  429: ["requests", "Rate limit reached for requests", "rate_limit_exceeded"],
  500: ["server_error", "The server had an error while processing your request. Sorry about that!"],
  503: ["server_error", "The engine is currently overloaded, please try again later."],
};

/** The provider's error for this status, with the script's overrides. */
export function errorDetails(
  api: Api,
  status: number,
  stated: { readonly type?: string; readonly message?: string; readonly code?: string } = {},
): ErrorDetails {
  const table = api === "anthropic-messages" ? ANTHROPIC : OPENAI;
  const [type, message, code] = table[status] ?? table[status >= 500 ? 500 : 400] ?? ["api_error", "Error", undefined];
  return { type: stated.type ?? type, message: stated.message ?? message, code: stated.code ?? code ?? null };
}

/** The error as the body of an HTTP response. Mistral implements the Chat API, but with its own error shape. */
export function errorBody(api: Api, flavor: Flavor, details: ErrorDetails, requestId: string): JsonObject {
  const { type, message, param = null, code = null } = details;
  if (api === "openai-chat" && flavor === "mistral") return { object: "error", message, type, param, code };
  if (api === "ollama") return { error: message };
  if (api === "gemini") return { error: { code: 400, message, status: "INVALID_ARGUMENT" } };
  return api === "anthropic-messages"
    ? { type: "error", error: { type, message }, request_id: requestId }
    : { error: { message, type, param, code } };
}

/** The error as an event inside a stream that began with 200; `sequence` counts the events before it. */
export function errorEvent(api: Api, details: ErrorDetails, sequence: number): SseEvent {
  const { type, message, param = null, code = null } = details;
  switch (api) {
    case "anthropic-messages":
      return { event: "error", data: { type: "error", error: { type, message } } };
    case "ollama":
      return { data: { error: message } };
    case "gemini":
      return { data: { error: { code: 500, message, status: "INTERNAL" } } };
    case "openai-chat":
      return { data: { error: { message, type, param, code } } };
    case "openai-responses":
      return { event: "error", data: { type: "error", sequence_number: sequence, code: code ?? type, message, param } };
  }
}
