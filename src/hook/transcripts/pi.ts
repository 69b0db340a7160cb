import { count, type Fields, isObject, messageText, objects, omitUndefined, text } from "../../core/wire/json.ts";
import type { TimedEvent, TranscriptFormat } from "./transcript-event.ts";

/** pi: `~/.pi/agent/sessions/<folder>/<time>_<session>.jsonl`. A tree whose branches contain no duplicates. */
export const PI: TranscriptFormat = {
  client: "pi",
  markers: ['"type":"session"', '"role":"user"', '"role":"assistant"', '"role":"toolResult"'],
  read(line) {
    const id = text(line.id) ?? "";
    if (line.type === "session") return [{ kind: "session", session: id }];
    const { message } = line;
    if (line.type !== "message" || !isObject(message)) return [];
    switch (message.role) {
      case "user":
        return [{ kind: "prompt", text: messageText(message.content), id }];
      case "assistant":
        return turnOf(message, id);
      case "toolResult":
        return [
          {
            kind: "result",
            id: text(message.toolCallId) ?? "",
            result: omitUndefined({
              content: message.content,
              // A command that a signal killed has no flag either, so only a failure is certain.
              is_error: message.isError === true ? true : undefined,
            }),
          },
        ];
      default:
        return [];
    }
  },
};

function turnOf(message: Fields, id: string): readonly TimedEvent[] {
  const calls = objects(message.content).filter(({ type }) => type === "toolCall");
  return [
    { kind: "model", model: text(message.model), provider: text(message.provider) },
    ...calls.map(
      (call): TimedEvent => ({
        ...{ kind: "call", id: text(call.id) ?? "", name: text(call.name), arguments: call.arguments, message: id },
      }),
    ),
    ...usageOf(message),
  ];
}

/** `input` excludes tokens read from the cache. */
function usageOf({ usage, responseId }: Fields): readonly TimedEvent[] {
  if (!isObject(usage)) return [];
  const [input, read, written] = [count(usage.input), count(usage.cacheRead), count(usage.cacheWrite)];
  return [
    {
      kind: "usage",
      response: text(responseId),
      usage: omitUndefined({
        input_tokens: input === undefined ? undefined : input + (read ?? 0) + (written ?? 0),
        output_tokens: count(usage.output),
        cached_tokens: read,
        cache_write_tokens: written,
      }),
    },
  ];
}
