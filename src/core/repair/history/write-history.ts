import { type Fields, isObject } from "../../wire/json.ts";
import { Edits, rebuildList } from "../json/edits.ts";
import { itemSpans, type JsonSpan, memberSpans } from "../json/json-spans.ts";
import { isThinking } from "../json/messages-json.ts";
import type { TextSegment } from "../text-segment.ts";
import type { Api } from "../types.ts";

/** A call that takes the place of a leak in a history. */
export interface HistoryCallText {
  readonly id: string;
  readonly name: string;
  /** JSON of an object. */
  readonly arguments: string;
}

/** What becomes of one message. */
export interface ItemChange {
  /** The texts that hold leaks, by block; -1: the content itself is a text. */
  readonly texts: ReadonlyMap<number, TextSegment>;
  /** Calls that the leaks become; none: they are only taken out. */
  readonly calls: readonly HistoryCallText[];
  readonly found: number;
}

/** A message as it will be sent; empty: not at all. */
interface Written {
  readonly text: string;
  /** The mark of a cache that stood on a block which is gone, with none left in its message to take it. */
  readonly marker?: string;
}

/** The source with changed messages in its list; everything else is the text it was. */
export function writeHistory(
  api: Api,
  source: string,
  listAt: number,
  list: readonly unknown[],
  changes: ReadonlyMap<number, ItemChange>,
): string {
  const spans = itemSpans(source, listAt) ?? [];
  const written = spans.map((span, index) => {
    const change = changes.get(index);
    return change && writeItem(api, source, span, list[index] as Fields, change);
  });
  const edits = new Edits();
  for (const [index, one] of written.entries()) {
    const before = written.slice(0, index).findLastIndex((other) => other?.text !== "");
    if (one?.marker === undefined || before === -1 || written[before] !== undefined) continue;
    markLastBlock(source, spans[before] as JsonSpan, one.marker, edits);
  }
  let out = "";
  for (const [index, span] of spans.entries()) {
    const text = written[index]?.text ?? edits.apply(source, span.start, span.end);
    if (text === "") continue;
    // What stands between two messages stays, line ends and all.
    out += (out === "" ? "" : source.slice((spans[index - 1] as JsonSpan).end, span.start)) + text;
  }
  const [first, last] = [spans[0] as JsonSpan, spans.at(-1) as JsonSpan];
  return source.slice(0, first.start) + out + source.slice(last.end);
}

function writeItem(api: Api, source: string, span: JsonSpan, item: Fields, change: ItemChange): Written {
  const members = memberSpans(source, span.start);
  const content = members?.get("content");
  if (content === undefined) return { text: source.slice(span.start, span.end) };
  const uses = api === "anthropic" ? change.calls.map(toolUse) : [];
  const left =
    typeof item.content === "string"
      ? { text: stringContent(change.texts.get(-1) as TextSegment, uses) }
      : blockContent(source, content, item.content as readonly unknown[], change.texts, uses);
  const edits = new Edits();
  const calls = api === "chat" ? writeCalls(source, span, members?.get("tool_calls"), change.calls, edits) : false;
  const marker = left.marker === undefined ? {} : { marker: left.marker };
  edits.replace(content, left.text === "" ? "null" : left.text);
  const text = left.text === "" && !calls ? "" : edits.apply(source, span.start, span.end);
  const added = api === "responses" ? change.calls.map(functionCall) : [];
  return { text: [text, ...added].filter((part) => part !== "").join(","), ...marker };
}

function stringContent(unit: TextSegment, uses: readonly string[]): string {
  const words = unit.isRemoved ? "" : JSON.stringify(unit.remaining(0, unit.length));
  if (uses.length === 0) return words;
  return `[${[...(words === "" ? [] : [`{"type":"text","text":${words}}`]), ...uses].join(",")}]`;
}

function blockContent(
  source: string,
  content: JsonSpan,
  blocks: readonly unknown[],
  texts: ReadonlyMap<number, TextSegment>,
  uses: readonly string[],
): Written {
  const spans = itemSpans(source, content.start) ?? [];
  const edits = new Edits();
  const isGone = (at: number): boolean => texts.get(at)?.isRemoved === true;
  let marker: string | undefined;
  for (const [at, unit] of texts) {
    const members = memberSpans(source, (spans[at] as JsonSpan).start);
    const words = members?.get("text");
    if (!isGone(at) && words !== undefined) edits.replace(words, JSON.stringify(unit.remaining(0, unit.length)));
    const mark = members?.get("cache_control");
    if (!isGone(at) || mark === undefined) continue;
    marker = source.slice(mark.start, mark.end);
    const before = blocks.slice(0, at).findLastIndex((block, index) => !isGone(index) && canBeMarked(block));
    if (before === -1) continue;
    edits.insert((spans[before] as JsonSpan).end - 1, `,"cache_control":${marker}`);
    marker = undefined;
  }
  const isEmpty = uses.length === 0 && blocks.every((_, at) => isGone(at));
  return {
    text: isEmpty ? "" : rebuildList(source, spans, edits, isGone, uses),
    ...(marker !== undefined && { marker }),
  };
}

/** A cache ends behind a block of any kind but thoughts, and has one mark. */
function canBeMarked(block: unknown): boolean {
  return isObject(block) && !("cache_control" in block) && !isThinking(block);
}

/** The mark moves to the end of the message before: that is where the beginning of the conversation now ends. */
function markLastBlock(source: string, item: JsonSpan, marker: string, edits: Edits): void {
  const content = memberSpans(source, item.start)?.get("content");
  if (content === undefined) return;
  if (source[content.start] === '"') {
    const words = source.slice(content.start, content.end);
    edits.replace(content, `[{"type":"text","text":${words},"cache_control":${marker}}]`);
    return;
  }
  const last = itemSpans(source, content.start)?.at(-1);
  const isMarked = last === undefined || memberSpans(source, last.start)?.has("cache_control") !== false;
  if (last !== undefined && !isMarked) edits.insert(last.end - 1, `,"cache_control":${marker}`);
}

/** Puts calls into a Chat message. True: it has some now. */
function writeCalls(
  source: string,
  item: JsonSpan,
  given: JsonSpan | undefined,
  calls: readonly HistoryCallText[],
  edits: Edits,
): boolean {
  const known = (given && itemSpans(source, given.start)) ?? [];
  const added = calls.map(
    ({ id, name, arguments: args }) =>
      `{"id":${JSON.stringify(id)},"type":"function","function":{"name":${JSON.stringify(name)},"arguments":${JSON.stringify(args)}}}`,
  );
  if (added.length === 0) return known.length > 0;
  if (given === undefined) edits.insert(item.end - 1, `,"tool_calls":[${added.join(",")}]`);
  else
    edits.replace(
      given,
      rebuildList(source, known, new Edits(), () => false, added),
    );
  return true;
}

function toolUse({ id, name, arguments: args }: HistoryCallText): string {
  return `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"input":${args}}`;
}

function functionCall({ id, name, arguments: args }: HistoryCallText): string {
  return JSON.stringify({ type: "function_call", call_id: id, name, arguments: args });
}
