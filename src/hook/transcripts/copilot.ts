import { count, type Fields, isObject, objects, omitUndefined, text } from "../../core/wire/json.ts";
import type { RawResult } from "../../ingest/observe/observe-call.ts";
import type { TimedEvent, TranscriptFormat } from "./transcript-event.ts";

/** Copilot CLI: `~/.copilot/session-state/<session>/events.jsonl`. */
export const COPILOT: TranscriptFormat = {
  client: "copilot",
  provider: "github",
  markers: [
    "session.start",
    "session.resume",
    "user.message",
    "assistant.message",
    "tool.execution_complete",
    "session.usage_record",
  ],
  read(line) {
    const data = isObject(line.data) ? line.data : {};
    const agent = text(line.agentId);
    switch (line.type) {
      case "session.start":
        return [
          { kind: "session", session: text(data.sessionId) ?? "" },
          { kind: "model", model: text(data.selectedModel) },
        ];
      case "user.message":
        return agent === undefined
          ? [{ kind: "prompt", text: text(data.content) ?? "", id: text(data.interactionId) ?? text(data.messageId) }]
          : [];
      case "assistant.message":
        return [
          { kind: "model", model: text(data.model) },
          ...objects(data.toolRequests).map(
            (call): TimedEvent => ({
              ...{ kind: "call", id: text(call.toolCallId) ?? "", name: text(call.name), arguments: call.arguments },
              ...{ message: text(data.messageId) ?? "", agent },
            }),
          ),
        ];
      case "tool.execution_complete":
        return [{ kind: "result", id: text(data.toolCallId) ?? "", result: resultOf(data), agent }];
      case "session.usage_record":
        return usageOf(data.usage, agent);
      default:
        return [];
    }
  },
};

/** A failed command is a success with an exit code. */
function resultOf({ success, result, error, shellExecution }: Fields): RawResult {
  if (success === false)
    return { content: isObject(error) ? asSent(text(error.message) ?? "") : error, is_error: true };
  const exitCode = isObject(shellExecution) ? count(shellExecution.exitCode) : undefined;
  return { content: isObject(result) ? result.content : result, ...omitUndefined({ exitCode }) };
}

/** The file contains less of the message than the model received: of a wrong parameter, only its name. */
function asSent(message: string): string {
  return /^"[^"\n]{1,80}": /.test(message) ? `Invalid input: ${message}` : message;
}

function usageOf(usage: unknown, agent: string | undefined): readonly TimedEvent[] {
  if (!isObject(usage)) return [];
  return [
    {
      kind: "usage",
      response: text(usage.apiCallId),
      agent,
      usage: omitUndefined({
        input_tokens: count(usage.inputTokens),
        output_tokens: count(usage.outputTokens),
        cached_tokens: count(usage.cacheReadTokens),
        cache_write_tokens: count(usage.cacheWriteTokens),
        reasoning_tokens: count(usage.reasoningTokens),
      }),
    },
  ];
}
