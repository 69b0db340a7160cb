import { type Fields, isObject, omitUndefined, parseJson, text } from "../json.ts";
import type { DecodedResponse, StreamDecoder } from "../turn.ts";
import { decodeResponse, errorText } from "./response.ts";

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
