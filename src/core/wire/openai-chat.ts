import { isDone } from "./done-event.ts";
import type { HistoryReader } from "./history.ts";
import { count, type Fields, isObject, messageText, objects, omitUndefined, parseJson, text } from "./json.ts";
import { decodeMessageList, type ListedCall } from "./message-list.ts";
import type {
  DeclaredTool,
  DecodedRequest,
  DecodedResponse,
  MadeCall,
  StreamDecoder,
  TokenUsage,
  WireApi,
} from "./turn.ts";
import { chatUsage } from "./usage.ts";

/** Decodes a Chat Completions request. */
export function decodeRequest(body: unknown): DecodedRequest | undefined {
  return decodeMessageList(body, { toolOf, callsOf, readResults });
}

function toolOf({ function: declared }: Fields): DeclaredTool | undefined {
  if (!isObject(declared)) return undefined;
  const name = text(declared.name);
  return name === undefined ? undefined : omitUndefined({ name, parameters: declared.parameters });
}

function callsOf(message: Fields): readonly ListedCall[] {
  if (!Array.isArray(message.tool_calls)) return NO_CALLS;
  const calls: ListedCall[] = [];
  for (const call of message.tool_calls) {
    if (!isObject(call) || typeof call.id !== "string") continue;
    const called = isObject(call.function) ? call.function : {};
    calls.push({ id: call.id, name: text(called.name), arguments: called.arguments });
  }
  return calls;
}

const NO_CALLS: readonly ListedCall[] = [];

function readResults(message: Fields, history: HistoryReader): void {
  const callId = message.role === "tool" ? text(message.tool_call_id) : undefined;
  if (callId !== undefined) history.result(callId, { content: message.content });
}

/**
 * Decodes a complete Chat Completions response or an error body. With several choices, the stop reason is that of the
 * first.
 */
export function decodeResponse(body: unknown): DecodedResponse | undefined {
  if (!isObject(body)) return undefined;
  if (body.error !== undefined && body.error !== null) {
    return { text: "", calls: [], usage: {}, finished: true, error: errorText(body.error) };
  }
  if (!Array.isArray(body.choices)) {
    const error = plainError(body);
    return error === undefined ? undefined : { text: "", calls: [], usage: {}, finished: true, error };
  }
  const choices = objects(body.choices);
  const messages = choices.map(({ message }) => (isObject(message) ? message : {}));
  return omitUndefined({
    id: text(body.id),
    model: text(body.model),
    stopReason: text(choices[0]?.finish_reason),
    text: messages.map(({ content }) => messageText(content)).join("\n"),
    calls: messages.flatMap(({ tool_calls }) => objects(tool_calls).flatMap(madeCall)),
    usage: chatUsage(body.usage),
    finished: true,
  });
}

/** Error formats of local servers: `{object: "error", message}`, `{detail}`. */
function plainError({ object, message, detail }: Fields): string | undefined {
  if (object === "error") return text(message) ?? "error";
  if (detail === undefined || detail === null) return undefined;
  if (typeof detail === "string") return detail;
  try {
    return JSON.stringify(detail);
  } catch {
    // JSON.stringify overflows the stack on deeply nested values.
    return "error";
  }
}

function madeCall(call: Fields): readonly { id: string; name: string; arguments: unknown }[] {
  const called = isObject(call.function) ? call.function : {};
  const [id, name] = [text(call.id), text(called.name)];
  return id === undefined || name === undefined ? [] : [{ id, name, arguments: called.arguments ?? "" }];
}

export function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  const { type, message } = isObject(error) ? error : {};
  return [text(type), text(message)].filter((part) => part !== undefined).join(": ") || "error";
}

interface OpenCall {
  id: string | undefined;
  name: string | undefined;
  readonly parts: string[];
}

interface OpenChoice {
  readonly texts: string[];
  readonly calls: OpenCall[];
  /** The call that the next chunk with this index continues. */
  readonly newest: Map<unknown, OpenCall>;
  stopReason: string | undefined;
}

/** Assembles a streamed Chat Completions response. */
export function createStreamDecoder(): StreamDecoder {
  const choices = new Map<number, OpenChoice>();
  let id: string | undefined;
  let model: string | undefined;
  let usage: TokenUsage = {};
  let error: string | undefined;
  let finished = false;

  const readChoice = ({ index, delta, finish_reason }: Fields): void => {
    const number = count(index) ?? 0;
    const choice: OpenChoice = choices.get(number) ?? {
      texts: [],
      calls: [],
      newest: new Map(),
      stopReason: undefined,
    };
    choices.set(number, choice);
    choice.stopReason ??= text(finish_reason);
    if (!isObject(delta)) return;
    if (typeof delta.content === "string") choice.texts.push(delta.content);
    for (const [at, call] of objects(delta.tool_calls).entries()) readCall(choice, call, at);
  };

  return {
    push(data, json) {
      if (isDone(data)) {
        finished = true;
        return;
      }
      const event = json ?? parseJson(data);
      if (!isObject(event)) return;
      if (event.error !== undefined && event.error !== null) error = errorText(event.error);
      id ??= text(event.id);
      model ??= text(event.model);
      if (isObject(event.usage)) usage = chatUsage(event.usage);
      for (const choice of objects(event.choices)) readChoice(choice);
    },
    end(): DecodedResponse {
      const all = [...choices].sort(([a], [b]) => a - b).map(([, choice]) => choice);
      return omitUndefined({
        id,
        model,
        stopReason: all[0]?.stopReason,
        text: all.map(({ texts }) => texts.join("")).join("\n"),
        calls: all.flatMap(({ calls }) => calls.flatMap(streamedCall)),
        usage,
        error,
        // Some servers close the stream after a finish reason without sending `[DONE]`.
        finished: finished || all.some(({ stopReason }) => stopReason !== undefined),
      });
    },
  };
}

function readCall(choice: OpenChoice, call: Fields, at: number): void {
  const index = count(call.index) ?? at;
  const called = isObject(call.function) ? call.function : {};
  const [id, name] = [nonEmptyText(call.id), nonEmptyText(called.name)];
  const current = choice.newest.get(index);
  // Some servers repeat id and name in every chunk, some generate an id for each chunk, some give all parallel calls
  // the same index. A call is new only if the chunk has both a new id and a name.
  const isNew =
    current === undefined || (name !== undefined && id !== undefined && current.id !== undefined && id !== current.id);
  const open = isNew ? { id, name, parts: [] } : current;
  if (isNew) choice.calls.push(open);
  choice.newest.set(index, open);
  open.id ??= id;
  open.name ??= name;
  if (typeof called.arguments === "string") open.parts.push(called.arguments);
}

function nonEmptyText(value: unknown): string | undefined {
  return value === "" ? undefined : text(value);
}

function streamedCall({ id, name, parts }: OpenCall): readonly MadeCall[] {
  return id === undefined || name === undefined ? [] : [{ id, name, arguments: parts.join("") }];
}

/** The OpenAI Chat Completions API, as implemented by compatible servers. */
export const openaiChat: WireApi = { decodeRequest, decodeResponse, createStreamDecoder };
