import { expect, it } from "vitest";
import { errorBody, errorShape } from "./api-error.ts";

it.each([
  ["/v1/messages", "anthropic"],
  ["/v1/messages?beta=true", "anthropic"],
  ["/v1/messages/count_tokens", "anthropic"],
  ["/~token/v1/messages", "anthropic"],
  ["/anthropic/v1/messages", "anthropic"],
  ["/v1/threads/thread_1/messages", "chat"],
  ["/v1/chat/completions", "chat"],
  ["/v1/responses", "chat"],
  ["/vllm/chat/completions", "chat"],
  ["/v1beta/models/m:generateContent?alt=sse", "gemini"],
  ["/gemini/v1beta/models/m:countTokens", "gemini"],
  ["/v1/models/m:streamGenerateContent", "gemini"],
  ["/vertex/v1/projects/p/locations/l/publishers/anthropic/models/m:rawPredict", "anthropic"],
  ["/api/chat", "ollama"],
  ["/ollama/api/chat", "ollama"],
  ["/", "plain"],
  ["/metrics", "plain"],
  ["/healthz", "plain"],
  ["/api/summary", "plain"],
  ["/api/ingest?x=/messages", "plain"],
  ["/assets/page.js", "plain"],
  ["/hooks/claude-code", "plain"],
])("errorShape maps %s to %s", (path, shape) => {
  expect(errorShape(path)).toBe(shape);
});

it.each([
  ["anthropic", 401, { type: "error", error: { type: "authentication_error", message: "m" } }],
  ["anthropic", 403, { type: "error", error: { type: "permission_error", message: "m" } }],
  ["anthropic", 415, { type: "error", error: { type: "invalid_request_error", message: "m" } }],
  ["anthropic", 502, { type: "error", error: { type: "api_error", message: "m" } }],
  ["gemini", 403, { error: { code: 403, message: "m", status: "PERMISSION_DENIED" } }],
  ["gemini", 502, { error: { code: 502, message: "m", status: "UNAVAILABLE" } }],
  ["ollama", 502, { error: "m" }],
  ["chat", 401, { error: { message: "m", type: "invalid_request_error", param: null, code: null } }],
  ["chat", 502, { error: { message: "m", type: "server_error", param: null, code: null } }],
  ["plain", 403, { error: { message: "m" } }],
] as const)("errorBody formats an error of %s with status %i like the API", (shape, status, body) => {
  expect(JSON.parse(errorBody(shape, status, "m"))).toEqual(body);
});
