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
  ["chat", 401, { error: { message: "m", type: "invalid_request_error", param: null, code: null } }],
  ["chat", 502, { error: { message: "m", type: "server_error", param: null, code: null } }],
  ["plain", 403, { error: { message: "m" } }],
] as const)("errorBody formats an error of %s with status %i like the API", (shape, status, body) => {
  expect(JSON.parse(errorBody(shape, status, "m"))).toEqual(body);
});
