import type { IncomingHttpHeaders } from "node:http";
import type { Json, JsonObject } from "../../../src/core/model/tool-call.ts";
import { arrayOf, textOf } from "./json.ts";

export type Api = "anthropic-messages" | "openai-chat" | "openai-responses" | "gemini" | "ollama";

/**
 * Whose rules apply on the Chat API. `local`: vLLM, Ollama, llama.cpp and similar, which are more lenient about ids.
 */
export type Flavor = "openai" | "mistral" | "local";

/** A model request, as scripts receive it and rules check it. */
export interface ParsedRequest {
  readonly api: Api;
  readonly operation: "generate" | "count-tokens";
  /** 0 for the first request that reached the script of this upstream. */
  readonly nth: number;
  readonly path: string;
  readonly isSse?: boolean;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
  readonly model: string;
  /** `messages`, or the items of `input` on the Responses API (a text is one user message). */
  readonly messages: readonly Json[];
  readonly tools: readonly Json[];
  readonly stream: boolean;
  readonly flavor: Flavor;
  /** The scope in which a call id must be unique on the Chat API. */
  readonly callIdsUniqueWithin: "message" | "conversation";
  /** Calls of `previous_response_id` without an output; undefined when that response is unknown here. */
  readonly openCalls?: ReadonlySet<string>;
}

export interface RequestFrame {
  readonly api: Api;
  readonly operation: "generate" | "count-tokens";
  readonly nth: number;
  readonly path: string;
  /** Gemini: a stream comes as events, not as one array. */
  readonly isSse?: boolean;
  readonly headers: IncomingHttpHeaders;
  readonly flavor: Flavor;
  readonly callIdsUniqueWithin: "message" | "conversation";
}

export function parseRequest(
  frame: RequestFrame,
  body: JsonObject,
  openCallsOf: (responseId: string) => ReadonlySet<string> | undefined = () => undefined,
): ParsedRequest {
  const openCalls = openCallsOf(textOf(body.previous_response_id));
  return {
    ...frame,
    body,
    model: textOf(body.model) || (/\/models\/([^/:]+):/.exec(frame.path)?.[1] ?? ""),
    messages: messagesOf(frame.api, body),
    tools: arrayOf(body.tools),
    stream: isStream(frame, body),
    ...(openCalls === undefined ? {} : { openCalls }),
  };
}

function messagesOf(api: Api, body: JsonObject): readonly Json[] {
  if (api === "openai-responses") return inputItems(body.input);
  return arrayOf(api === "gemini" ? body.contents : body.messages);
}

function isStream({ api, path }: RequestFrame, body: JsonObject): boolean {
  if (api === "gemini") return path.endsWith(":streamGenerateContent");
  return api === "ollama" ? body.stream !== false : body.stream === true;
}

function inputItems(input: Json | undefined): readonly Json[] {
  return typeof input === "string" ? [{ type: "message", role: "user", content: input }] : arrayOf(input);
}
