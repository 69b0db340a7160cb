import type { JsonObject } from "../../src/core/model/tool-call.ts";
import { EventFramer, type Frame } from "../../src/core/wire/event-framer.ts";
import type { Api } from "../../src/core/wire/index.ts";
import { anthropicMessagesAnswer } from "./upstream/encode/anthropic-messages.ts";
import { type Answer, answerContext } from "./upstream/encode/encoded-turn.ts";
import { openaiChatAnswer } from "./upstream/encode/openai-chat.ts";
import { openaiResponsesAnswer } from "./upstream/encode/openai-responses.ts";
import { createIds } from "./upstream/ids.ts";
import { parseRequest } from "./upstream/parsed-request.ts";
import { sseFrame } from "./upstream/sse.ts";
import type { AnswerTurn } from "./upstream/turn.ts";

const UPSTREAM = {
  anthropic: { api: "anthropic-messages", write: anthropicMessagesAnswer },
  chat: { api: "openai-chat", write: openaiChatAnswer },
  responses: { api: "openai-responses", write: openaiResponsesAnswer },
} as const;

export const UPSTREAM_APIS = {
  anthropic: "anthropic-messages",
  chat: "openai-chat",
  responses: "openai-responses",
} as const;

function answerOf(api: Api, turn: AnswerTurn, body: JsonObject): Answer {
  const { api: upstreamApi, write } = UPSTREAM[api];
  const request = parseRequest(
    {
      api: upstreamApi,
      operation: "generate",
      nth: 0,
      path: "/",
      headers: {},
      flavour: "openai",
      callIdsUniqueWithin: "message",
    },
    { model: "m", stream: true, ...body },
  );
  return write(answerContext(request, turn, createIds(), 1_700_000_000_000, 100));
}

/** A turn as the scripted upstream streams it, as text. */
export function answerStream(api: Api, turn: AnswerTurn, body: JsonObject = {}): string {
  return [...answerOf(api, turn, body).events()].map(sseFrame).join("");
}

/** A turn as the scripted upstream sends it in one JSON body. */
export function answerBody(api: Api, turn: AnswerTurn, body: JsonObject = {}): string {
  return JSON.stringify(answerOf(api, turn, body).body());
}

/** The events of a stream. */
export function framesOf(stream: string | Uint8Array): readonly Frame[] {
  return new EventFramer().push(Buffer.from(stream));
}
