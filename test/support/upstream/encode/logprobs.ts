import { Buffer } from "node:buffer";
import type { JsonObject } from "../../../../src/core/model/tool-call.ts";
import { arrayOf } from "../json.ts";
import type { ParsedRequest } from "../parsed-request.ts";

/** Whether the client requested token probabilities. */
export function requestsLogprobs({ api, body }: ParsedRequest): boolean {
  return api === "openai-chat"
    ? body.logprobs === true
    : arrayOf(body.include).includes("message.output_text.logprobs");
}

/** A text as one token of probability 1: clients only need the shape. */
export function logprobsOf(text: string): JsonObject[] {
  return text === "" ? [] : [{ token: text, logprob: -0.01, bytes: [...Buffer.from(text)], top_logprobs: [] }];
}
