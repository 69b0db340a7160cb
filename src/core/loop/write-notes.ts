import { type Fields, isArray, isObject } from "../model/narrow.ts";
import { Edits, itemSpans, type JsonSpan, memberSpans, spanAt } from "../repair/json/json-spans.ts";
import { field, spelling } from "../wire/gemini/fields.ts";
import { type Api, historyField } from "../wire/turn.ts";
import { type GuardNote, messageList } from "./guard-request.ts";

/** Appends notes to the last result of their messages. All other bytes of the request stay unchanged. */
export function writeNotes(api: Api, source: string, body: unknown, notes: readonly GuardNote[]): string | undefined {
  if (notes.length === 0) return undefined;
  const list = messageList(api, body);
  const start = memberSpans(source, 0)?.get(historyField(api))?.start;
  if (list === undefined || start === undefined) return undefined;
  const spans = itemSpans(source, start) ?? [];
  const edits = new Edits();
  for (const { at, text } of notes) {
    const span = spans[at];
    if (span !== undefined) appendNote(api, source, span, list[at], text, edits);
  }
  return edits.hasEdits ? edits.apply(source) : undefined;
}

function appendNote(api: Api, source: string, span: JsonSpan, item: unknown, text: string, edits: Edits): void {
  if (!isObject(item)) return;
  switch (api) {
    case "anthropic": {
      const block = isArray(item.content)
        ? item.content.findLastIndex((one) => isObject(one) && one.type === "tool_result")
        : -1;
      const content = memberSpans(source, span.start)?.get("content");
      const found = content && itemSpans(source, content.start)?.[block];
      if (found !== undefined) appendTo(source, found, "content", "text", text, edits);
      return;
    }
    case "chat":
    case "ollama":
      if (item.role === "tool") appendTo(source, span, "content", "text", text, edits);
      return;
    case "responses":
      if (OUTPUTS.has(item.type)) appendTo(source, span, "output", "input_text", text, edits);
      return;
    case "gemini":
      appendToResponse(source, span, item, text, edits);
      return;
  }
}

/** A result is an object: the note is appended to its text, or becomes a separate member. */
function appendToResponse(source: string, span: JsonSpan, item: Fields, text: string, edits: Edits): void {
  const parts = isArray(item.parts) ? item.parts : [];
  const at = parts.findLastIndex((part) => isObject(part) && isObject(field(part, "functionResponse")));
  const part = parts[at];
  if (!isObject(part)) return;
  const response = spanAt(source, ["parts", at, spelling(part, "functionResponse"), "response"], span.start);
  const members = response && memberSpans(source, response.start);
  if (response === undefined || members === undefined) return;
  const written = members.get("error") ?? members.get("output");
  if (written !== undefined && source[written.start] === '"')
    edits.insert(written.end - 1, JSON.stringify(`\n\n${text}`).slice(1, -1));
  else edits.insert(response.end - 1, `${members.size === 0 ? "" : ","}"note":${JSON.stringify(text)}`);
}

/** Items whose output is text; those of other tools are structured. */
const OUTPUTS = new Set<unknown>(["function_call_output", "custom_tool_call_output"]);

/** Inserts before the end of a string or list, so that the existing content keeps its bytes. */
function appendTo(source: string, owner: JsonSpan, field: string, type: string, text: string, edits: Edits): void {
  const span = memberSpans(source, owner.start)?.get(field);
  if (span === undefined) return;
  const last = span.end - 1;
  if (source[span.start] === '"') edits.insert(last, JSON.stringify(`\n\n${text}`).slice(1, -1));
  else if (source[span.start] === "[") {
    const isEmpty = (itemSpans(source, span.start)?.length ?? 0) === 0;
    edits.insert(last, `${isEmpty ? "" : ","}${JSON.stringify({ type, text })}`);
  }
}
