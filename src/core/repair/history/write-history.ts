import { present } from "../../model/narrow.ts";
import { type Fields, isArray, isObject } from "../../wire/json.ts";
import type { CleanableApi } from "../../wire/turn.ts";
import { Edits, itemSpans, type JsonSpan, memberSpans, rebuildList } from "../json/json-spans.ts";
import { isThinking } from "../json/messages-json.ts";
import type { TextSegment } from "../text-segment.ts";

/** A call that replaces a leak in a history. */
export interface HistoryCallText {
  readonly id: string;
  readonly name: string;
  /** A JSON object. */
  readonly arguments: string;
}

/** The change to one message. */
export interface ItemChange {
  /** Texts with leaks, by block index; -1 if the content is a string. */
  readonly texts: ReadonlyMap<number, TextSegment>;
  /** Calls that replace the leaks; if empty, the leaks are only removed. */
  readonly calls: readonly HistoryCallText[];
  readonly found: number;
}

/** A rewritten message; an empty text removes it. */
interface RewrittenMessage {
  readonly text: string;
  /** Cache marker of a removed block, if no other block of the message can carry it. */
  readonly marker?: string;
}

/** Returns the source with changed messages; the rest is copied byte for byte. */
export function writeHistory(
  api: CleanableApi,
  source: string,
  listAt: number,
  list: readonly unknown[],
  changes: ReadonlyMap<number, ItemChange>,
): string {
  const spans = itemSpans(source, listAt) ?? [];
  const rewritten = spans.map((span, index) => {
    const change = changes.get(index);
    const item = list[index];
    return change && isObject(item) ? writeItem(api, source, span, item, change) : undefined;
  });
  const edits = new Edits();
  for (const [index, message] of rewritten.entries()) {
    const before = rewritten.slice(0, index).findLastIndex((other) => other?.text !== "");
    if (message?.marker === undefined || before === -1 || rewritten[before] !== undefined) continue;
    markLastBlock(source, present(spans[before]), message.marker, edits);
  }
  let out = "";
  for (const [index, span] of spans.entries()) {
    const text = rewritten[index]?.text ?? edits.apply(source, span.start, span.end);
    if (text === "") continue;
    // Whitespace between messages is preserved.
    out += (out === "" ? "" : source.slice(spans[index - 1]?.end, span.start)) + text;
  }
  return source.slice(0, spans[0]?.start) + out + source.slice(spans.at(-1)?.end ?? source.length);
}

function writeItem(
  api: CleanableApi,
  source: string,
  span: JsonSpan,
  item: Fields,
  change: ItemChange,
): RewrittenMessage {
  const members = memberSpans(source, span.start);
  const content = members?.get("content");
  if (content === undefined) return { text: source.slice(span.start, span.end) };
  const uses = api === "anthropic" ? change.calls.map(toolUse) : [];
  const newContent = isArray(item.content)
    ? blockContent(source, content, item.content, change.texts, uses)
    : { text: stringContent(present(change.texts.get(-1)), uses) };
  const edits = new Edits();
  const calls =
    api === "chat" || api === "ollama"
      ? writeCalls(source, span, members?.get("tool_calls"), change.calls, edits)
      : false;
  const marker = newContent.marker === undefined ? {} : { marker: newContent.marker };
  edits.replace(content, newContent.text === "" ? EMPTY_CONTENT[api] : newContent.text);
  const text = newContent.text === "" && !calls ? "" : edits.apply(source, span.start, span.end);
  const added = api === "responses" ? change.calls.map(functionCall) : [];
  return { text: [text, ...added].filter((part) => part !== "").join(","), ...marker };
}

/** The content of a message with calls only. Ollama's is always a string. */
const EMPTY_CONTENT = { anthropic: "null", chat: "null", responses: "null", ollama: '""' } as const;

function stringContent(segment: TextSegment, uses: readonly string[]): string {
  const text = segment.isRemoved ? "" : JSON.stringify(segment.remaining(0, segment.length));
  if (uses.length === 0) return text;
  return `[${[...(text === "" ? [] : [`{"type":"text","text":${text}}`]), ...uses].join(",")}]`;
}

function blockContent(
  source: string,
  content: JsonSpan,
  blocks: readonly unknown[],
  texts: ReadonlyMap<number, TextSegment>,
  uses: readonly string[],
): RewrittenMessage {
  const spans = itemSpans(source, content.start) ?? [];
  const edits = new Edits();
  const isRemoved = (at: number): boolean => texts.get(at)?.isRemoved === true;
  let marker: string | undefined;
  for (const [at, segment] of texts) {
    const members = memberSpans(source, present(spans[at]).start);
    const textSpan = members?.get("text");
    if (!isRemoved(at) && textSpan !== undefined)
      edits.replace(textSpan, JSON.stringify(segment.remaining(0, segment.length)));
    const mark = members?.get("cache_control");
    if (!isRemoved(at) || mark === undefined) continue;
    marker = source.slice(mark.start, mark.end);
    const before = blocks.slice(0, at).findLastIndex((block, index) => !isRemoved(index) && canBeMarked(block));
    if (before === -1) continue;
    edits.insert(present(spans[before]).end - 1, `,"cache_control":${marker}`);
    marker = undefined;
  }
  const isEmpty = uses.length === 0 && blocks.every((_, at) => isRemoved(at));
  return {
    text: isEmpty ? "" : rebuildList(source, spans, edits, isRemoved, uses),
    ...(marker !== undefined && { marker }),
  };
}

/** A cache marker may follow any block except thinking, and a block has at most one. */
function canBeMarked(block: unknown): boolean {
  return isObject(block) && !("cache_control" in block) && !isThinking(block);
}

/** Moves the marker to the end of the previous message, which is now the end of the cached prefix. */
function markLastBlock(source: string, item: JsonSpan, marker: string, edits: Edits): void {
  const content = memberSpans(source, item.start)?.get("content");
  if (content === undefined) return;
  if (source[content.start] === '"') {
    const text = source.slice(content.start, content.end);
    edits.replace(content, `[{"type":"text","text":${text},"cache_control":${marker}}]`);
    return;
  }
  const last = itemSpans(source, content.start)?.at(-1);
  const isMarked = last === undefined || memberSpans(source, last.start)?.has("cache_control") !== false;
  if (last !== undefined && !isMarked) edits.insert(last.end - 1, `,"cache_control":${marker}`);
}

/** Adds calls to a Chat message. Returns true if the message then has calls. */
function writeCalls(
  source: string,
  item: JsonSpan,
  existing: JsonSpan | undefined,
  calls: readonly HistoryCallText[],
  edits: Edits,
): boolean {
  const existingItems = (existing && itemSpans(source, existing.start)) ?? [];
  const added = calls.map(
    ({ id, name, arguments: args }) =>
      `{"id":${JSON.stringify(id)},"type":"function","function":{"name":${JSON.stringify(name)},"arguments":${JSON.stringify(args)}}}`,
  );
  if (added.length === 0) return existingItems.length > 0;
  if (existing === undefined) edits.insert(item.end - 1, `,"tool_calls":[${added.join(",")}]`);
  else
    edits.replace(
      existing,
      rebuildList(source, existingItems, new Edits(), () => false, added),
    );
  return true;
}

function toolUse({ id, name, arguments: args }: HistoryCallText): string {
  return `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"input":${args}}`;
}

function functionCall({ id, name, arguments: args }: HistoryCallText): string {
  return JSON.stringify({ type: "function_call", call_id: id, name, arguments: args });
}
