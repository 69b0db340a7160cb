import { count, type Fields, isObject, messageText, objects, omitUndefined, text } from "../../core/wire/json.ts";
import { chatUsage } from "../../core/wire/usage.ts";
import type { TimedEvent } from "./transcript-event.ts";

/** A transcript that is one JSON document, which the client rewrites as a whole. */
export interface DocumentFormat {
  readonly client: "cline" | "continue";
  readonly isOwn: (document: Fields) => boolean;
  readonly events: (document: Fields) => readonly TimedEvent[];
}

/** Cline: `~/.cline/data/sessions/<session>/<session>.messages.json`. */
const CLINE: DocumentFormat = {
  client: "cline",
  isOwn: ({ sessionId, messages, origin, agent }) =>
    typeof sessionId === "string" && Array.isArray(messages) && (isObject(origin) || typeof agent === "string"),
  events: ({ sessionId, messages }) => [
    { kind: "session", session: text(sessionId) ?? "" },
    ...objects(messages).flatMap(clineMessage),
  ],
};

function clineMessage(message: Fields): readonly TimedEvent[] {
  const at = count(message.ts);
  const id = text(message.id) ?? "";
  const blocks = objects(message.content);
  if (message.role === "assistant") {
    const { modelInfo, metrics } = message;
    const model = isObject(modelInfo) ? { model: text(modelInfo.id), provider: text(modelInfo.provider) } : {};
    const calls = blocks.filter(({ type }) => type === "tool_use");
    return [
      { kind: "model", ...model, at },
      ...calls.map(
        (call): TimedEvent => ({
          ...{ kind: "call", id: text(call.id) ?? "", name: text(call.name), arguments: call.input, message: id, at },
        }),
      ),
      ...clineUsage(metrics, id, at),
    ];
  }
  const results = blocks.filter(({ type }) => type === "tool_result");
  if (results.length === 0) return [{ kind: "prompt", text: messageText(message.content), id, at }];
  return results.map(
    (block): TimedEvent => ({
      kind: "result",
      id: text(block.tool_use_id) ?? "",
      at,
      result: {
        // The client parsed what it sent as a text.
        content: typeof block.content === "string" ? block.content : JSON.stringify(block.content ?? ""),
        ...omitUndefined({ is_error: block.is_error === true ? true : undefined }),
      },
    }),
  );
}

function clineUsage(metrics: unknown, response: string, at: number | undefined): readonly TimedEvent[] {
  if (!isObject(metrics)) return [];
  const usage = omitUndefined({
    input_tokens: count(metrics.inputTokens),
    output_tokens: count(metrics.outputTokens),
    cached_tokens: count(metrics.cacheReadTokens),
    cache_write_tokens: count(metrics.cacheWriteTokens),
  });
  return [{ kind: "usage", usage, response, at }];
}

/** Continue: `~/.continue/sessions/<session>.json`, without times. */
const CONTINUE: DocumentFormat = {
  client: "continue",
  isOwn: ({ sessionId, history, workspaceDirectory }) =>
    typeof sessionId === "string" && Array.isArray(history) && typeof workspaceDirectory === "string",
  events: ({ sessionId, history }) => [
    { kind: "session", session: text(sessionId) ?? "" },
    ...objects(history).flatMap(continueItem),
  ],
};

function continueItem(item: Fields, at: number): readonly TimedEvent[] {
  const message = isObject(item.message) ? item.message : {};
  if (message.role === "user") return [{ kind: "prompt", text: messageText(message.content) }];
  if (message.role !== "assistant") return [];
  const usage = isObject(message.usage) ? message.usage : {};
  return [
    { kind: "model", model: text(usage.model) },
    ...objects(item.toolCallStates).flatMap((state) => continueCall(state, `${at}`)),
    { kind: "usage", usage: chatUsage(usage), response: `${at}` },
  ];
}

function continueCall(state: Fields, message: string): readonly TimedEvent[] {
  const id = text(state.toolCallId) ?? "";
  const made = isObject(state.toolCall) && isObject(state.toolCall.function) ? state.toolCall.function : {};
  const call: TimedEvent = { kind: "call", id, name: text(made.name), arguments: made.arguments, message };
  if (!Array.isArray(state.output)) return [call];
  const content = objects(state.output)
    .map((part) => text(part.content) ?? "")
    .join("\n");
  const isError = state.status === "errored" || state.status === "canceled" ? true : undefined;
  return [call, { kind: "result", id, result: { content, ...omitUndefined({ is_error: isError }) } }];
}

const DOCUMENTS: readonly DocumentFormat[] = [CLINE, CONTINUE];

/** Finds the client that wrote a document. */
export function documentFormat(document: unknown): DocumentFormat | undefined {
  return isObject(document) ? DOCUMENTS.find(({ isOwn }) => isOwn(document)) : undefined;
}
