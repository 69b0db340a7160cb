import type { ServerResponse } from "node:http";
import type { Api } from "../../core/wire/index.ts";
import { RESERVED_NAMES } from "../upstreams.ts";

/** Returns the error format that clients of a path expect: `chat` for both OpenAI APIs, `plain` for local routes. */
export function errorShape(url: string): Api | "plain" {
  const path = url.replace(/\?.*$/s, "").replace(/^\/~[^/]*/, "");
  if (path.includes("/publishers/anthropic/")) return "anthropic";
  if (/\/messages(?:\/|$)/.test(path) && !path.includes("/threads/")) return "anthropic";
  if (/:(?:generate|streamGenerate|embed|count)[A-Z]/.test(path) || /^\/v1(?:alpha|beta)\d*\//.test(path))
    return "gemini";
  if (/\/api\/(?:chat|generate)$/.test(path)) return "ollama";
  const [, first = "", slash] = /^\/([^/]*)(\/)?/.exec(path) ?? [];
  if (first === "v1") return "chat";
  return slash === undefined || RESERVED_NAMES.has(first) ? "plain" : "chat";
}

/** Sends an error in the shape of the path's API, or closes the connection if the response has begun. */
export function sendError(response: ServerResponse, path: string, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = errorBody(errorShape(path), status, message);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    // The rest of the request would be parsed as the next one.
    ...(status === 408 && { connection: "close" }),
  });
  response.end(body);
}

/** Formats an error like the API does, so that the client's error handling works. */
export function errorBody(shape: Api | "plain", status: number, message: string): string {
  switch (shape) {
    case "anthropic":
      return JSON.stringify({ type: "error", error: { type: anthropicType(status), message } });
    case "chat":
    case "responses":
      return JSON.stringify({ error: { message, type: openaiType(status), param: null, code: null } });
    case "gemini":
      return JSON.stringify({ error: { code: status, message, status: googleStatus(status) } });
    case "ollama":
      return JSON.stringify({ error: message });
    case "plain":
      return JSON.stringify({ error: { message } });
  }
}

function anthropicType(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  return status < 500 ? "invalid_request_error" : "api_error";
}

function googleStatus(status: number): string {
  if (status === 401) return "UNAUTHENTICATED";
  if (status === 403) return "PERMISSION_DENIED";
  if (status === 404) return "NOT_FOUND";
  return status < 500 ? "INVALID_ARGUMENT" : "UNAVAILABLE";
}

function openaiType(status: number): string {
  return status < 500 ? "invalid_request_error" : "server_error";
}
