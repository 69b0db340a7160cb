import type { JsonObject } from "../../../src/core/model/tool-call.ts";
import type { Api } from "./parsed-request.ts";

export type Route =
  | { readonly kind: "model"; readonly api: Api; readonly operation: "generate" | "count-tokens" }
  | { readonly kind: "models" }
  | { readonly kind: "root" }
  | { readonly kind: "wrong-method" }
  | { readonly kind: "unknown" };

const MODEL_PATHS: { readonly [path: string]: Route } = {
  "/v1/messages": { kind: "model", api: "anthropic-messages", operation: "generate" },
  "/v1/messages/count_tokens": { kind: "model", api: "anthropic-messages", operation: "count-tokens" },
  "/v1/chat/completions": { kind: "model", api: "openai-chat", operation: "generate" },
  "/api/chat": { kind: "model", api: "ollama", operation: "generate" },
  "/v1/responses": { kind: "model", api: "openai-responses", operation: "generate" },
};

/** Matches on the path alone: Claude Code requests `/v1/messages?beta=true`. */
export function routeOf(method: string, url: string): Route {
  const path = pathOf(url);
  const model = Object.hasOwn(MODEL_PATHS, path) ? MODEL_PATHS[path] : routeOfModelPath(path);
  if (model !== undefined) return method === "POST" ? model : { kind: "wrong-method" };
  if (path === "/v1/models")
    return method === "GET" || method === "HEAD" ? { kind: "models" } : { kind: "wrong-method" };
  if (path === "/") return method === "GET" || method === "HEAD" ? { kind: "root" } : { kind: "wrong-method" };
  return { kind: "unknown" };
}

function routeOfModelPath(path: string): Route | undefined {
  if (/\/publishers\/anthropic\/models\/[^/:]+:(?:rawPredict|streamRawPredict)$/.test(path))
    return { kind: "model", api: "anthropic-messages", operation: "generate" };
  return /\/models\/[^/:]+:(?:generateContent|streamGenerateContent)$/.test(path)
    ? { kind: "model", api: "gemini", operation: "generate" }
    : undefined;
}

export function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? url;
}

/** The error shape that a client expects for an unknown path. */
export function apiForUnknownPath(url: string, isAnthropic: boolean): Api {
  return isAnthropic || pathOf(url).startsWith("/v1/messages") ? "anthropic-messages" : "openai-chat";
}

/** The list of models, in the shape of the client's provider. */
export function modelList(models: readonly string[], isAnthropic: boolean): JsonObject {
  return isAnthropic
    ? {
        data: models.map((id) => ({ type: "model", id, display_name: id, created_at: "2026-01-01T00:00:00Z" })),
        has_more: false,
        first_id: models[0] ?? null,
        last_id: models.at(-1) ?? null,
      }
    : {
        object: "list",
        data: models.map((id) => ({ id, object: "model", created: 1767225600, owned_by: "upstream" })),
      };
}
