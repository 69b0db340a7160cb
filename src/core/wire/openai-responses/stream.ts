import { type Fields, given, isObject, parseJson, text } from "../json.ts";
import type { DecodedResponse, StreamDecoder } from "../turn.ts";
import { decodeResponse, errorText } from "./response.ts";

/** An output item while it is being sent. */
interface OpenItem {
  item: Fields;
  done: boolean;
  /** What its deltas say so far, by content part; a call has one. */
  readonly parts: Map<unknown, string[]>;
}

/** Where the text of a call's deltas belongs in its item. */
const CALL_FIELDS: { readonly [type: string]: string } = { function_call: "arguments", custom_tool_call: "input" };

/** Deltas, and the events that repeat the whole text in one of their fields. */
const DELTAS = new Set([
  "response.function_call_arguments.delta",
  "response.custom_tool_call_input.delta",
  "response.output_text.delta",
]);
const WHOLES = new Map([
  ["response.function_call_arguments.done", "arguments"],
  ["response.custom_tool_call_input.done", "input"],
  ["response.output_text.done", "text"],
]);
const ENDINGS = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** Puts a streamed response together: what the last event says, and what the events before it say where it is missing. */
export function createStreamDecoder(): StreamDecoder {
  const open = new Map<unknown, OpenItem>();
  let response: Fields = {};
  let error: string | undefined;
  let finished = false;

  const partsOf = (event: Fields): string[] | undefined => {
    const entry = open.get(placeOf(event));
    if (entry === undefined) return undefined;
    const at = event.content_index ?? 0;
    const parts = entry.parts.get(at) ?? [];
    entry.parts.set(at, parts);
    return parts;
  };

  const readItem = (event: Fields, done: boolean): void => {
    if (!isObject(event.item)) return;
    const place = event.output_index ?? event.item.id;
    const entry = open.get(place);
    if (entry === undefined) open.set(place, { item: event.item, done, parts: new Map() });
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
      const whole = event[WHOLES.get(type) ?? ""];
      if (WHOLES.has(type) && typeof whole === "string") partsOf(event)?.splice(0, Number.POSITIVE_INFINITY, whole);
    }
  };

  return {
    push(data, json) {
      const event = json ?? parseJson(data);
      if (isObject(event) && typeof event.type === "string") read(event.type, event);
    },
    end(): DecodedResponse {
      // Some servers end with an empty list although they have sent items.
      const told = Array.isArray(response.output) && response.output.length > 0 && finished;
      const output = told ? response.output : [...open.values()].map(assembled);
      const decoded = decodeResponse({ ...response, output });
      return given({ text: "", calls: [], usage: {}, ...decoded, error: decoded?.error ?? error, finished });
    },
  };
}

function placeOf(event: Fields): unknown {
  return event.output_index ?? event.item_id;
}

/** An item as far as it came. */
function assembled({ item, done, parts }: OpenItem): Fields {
  if (done || parts.size === 0) return item;
  const texts = [...parts.values()].map((part) => part.join(""));
  const type = text(item.type) ?? "";
  const field = Object.hasOwn(CALL_FIELDS, type) ? CALL_FIELDS[type] : undefined;
  if (field !== undefined) return { ...item, [field]: texts.join("") };
  return { ...item, content: texts.map((words) => ({ type: "output_text", text: words })) };
}
