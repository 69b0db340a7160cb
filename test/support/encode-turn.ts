import type { JsonObject } from "../../src/core/model/tool-call.ts";
import type { CallIdApi as Api } from "../../src/core/wire/call-ids.ts";
import { EventFramer, type Frame } from "../../src/core/wire/event-framer.ts";
import { encodeAnthropicMessages } from "./upstream/encode/anthropic-messages.ts";
import { createEncodeContext, type EncodedTurn } from "./upstream/encode/encoded-turn.ts";
import { encodeOpenaiChat } from "./upstream/encode/openai-chat.ts";
import { encodeOpenaiResponses } from "./upstream/encode/openai-responses.ts";
import { createIds } from "./upstream/ids.ts";
import { parseRequest } from "./upstream/parsed-request.ts";
import { sseFrame } from "./upstream/sse.ts";
import type { ModelTurn } from "./upstream/turn.ts";

const UPSTREAM = {
  anthropic: { api: "anthropic-messages", write: encodeAnthropicMessages },
  chat: { api: "openai-chat", write: encodeOpenaiChat },
  responses: { api: "openai-responses", write: encodeOpenaiResponses },
} as const;

export const UPSTREAM_APIS = {
  anthropic: "anthropic-messages",
  chat: "openai-chat",
  responses: "openai-responses",
} as const;

function encodeTurn(api: Api, turn: ModelTurn, body: JsonObject): EncodedTurn {
  const { api: upstreamApi, write } = UPSTREAM[api];
  const request = parseRequest(
    {
      api: upstreamApi,
      operation: "generate",
      nth: 0,
      path: "/",
      headers: {},
      flavor: "openai",
      callIdsUniqueWithin: "message",
    },
    { model: "m", stream: true, ...body },
  );
  return write(createEncodeContext(request, turn, createIds(), 1_700_000_000_000, 100));
}

/** A turn as the scripted upstream streams it, as text. */
export function encodeStream(api: Api, turn: ModelTurn, body: JsonObject = {}): string {
  return [...encodeTurn(api, turn, body).events()].map(sseFrame).join("");
}

/** A turn as the scripted upstream sends it in one JSON body. */
export function encodeBody(api: Api, turn: ModelTurn, body: JsonObject = {}): string {
  return JSON.stringify(encodeTurn(api, turn, body).body());
}

/** The events of a stream. */
export function framesOf(stream: string | Uint8Array): readonly Frame[] {
  return new EventFramer().push(Buffer.from(stream));
}
