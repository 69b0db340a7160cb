import type { HistoryReader } from "./history.ts";
import { type Fields, isObject, messageText, objects, omitUndefined, parseJson, text } from "./json.ts";
import { decodeMessageList, type ListedCall } from "./message-list.ts";
import type { DeclaredTool, DecodedRequest, DecodedResponse, StreamDecoder, WireApi } from "./turn.ts";
import { addMessagesCounts, type MessagesCounts, messagesUsage } from "./usage.ts";

/** Decodes a Messages request. */
export function decodeRequest(body: unknown): DecodedRequest | undefined {
  return decodeMessageList(body, { toolOf, callsOf, readResults });
}

function toolOf(tool: Fields): DeclaredTool | undefined {
  const name = text(tool.name);
  return name === undefined ? undefined : omitUndefined({ name, parameters: tool.input_schema });
}

function callsOf(message: Fields): readonly ListedCall[] {
  const { content } = message;
  if (!Array.isArray(content)) return NO_CALLS;
  let calls: ListedCall[] | undefined;
  for (const block of content) {
    if (!isObject(block) || block.type !== "tool_use" || typeof block.id !== "string") continue;
    calls ??= [];
    calls.push({ id: block.id, name: text(block.name), arguments: block.input });
  }
  return calls ?? NO_CALLS;
}

const NO_CALLS: readonly ListedCall[] = [];

function readResults(message: Fields, history: HistoryReader): void {
  if (!Array.isArray(message.content)) return;
  for (const block of message.content) {
    if (!isObject(block)) continue;
    const id = block.type === "tool_result" ? text(block.tool_use_id) : undefined;
    if (id === undefined) continue;
    const { content, is_error } = block;
    history.result(id, typeof is_error === "boolean" ? { content, is_error } : { content });
  }
}

/** Decodes a complete Messages response or an error body. */
export function decodeResponse(body: unknown): DecodedResponse | undefined {
  if (!isObject(body)) return undefined;
  if (body.type === "error") return { text: "", calls: [], usage: {}, finished: true, error: errorText(body.error) };
  if (body.type !== "message") return undefined;
  return omitUndefined({
    id: text(body.id),
    model: text(body.model),
    stopReason: text(body.stop_reason),
    text: messageText(objects(body.content).filter((block) => block.type === "text")),
    calls: objects(body.content).flatMap((block) => {
      const [id, name] = [text(block.id), text(block.name)];
      return block.type === "tool_use" && id !== undefined && name !== undefined
        ? [{ id, name, arguments: block.input }]
        : [];
    }),
    usage: messagesUsage(body.usage),
    finished: true,
  });
}

export function errorText(error: unknown): string {
  const { type, message } = isObject(error) ? error : {};
  return [text(type), text(message)].filter((part) => part !== undefined).join(": ") || "error";
}

interface OpenBlock {
  readonly kind: "text" | "call" | "other";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  parts: string[];
}

/** Assembles a streamed Messages response. */
export function createStreamDecoder(): StreamDecoder {
  const blocks = new Map<unknown, OpenBlock>();
  let id: string | undefined;
  let model: string | undefined;
  let stopReason: string | undefined;
  let counts: MessagesCounts = {};
  let isFinal = false;
  let error: string | undefined;
  let finished = false;

  const handlers: { readonly [type: string]: (event: Fields) => void } = {
    message_start({ message }) {
      if (!isObject(message)) return;
      id ??= text(message.id);
      model ??= text(message.model);
      counts = addMessagesCounts(counts, message.usage);
    },
    content_block_start({ index, content_block: block }) {
      if (!isObject(block) || blocks.has(index)) return;
      blocks.set(index, {
        kind: block.type === "text" ? "text" : block.type === "tool_use" ? "call" : "other",
        id: text(block.id) ?? "",
        name: text(block.name) ?? "",
        input: block.input,
        parts: typeof block.text === "string" && block.text !== "" ? [block.text] : [],
      });
    },
    content_block_delta({ index, delta }) {
      if (!isObject(delta)) return;
      const part =
        delta.type === "text_delta" ? delta.text : delta.type === "input_json_delta" ? delta.partial_json : undefined;
      if (typeof part === "string") blocks.get(index)?.parts.push(part);
    },
    message_delta({ delta, usage: final }) {
      if (isObject(delta)) stopReason = text(delta.stop_reason) ?? stopReason;
      counts = addMessagesCounts(counts, final);
      isFinal ||= isObject(final);
    },
    message_stop() {
      finished = true;
    },
    error({ error: reported }) {
      error = errorText(reported);
    },
  };

  return {
    push(data, json) {
      const event = json ?? parseJson(data);
      if (!isObject(event) || typeof event.type !== "string") return;
      if (Object.hasOwn(handlers, event.type)) handlers[event.type]?.(event);
    },
    end(): DecodedResponse {
      const all = [...blocks.values()];
      return omitUndefined({
        id,
        model,
        stopReason,
        text: all.flatMap((block) => (block.kind === "text" ? [block.parts.join("")] : [])).join("\n"),
        calls: all.flatMap((block) =>
          block.kind === "call" && block.id !== "" && block.name !== ""
            ? [{ id: block.id, name: block.name, arguments: argumentsOf(block) }]
            : [],
        ),
        // The first event reports only the output so far, about one token. Without the last event, the output is
        // unknown.
        usage: messagesUsage(isFinal || finished ? counts : { ...counts, output_tokens: undefined }),
        error,
        finished,
      });
    },
  };
}

/** A call without arguments has no delta, or only an empty one. Its input is then in the start of the block. */
function argumentsOf(block: OpenBlock): unknown {
  const written = block.parts.join("");
  return written === "" ? (block.input ?? {}) : written;
}

/** The Anthropic Messages API. */
export const anthropicMessages: WireApi = { decodeRequest, decodeResponse, createStreamDecoder };
