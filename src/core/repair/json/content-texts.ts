import { isObject } from "../../wire/json.ts";
import type { TextSegment } from "../text-segment.ts";
import { Edits, itemSpans, type JsonSpan, rebuildList, spanAt } from "./json-spans.ts";

/** One text of a message content: the content itself, or one of its parts. */
export interface ContentText {
  /** Path within the content. */
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** Offset in the joined text of the content. */
  readonly start: number;
  readonly end: number;
}

/**
 * The texts of a Chat content. All parts count as one text, because a stream may split it anywhere. `from` is the
 * length of the text so far.
 */
export function contentTexts(content: unknown, from = 0): readonly ContentText[] {
  if (typeof content === "string") return [{ path: [], text: content, start: from, end: from + content.length }];
  const texts: ContentText[] = [];
  let start = from;
  for (const [index, part] of Array.isArray(content) ? content.entries() : []) {
    const text = textOf(part);
    if (text === undefined) continue;
    texts.push({ path: [index, "text"], text, start, end: start + text.length });
    start += text.length;
  }
  return texts;
}

function textOf(part: unknown): string | undefined {
  return isObject(part) && part.type === "text" && typeof part.text === "string" ? part.text : undefined;
}

/** True if the content consists of text only. */
export function isOnlyText(content: unknown): boolean {
  return !Array.isArray(content) || content.every((part) => textOf(part) !== undefined);
}

/**
 * The content as JSON without the calls. Parts without remaining text are dropped; the content is null if nothing
 * remains.
 */
export function remainingContent(
  source: string,
  content: JsonSpan,
  segment: TextSegment,
  texts: readonly ContentText[],
): string {
  const items = itemSpans(source, content.start);
  if (items === undefined) return segment.isRemoved ? "null" : JSON.stringify(segment.remaining(0, segment.length));
  const edits = new Edits();
  const removed = new Set<number>();
  for (const { path, text, start, end } of texts) {
    const remainder = segment.remaining(start, end);
    const span = spanAt(source, path, content.start);
    const [part] = path;
    if (remainder === "" && text !== "" && typeof part === "number") removed.add(part);
    else if (remainder !== text && span !== undefined) edits.replace(span, JSON.stringify(remainder));
  }
  return removed.size === items.length ? "null" : rebuildList(source, items, edits, (index) => removed.has(index), []);
}
