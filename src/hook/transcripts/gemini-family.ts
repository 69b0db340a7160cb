import { count, type Fields, isObject, objects, omitUndefined, text } from "../../core/wire/json.ts";
import type { RawResult } from "../../ingest/observe/observe-call.ts";
import { timeOf } from "./event-reader.ts";
import type { TimedEvent, TranscriptFormat } from "./transcript-event.ts";

/** Gemini CLI: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, those of subagents in a folder below. */
export const GEMINI: TranscriptFormat = {
  client: "gemini-cli",
  provider: "google",
  markers: ['"sessionId"', '"type":"user"', '"type":"gemini"'],
  read(line) {
    if (typeof line.sessionId === "string") return [sessionOf(line)];
    const id = text(line.id) ?? "";
    if (line.type === "user") {
      const prompt = objects(line.content).flatMap((part) => text(part.text) ?? []);
      return prompt.length === 0 ? [] : [{ kind: "prompt", text: prompt.join("\n"), id }];
    }
    return line.type === "gemini" ? geminiTurn(line, id) : [];
  },
};

function sessionOf({ sessionId, kind, parentSessionId }: Fields): TimedEvent {
  const own = text(sessionId) ?? "";
  const parent = kind === "subagent" ? text(parentSessionId) : undefined;
  return { kind: "session", session: parent ?? own, agent: parent === undefined ? undefined : own };
}

/** The client writes a message twice: without its calls, and again with their results. */
function geminiTurn(line: Fields, message: string): readonly TimedEvent[] {
  const calls = objects(line.toolCalls).flatMap((call): readonly TimedEvent[] => {
    const name = text(call.name);
    const id = wireId(text(call.id) ?? "", name ?? "");
    const response = objects(call.result).find((part) => isObject(part.functionResponse))?.functionResponse;
    const at = timeOf(call.timestamp);
    return [
      { kind: "call", id, name, arguments: call.args, message },
      {
        kind: "result",
        id,
        at,
        result: { ...responseOf(isObject(response) ? response.response : undefined), ...flagOf(call.status) },
      },
    ];
  });
  const model: TimedEvent = { kind: "model", model: text(line.model) };
  return calls.length === 0 ? [model, ...usageOf(line, message)] : [model, ...calls];
}

/** `<tool>__<id on the wire>`. */
function wireId(id: string, name: string): string {
  return id.startsWith(`${name}__`) ? id.slice(name.length + 2) : id;
}

/** Success is not evidence: failed commands have it, too. */
function flagOf(status: unknown): Pick<RawResult, "is_error"> {
  return status === "error" || status === "cancelled" ? { is_error: true } : {};
}

function responseOf(response: unknown): RawResult {
  if (!isObject(response)) return { content: response };
  return "error" in response ? { content: response.error, is_error: true } : { content: response.output ?? response };
}

function usageOf({ tokens }: Fields, message: string): readonly TimedEvent[] {
  if (!isObject(tokens)) return [];
  const [output, thoughts] = [count(tokens.output), count(tokens.thoughts)];
  return [
    {
      kind: "usage",
      response: message,
      usage: omitUndefined({
        input_tokens: count(tokens.input),
        output_tokens: output === undefined ? undefined : output + (thoughts ?? 0),
        cached_tokens: count(tokens.cached),
        reasoning_tokens: thoughts,
      }),
    },
  ];
}

/** Qwen Code: `~/.qwen/projects/<folder>/chats/<session>.jsonl`. Its lines look like those of Claude Code. */
export const QWEN: TranscriptFormat = {
  client: "qwen-code",
  markers: ['"type":"user"', '"type":"assistant"', '"type":"tool_result"', "qwen-code.tool_call"],
  read(line) {
    const session: TimedEvent = { kind: "session", session: text(line.sessionId) ?? "", agent: text(line.agentId) };
    return [session, ...qwenEvents(line)];
  },
};

function qwenEvents(line: Fields): readonly TimedEvent[] {
  const id = text(line.uuid) ?? "";
  const parts = isObject(line.message) ? objects(line.message.parts) : [];
  switch (line.type) {
    case "user": {
      if (line.provenance !== "real_user") return [];
      const texts = parts.flatMap((part) => text(part.text) ?? []);
      return [{ kind: "prompt", text: texts.join("\n"), id }];
    }
    case "assistant":
      return [
        { kind: "model", model: text(line.model) },
        ...parts.flatMap(({ functionCall }): readonly TimedEvent[] =>
          isObject(functionCall)
            ? [
                {
                  kind: "call",
                  id: text(functionCall.id) ?? "",
                  name: text(functionCall.name),
                  arguments: functionCall.args,
                  message: id,
                },
              ]
            : [],
        ),
        ...qwenUsage(line.usageMetadata, id),
      ];
    case "tool_result":
      return parts.flatMap(({ functionResponse }) => qwenResult(functionResponse, line.toolCallResult));
    case "system":
      return qwenDuration(line.systemPayload);
    default:
      return [];
  }
}

/** Only this field contains the status of the call; the API has none. */
function qwenResult(response: unknown, outcome: unknown): readonly TimedEvent[] {
  if (!isObject(response)) return [];
  const status = isObject(outcome) ? outcome.status : undefined;
  const isError = status === "success" ? false : status === "error" || status === "cancelled" ? true : undefined;
  const result = { ...responseOf(response.response), ...omitUndefined({ is_error: isError }) };
  return [{ kind: "result", id: text(response.id) ?? "", result }];
}

function qwenDuration(payload: unknown): readonly TimedEvent[] {
  const event = isObject(payload) ? payload.uiEvent : undefined;
  if (!isObject(event) || event["event.name"] !== "qwen-code.tool_call") return [];
  const ms = count(event.duration_ms);
  return ms === undefined ? [] : [{ kind: "duration", id: text(event.call_id) ?? "", ms }];
}

function qwenUsage(usage: unknown, message: string): readonly TimedEvent[] {
  if (!isObject(usage)) return [];
  return [
    {
      kind: "usage",
      response: message,
      usage: omitUndefined({
        input_tokens: count(usage.promptTokenCount),
        output_tokens: count(usage.candidatesTokenCount),
        cached_tokens: count(usage.cachedContentTokenCount),
        reasoning_tokens: count(usage.thoughtsTokenCount),
      }),
    },
  ];
}
