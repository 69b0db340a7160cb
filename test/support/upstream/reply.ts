import { Buffer } from "node:buffer";
import type { JsonObject } from "../../../src/core/model/tool-call.ts";
import { encodeAnthropicMessages } from "./encode/anthropic-messages.ts";
import { createEncodeContext } from "./encode/encoded-turn.ts";
import { encodeGemini } from "./encode/gemini.ts";
import { encodeOllama } from "./encode/ollama.ts";
import { encodeOpenaiChat } from "./encode/openai-chat.ts";
import { encodeOpenaiResponses } from "./encode/openai-responses.ts";
import { type Fault, faultOf } from "./faults.ts";
import type { IdSource } from "./ids.ts";
import type { Api, Flavor, ParsedRequest } from "./parsed-request.ts";
import { lengthIsKnown, type PlanOptions, planBody, planStream, type Step } from "./plan.ts";
import { type ErrorDetails, errorBody, errorDetails, errorEvent } from "./provider-error.ts";
import type { Block, Delivery, ErrorTurn, ModelTurn, RawTurn, Turn } from "./turn.ts";

/** A turn encoded for the socket. */
export interface Reply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly steps: Iterable<Step>;
}

export interface ReplyContext {
  readonly request: ParsedRequest;
  readonly requestId: string;
  readonly requestBytes: number;
  readonly ids: IdSource;
  readonly nowMs: number;
  /** Called for every Responses response, with the calls whose outputs the next request must contain. */
  readonly remember: (responseId: string, callIds: readonly string[]) => void;
}

const DELTA_TEXT = "tick ";

export function replyTo(turn: Turn, context: ReplyContext): Reply {
  switch (turn.kind) {
    case "answer":
      return encodeReply(turn, context);
    case "error":
      return errorReply(turn, context);
    case "raw":
      return rawReply(turn, context);
  }
}

/** An error of the upstream itself, independent of the script. */
export function problemReply(
  api: Api,
  flavor: Flavor,
  status: number,
  details: ErrorDetails,
  requestId: string,
): Reply {
  const body = JSON.stringify(errorBody(api, flavor, details, requestId));
  return bodyReply(status, "application/json", body, api, requestId, {});
}

/** Any other JSON response. */
export function jsonReply(body: JsonObject, api: Api, requestId: string): Reply {
  return bodyReply(200, "application/json", JSON.stringify(body), api, requestId, {});
}

function encodeReply(stated: ModelTurn, context: ReplyContext): Reply {
  const { request, requestId, ids, nowMs, requestBytes } = context;
  const turn = grown(stated);
  const encoded = encode(createEncodeContext(request, turn, ids, nowMs, requestBytes), context);
  if (!request.stream) {
    return bodyReply(200, "application/json", JSON.stringify(encoded.body()), request.api, requestId, turn);
  }
  if (request.api === "gemini" && request.isSse !== true) {
    const chunks = [...encoded.events()].map(({ data }) => JSON.stringify(data, null, 2));
    const body = `[${chunks.join("\n,\r\n")}\n]\n`;
    return bodyReply(200, "application/json; charset=UTF-8", body, request.api, requestId, turn);
  }
  if (request.api === "ollama") {
    return {
      status: 200,
      headers: { "content-type": "application/x-ndjson", ...commonHeaders(request.api, requestId, turn) },
      steps: planStream(encoded.events(), {
        ...planOptions(turn, request.api),
        write: ({ data }) => `${JSON.stringify(data)}\n`,
      }),
    };
  }
  return {
    status: 200,
    headers: {
      "content-type": request.api === "openai-chat" ? "text/event-stream" : "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      ...commonHeaders(request.api, requestId, turn),
    },
    steps: planStream(encoded.events(), planOptions(turn, request.api)),
  };
}

function encode(context: ReturnType<typeof createEncodeContext>, { remember }: ReplyContext) {
  switch (context.request.api) {
    case "anthropic-messages":
      return encodeAnthropicMessages(context);
    case "openai-chat":
      return encodeOpenaiChat(context);
    case "gemini":
      return encodeGemini(context);
    case "ollama":
      return encodeOllama(context);
    case "openai-responses": {
      const encoded = encodeOpenaiResponses(context);
      remember(encoded.id, encoded.callIds);
      return encoded;
    }
  }
}

function errorReply(turn: ErrorTurn, { request, requestId }: ReplyContext): Reply {
  const { api, flavor } = request;
  const body = turn.body ?? JSON.stringify(errorBody(api, flavor, errorDetails(api, turn.status, turn), requestId));
  const retry = turn.retryAfter === undefined ? {} : { "retry-after": String(turn.retryAfter) };
  const headers = { ...retry, ...turn.headers };
  return bodyReply(turn.status, "application/json", body, api, requestId, { ...turn, headers });
}

function rawReply(turn: RawTurn, { request, requestId }: ReplyContext): Reply {
  return bodyReply(turn.status ?? 200, turn.contentType, turn.body, request.api, requestId, turn);
}

function bodyReply(
  status: number,
  contentType: string,
  body: string | Uint8Array,
  api: Api,
  requestId: string,
  delivery: Delivery,
): Reply {
  const faults = delivery.faults ?? [];
  const length = lengthIsKnown(body, faults) ? { "content-length": String(Buffer.byteLength(body)) } : {};
  return {
    status,
    headers: { "content-type": contentType, ...length, ...commonHeaders(api, requestId, delivery) },
    steps: planBody(body, planOptions(delivery, api)),
  };
}

function commonHeaders(api: Api, requestId: string, { faults = [], headers = {} }: Delivery): Record<string, string> {
  const contentType = faultOf(faults, "content-type")?.contentType;
  const encoding = faultOf(faults, "encoded")?.encoding;
  return {
    [api === "anthropic-messages" ? "request-id" : "x-request-id"]: requestId,
    ...(contentType === undefined ? {} : { "content-type": contentType }),
    ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    ...headers,
  };
}

function planOptions({ faults = [], delays }: Delivery, api: Api): PlanOptions {
  return {
    faults,
    errorEvent: (stated, sequence) =>
      errorEvent(api, errorDetails(api, api === "anthropic-messages" ? 529 : 500, stated), sequence),
    ...(delays?.eventMs === undefined ? {} : { eventMs: delays.eventMs }),
  };
}

/** Size faults add text before the first call, in the same encoding as the rest of the response. */
function grown(turn: ModelTurn): ModelTurn {
  const more = (turn.faults ?? []).flatMap(blocksOfFault);
  const firstCall = turn.blocks.findIndex((block) => block.kind === "call");
  return { ...turn, blocks: turn.blocks.toSpliced(firstCall < 0 ? turn.blocks.length : firstCall, 0, ...more) };
}

function blocksOfFault(fault: Fault): Block[] {
  switch (fault.kind) {
    case "huge-body":
      return [{ kind: "filler", bytes: fault.bytes }];
    case "many-events":
      return [{ kind: "text", text: DELTA_TEXT.repeat(fault.events), characters: DELTA_TEXT.length }];
    default:
      return [];
  }
}
