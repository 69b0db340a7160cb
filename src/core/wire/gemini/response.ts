import { placeholderId } from "../call-position.ts";
import { type Fields, isArray, isObject, objects, omitUndefined, parseJson, text } from "../json.ts";
import type { DecodedResponse, StreamDecoder, TokenUsage } from "../turn.ts";
import { geminiUsage } from "../usage.ts";
import { callOf, field, partsOf, visibleText } from "./fields.ts";
import { signatureOf } from "./request.ts";

/** Decodes a complete response, an error body, or a stream that was sent as one JSON array. */
export function decodeResponse(body: unknown): DecodedResponse | undefined {
  const chunks = isArray(body) ? body : [body];
  if (!chunks.some(isChunk)) return undefined;
  const decoder = createStreamDecoder();
  for (const chunk of chunks) decoder.push("", chunk);
  const decoded = decoder.end();
  return isArray(body) ? decoded : { ...decoded, finished: true };
}

function isChunk(body: unknown): boolean {
  if (!isObject(body)) return false;
  return ["candidates", "promptFeedback", "usageMetadata", "error"].some((name) => field(body, name) !== undefined);
}

/** Assembles the chunks of a response. Each is a complete response, and their parts follow each other. */
export function createStreamDecoder(): StreamDecoder {
  const parts = new Map<unknown, unknown[]>();
  let id: string | undefined;
  let model: string | undefined;
  let stopReason: string | undefined;
  let usage: TokenUsage = {};
  let error: string | undefined;

  const read = (chunk: Fields): void => {
    if (chunk.error !== undefined && chunk.error !== null) error = errorText(chunk.error);
    id ??= text(field(chunk, "responseId"));
    model ??= text(field(chunk, "modelVersion"));
    const counts = field(chunk, "usageMetadata");
    // Counts of the response so far.
    if (isObject(counts)) usage = { ...usage, ...geminiUsage(counts) };
    const feedback = field(chunk, "promptFeedback");
    if (isObject(feedback)) stopReason ??= text(field(feedback, "blockReason"));
    for (const [at, candidate] of objects(chunk.candidates).entries()) {
      const index = candidate.index ?? at;
      const own = parts.get(index) ?? [];
      parts.set(index, own);
      for (const part of partsOf(candidate.content)) own.push(part);
      stopReason ??= text(field(candidate, "finishReason"));
    }
  };

  return {
    push(data, json) {
      const chunk = json ?? parseJson(data);
      if (isObject(chunk)) read(chunk);
    },
    end(): DecodedResponse {
      const all = [...parts.values()];
      const calls = all.flat().flatMap((part) => callOf(part) ?? []);
      return omitUndefined({
        id,
        model,
        stopReason,
        text: all.map((own) => own.map((part) => visibleText(part) ?? "").join("")).join("\n"),
        calls: calls.map((call, index) => ({
          id: call.id ?? placeholderId(index),
          name: call.name,
          arguments: call.args ?? {},
        })),
        signature: signatureOf(all[0] ?? []) || id,
        usage,
        error,
        finished: stopReason !== undefined || error !== undefined,
      });
    },
  };
}

/** `{code, message, status}`; the status is the name of the code. */
export function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  const { status, message } = isObject(error) ? error : {};
  return [text(status), text(message)].filter((part) => part !== undefined).join(": ") || "error";
}
