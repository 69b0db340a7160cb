import { placeholderId, positionalSignature } from "../call-position.ts";
import { type Fields, isObject, omitUndefined, parseJson, text } from "../json.ts";
import type { DecodedResponse, StreamDecoder, TokenUsage } from "../turn.ts";
import { ollamaUsage } from "../usage.ts";
import { callsOf, type MessageCall } from "./request.ts";

/** Decodes a complete chat response or an error body. */
export function decodeResponse(body: unknown): DecodedResponse | undefined {
  if (!isObject(body) || (!isObject(body.message) && body.error === undefined)) return undefined;
  const decoder = createStreamDecoder();
  decoder.push("", body);
  return { ...decoder.end(), finished: true };
}

/** Assembles a stream of lines. The texts of its messages follow each other, and so do their calls. */
export function createStreamDecoder(): StreamDecoder {
  const texts: string[] = [];
  const calls: MessageCall[] = [];
  let model: string | undefined;
  let stopReason: string | undefined;
  let usage: TokenUsage = {};
  let error: string | undefined;
  let finished = false;

  const read = (line: Fields): void => {
    if (line.error !== undefined && line.error !== null) error = errorText(line.error);
    model ??= text(line.model);
    if (isObject(line.message)) {
      texts.push(text(line.message.content) ?? "");
      for (const call of callsOf(line.message)) calls.push(call);
    }
    if (line.done !== true) return;
    finished = true;
    stopReason = text(line.done_reason);
    usage = ollamaUsage(line);
  };

  return {
    push(data, json) {
      const line = json ?? parseJson(data);
      if (isObject(line)) read(line);
    },
    end(): DecodedResponse {
      const written = texts.join("");
      return omitUndefined({
        model,
        stopReason,
        text: written,
        calls: calls.map(({ id, name, arguments: args }, index) => ({
          id: id ?? placeholderId(index),
          name,
          arguments: args ?? {},
        })),
        signature: positionalSignature(calls, written),
        usage,
        error,
        finished,
      });
    },
  };
}

export function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  return (isObject(error) ? text(error.message) : undefined) ?? "error";
}
