import type { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { roughTokens } from "./encode/encoded-turn.ts";
import type { IdSource } from "./ids.ts";
import { type Api, type Flavor, type ParsedRequest, parseRequest } from "./parsed-request.ts";
import { errorDetails } from "./provider-error.ts";
import { decodeBody } from "./receive-body.ts";
import { jsonReply, problemReply, type Reply, replyTo } from "./reply.ts";
import { apiForUnknownPath, modelList, pathOf, type Route, routeOf } from "./routes.ts";
import { checkRequest } from "./rules/check-request.ts";
import type { Problem } from "./rules/rule.ts";
import type { Script } from "./script.ts";
import type { Delivery } from "./turn.ts";

/** A request that broke a rule. */
export interface Rejection {
  readonly rule: string;
  readonly problem: Problem;
  readonly request: ParsedRequest;
}

export interface ResponderOptions {
  readonly script: Script;
  readonly flavor?: Flavor;
  readonly callIdsUniqueWithin?: "message" | "conversation";
  readonly apiKey?: string;
  readonly models?: readonly string[];
  readonly ids: IdSource;
  readonly now: () => number;
}

export interface Responder {
  readonly rejections: readonly Rejection[];
  respond(request: IncomingMessage, body: Buffer): Promise<{ readonly reply: Reply; readonly delivery: Delivery }>;
}

const DEFAULT_MODELS = ["claude-scripted-1", "gpt-scripted-1"];

/** Decides the response: checks the API key, the format, the provider's rules, and only then runs the script. */
export function createResponder(options: ResponderOptions): Responder {
  const { script, ids, now, flavor = "openai" } = options;
  const rejections: Rejection[] = [];
  const openCalls = new Map<string, ReadonlySet<string>>();
  let scriptCalls = 0;

  function plain(reply: Reply): { readonly reply: Reply; readonly delivery: Delivery } {
    return { reply, delivery: {} };
  }

  async function respondToModel(
    request: IncomingMessage,
    route: Extract<Route, { readonly kind: "model" }>,
    body: Buffer,
    requestId: string,
  ): Promise<{ readonly reply: Reply; readonly delivery: Delivery }> {
    const { api, operation } = route;
    const json = decodeBody(body, request.headers["content-encoding"]);
    if (json === undefined) return plain(problemReply(api, flavor, 400, notJson(api), requestId));
    const frame = {
      api,
      operation,
      nth: scriptCalls,
      path: pathOf(request.url ?? ""),
      isSse: request.url?.includes("alt=sse") === true,
      headers: request.headers,
      flavor,
      callIdsUniqueWithin: options.callIdsUniqueWithin ?? "message",
    } as const;
    const parsed = parseRequest(frame, json, (id) => openCalls.get(id));
    const violation = checkRequest(parsed);
    if (violation !== undefined) {
      rejections.push({ ...violation, request: parsed });
      return plain(problemReply(api, flavor, 400, { type: "invalid_request_error", ...violation.problem }, requestId));
    }
    if (operation === "count-tokens") {
      return plain(jsonReply({ input_tokens: roughTokens(body.length) }, api, requestId));
    }
    scriptCalls += 1;
    try {
      const turn = await script(parsed);
      const reply = replyTo(turn, {
        request: parsed,
        requestId,
        requestBytes: body.length,
        ids,
        nowMs: now(),
        remember: (responseId, callIds) => openCalls.set(responseId, new Set(callIds)),
      });
      return { reply, delivery: turn };
    } catch (error) {
      const message = `script failed: ${error instanceof Error ? error.message : String(error)}`;
      return plain(problemReply(api, flavor, 500, errorDetails(api, 500, { message }), requestId));
    }
  }

  return {
    rejections,
    async respond(request, body) {
      const { method = "", url = "" } = request;
      const route = routeOf(method, url);
      const isAnthropic = request.headers["anthropic-version"] !== undefined;
      const api = route.kind === "model" ? route.api : apiForUnknownPath(url, isAnthropic);
      const requestId = ids("req");
      if (route.kind === "root") return plain(jsonReply({ status: "ok" }, api, requestId));
      if (options.apiKey !== undefined && !keysOf(request).includes(options.apiKey)) {
        return plain(problemReply(api, flavor, 401, errorDetails(api, 401), requestId));
      }
      switch (route.kind) {
        case "model":
          return respondToModel(request, route, body, requestId);
        case "models":
          return plain(jsonReply(modelList(options.models ?? DEFAULT_MODELS, isAnthropic), api, requestId));
        case "wrong-method": {
          const message = `Not allowed to ${method} on ${pathOf(url)}`;
          return plain(
            problemReply(
              api,
              flavor,
              405,
              errorDetails(api, 405, { type: "invalid_request_error", message }),
              requestId,
            ),
          );
        }
        case "unknown": {
          const message = `Unknown request URL: ${method} ${pathOf(url)}`;
          return plain(problemReply(api, flavor, 404, errorDetails(api, 404, { message }), requestId));
        }
      }
    },
  };
}

/** Accepts either header: SDKs of both providers have used both. */
function keysOf({ headers }: IncomingMessage): (string | undefined)[] {
  const key = headers["x-api-key"];
  const google = headers["x-goog-api-key"];
  if (typeof google === "string") return [google];
  return [typeof key === "string" ? key : undefined, headers.authorization?.replace(/^Bearer /i, "")];
}

function notJson(api: Api) {
  const message =
    api === "anthropic-messages"
      ? "The request body is not valid JSON"
      : "We could not parse the JSON body of your request. The OpenAI API expects a JSON payload.";
  return { type: "invalid_request_error", message };
}
