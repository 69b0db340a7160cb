import { type Fields, given, isObject, objects, parseJson, text } from "../json.ts";
import type { DecodedResponse, StreamDecoder, Usage } from "../turn.ts";
import { errorText, usageOf } from "./response.ts";

interface OpenCall {
  id: string;
  name: string;
  readonly parts: string[];
}

/** Puts a streamed Chat Completions answer together. */
export function createStreamDecoder(): StreamDecoder {
  const calls = new Map<string, OpenCall>();
  const words: string[] = [];
  let id: string | undefined;
  let model: string | undefined;
  let stopReason: string | undefined;
  let usage: Usage = {};
  let error: string | undefined;
  let finished = false;

  const readChoice = ({ index, delta, finish_reason }: Fields): void => {
    stopReason ??= text(finish_reason);
    if (!isObject(delta)) return;
    if (typeof delta.content === "string") words.push(delta.content);
    for (const [at, call] of objects(delta.tool_calls).entries()) {
      const key = `${String(index ?? 0)}/${String(call.index ?? at)}`;
      const called = isObject(call.function) ? call.function : {};
      const open = calls.get(key) ?? { id: "", name: "", parts: [] };
      calls.set(key, open);
      // Some servers repeat id and name in every chunk: they are told once, arguments are appended.
      if (open.id === "") open.id = text(call.id) ?? "";
      if (open.name === "") open.name = text(called.name) ?? "";
      if (typeof called.arguments === "string") open.parts.push(called.arguments);
    }
  };

  return {
    push(data) {
      if (data === "[DONE]") {
        finished = true;
        return;
      }
      const event = parseJson(data);
      if (!isObject(event)) return;
      if (event.error !== undefined && event.error !== null) error = errorText(event.error);
      id ??= text(event.id);
      model ??= text(event.model);
      if (isObject(event.usage)) usage = usageOf(event.usage);
      for (const choice of objects(event.choices)) readChoice(choice);
    },
    end(): DecodedResponse {
      return given({
        id,
        model,
        stopReason,
        text: words.join(""),
        calls: [...calls.values()].map((call) => ({ id: call.id, name: call.name, arguments: call.parts.join("") })),
        usage,
        error,
        // Some servers close without the marker after a finish reason: that is an end all the same.
        finished: finished || stopReason !== undefined,
      });
    },
  };
}
