import { HistoryReader } from "./history.ts";
import { type HistoryPrompt, isHumanMessage } from "./human-prompt.ts";
import { type Fields, isObject, objects, omitUndefined, parseJson, text } from "./json.ts";
import { callOf, type ItemCall, isMessage, itemText, resultOf, toolsOf } from "./responses-items.ts";
import {
  type DecodedRequest,
  type DecodedResponse,
  type MadeCall,
  type StreamDecoder,
  turnSignature,
  type WireApi,
} from "./turn.ts";
import { responsesUsage } from "./usage.ts";

/** Items that declare tools within a history: tools of a client mode, and tools found by a search. */
const TOOL_ITEMS = new Set<unknown>(["additional_tools", "tool_search_output"]);

/** Decodes a Responses request. Unknown items and fields are ignored. */
export function decodeRequest(body: unknown): DecodedRequest | undefined {
  if (!isObject(body)) return undefined;
  const items = itemsOf(body.input);
  if (items === undefined) return undefined;
  const history = new HistoryReader();
  const prompts: HistoryPrompt[] = [];
  for (const [index, item] of items.entries()) {
    history.at(index);
    if (item.role === "user" && isMessage(item) && isHumanMessage(item.content))
      prompts.push({ content: item.content, calls: history.size });
    readItem(item, history);
  }
  const firstUser = items.find((item) => isMessage(item) && item.role === "user");
  return omitUndefined({
    model: text(body.model),
    streaming: body.stream === true,
    messageCount: items.length,
    tools: [...toolsOf(body.tools), ...items.flatMap((item) => (TOOL_ITEMS.has(item.type) ? toolsOf(item.tools) : []))],
    calls: history.end(),
    prompts,
    firstUserText: firstUser === undefined ? "" : itemText(firstUser),
    firstTurn: firstTurn(items),
  });
}

/** A string is one user message. The input may be absent if the provider stores the conversation. */
function itemsOf(input: unknown): readonly Fields[] | undefined {
  if (input === undefined || input === null) return [];
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return Array.isArray(input) ? objects(input) : undefined;
}

function readItem(item: Fields, history: HistoryReader): void {
  const call = callOf(item);
  // Parallel calls are separate items: a call after a call does not end the turn.
  if (call === undefined) history.message();
  else history.call(call.id, call.name, call.arguments);
  const result = resultOf(item);
  if (result === undefined) return;
  const { id, ...rest } = result;
  history.result(id, rest);
}

/** The items from the model's first one up to the first result or user message. */
function firstTurn(items: readonly Fields[]): string | undefined {
  const start = items.findIndex((item) => isAssistantMessage(item) || callOf(item) !== undefined);
  if (start === -1) return undefined;
  const calls: ItemCall[] = [];
  const texts: string[] = [];
  for (const item of items.slice(start)) {
    if (resultOf(item) !== undefined || (isMessage(item) && item.role !== "assistant")) break;
    const call = callOf(item);
    if (call !== undefined) calls.push(call);
    else if (isAssistantMessage(item)) texts.push(itemText(item));
  }
  return turnOf(calls, texts.join("\n"));
}

function isAssistantMessage(item: Fields): boolean {
  return isMessage(item) && item.role === "assistant";
}

/** Uses only the first call: some clients send call, output, call, output, which hides where the turn ended. */
export function turnOf(calls: readonly ItemCall[], text: string): string {
  return turnSignature(calls.slice(0, 1), text);
}

/** Decodes a complete response object or an error body. */
export function decodeResponse(body: unknown): DecodedResponse | undefined {
  if (!isObject(body)) return undefined;
  if (!Array.isArray(body.output)) {
    const failed = body.error !== undefined && body.error !== null;
    return failed ? { text: "", calls: [], usage: {}, finished: true, error: errorText(body.error) } : undefined;
  }
  const items = objects(body.output);
  const calls = items.flatMap(madeCall);
  const joinedText = items.filter(isMessage).map(itemText).join("\n");
  return omitUndefined({
    id: text(body.id),
    model: text(body.model),
    stopReason: stopReasonOf(body),
    text: joinedText,
    calls,
    // An empty turn leaves no trace in a history; only its id distinguishes it from other empty turns.
    signature: turnOf(calls, joinedText) || text(body.id),
    usage: responsesUsage(body.usage),
    error: isObject(body.error) ? errorText(body.error) : undefined,
    finished: true,
  });
}

function madeCall(item: Fields): readonly MadeCall[] {
  const call = callOf(item);
  return call?.name === undefined ? [] : [{ id: call.id, name: call.name, arguments: call.arguments ?? "" }];
}

/** The reason in `incomplete_details` is more specific than the status `incomplete`. */
function stopReasonOf({ status, incomplete_details: details }: Fields): string | undefined {
  return (isObject(details) ? text(details.reason) : undefined) ?? text(status);
}

export function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  const { type, code, message } = isObject(error) ? error : {};
  return [text(code) ?? text(type), text(message)].filter((part) => part !== undefined).join(": ") || "error";
}

/** An output item that is still being streamed. */
interface OpenItem {
  item: Fields;
  done: boolean;
  /** Deltas received so far, by content part; a call has one part. */
  readonly parts: Map<unknown, string[]>;
}

/** The field of a call item that its deltas fill. */
const CALL_FIELDS: { readonly [type: string]: string } = { function_call: "arguments", custom_tool_call: "input" };

/** Delta events, and the events that repeat the complete text in one of their fields. */
const DELTAS = new Set([
  "response.function_call_arguments.delta",
  "response.custom_tool_call_input.delta",
  "response.output_text.delta",
]);
const DONE_FIELDS = new Map([
  ["response.function_call_arguments.done", "arguments"],
  ["response.custom_tool_call_input.done", "input"],
  ["response.output_text.done", "text"],
]);
const ENDINGS = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** Assembles a streamed response from the last event; what that lacks comes from the events before it. */
export function createStreamDecoder(): StreamDecoder {
  const open = new Map<unknown, OpenItem>();
  let response: Fields = {};
  let error: string | undefined;
  let finished = false;

  const partsOf = (event: Fields): string[] | undefined => {
    const entry = open.get(itemKey(event));
    if (entry === undefined) return undefined;
    const at = event.content_index ?? 0;
    const parts = entry.parts.get(at) ?? [];
    entry.parts.set(at, parts);
    return parts;
  };

  const readItem = (event: Fields, done: boolean): void => {
    if (!isObject(event.item)) return;
    const key = event.output_index ?? event.item.id;
    const entry = open.get(key);
    if (entry === undefined) open.set(key, { item: event.item, done, parts: new Map() });
    else if (done) Object.assign(entry, { item: event.item, done });
  };

  const read = (type: string, event: Fields): void => {
    if (isObject(event.response) && !finished) {
      response = event.response;
      finished = ENDINGS.has(type);
    }
    if (type === "response.output_item.added") readItem(event, false);
    else if (type === "response.output_item.done") readItem(event, true);
    else if (type === "error") error = errorText(isObject(event.error) ? event.error : { ...event, type: undefined });
    else if (DELTAS.has(type) && typeof event.delta === "string") partsOf(event)?.push(event.delta);
    else {
      const completeText = event[DONE_FIELDS.get(type) ?? ""];
      if (DONE_FIELDS.has(type) && typeof completeText === "string")
        partsOf(event)?.splice(0, Number.POSITIVE_INFINITY, completeText);
    }
  };

  return {
    push(data, json) {
      const event = json ?? parseJson(data);
      if (isObject(event) && typeof event.type === "string") read(event.type, event);
    },
    end(): DecodedResponse {
      // Some servers end with an empty list although they sent items.
      const isComplete = Array.isArray(response.output) && response.output.length > 0 && finished;
      const output = isComplete ? response.output : [...open.values()].map(assemble);
      const decoded = decodeResponse({ ...response, output });
      return omitUndefined({ text: "", calls: [], usage: {}, ...decoded, error: decoded?.error ?? error, finished });
    },
  };
}

function itemKey(event: Fields): unknown {
  return event.output_index ?? event.item_id;
}

/** The item with the deltas received so far. */
function assemble({ item, done, parts }: OpenItem): Fields {
  if (done || parts.size === 0) return item;
  const texts = [...parts.values()].map((part) => part.join(""));
  const type = text(item.type) ?? "";
  const field = Object.hasOwn(CALL_FIELDS, type) ? CALL_FIELDS[type] : undefined;
  if (field !== undefined) return { ...item, [field]: texts.join("") };
  return { ...item, content: texts.map((text) => ({ type: "output_text", text })) };
}

/** The OpenAI Responses API. */
export const openaiResponses: WireApi = { decodeRequest, decodeResponse, createStreamDecoder };
