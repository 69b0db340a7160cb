import { isObject } from "../../wire/json.ts";
import type { TextSegment } from "../text-segment.ts";
import { Edits, rebuildList } from "./edits.ts";
import { itemSpans, type JsonSpan, spanAt } from "./json-spans.ts";

/** One text of a content: the content itself, or a part of a list. */
export interface ContentText {
  /** Where it stands in the content. */
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** Where it stands in the text of the whole content. */
  readonly start: number;
  readonly end: number;
}

/** The texts of a Chat content. The parts of a list are one text: a stream cuts them anywhere. `from`: what came before. */
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

/** Does a content hold nothing but text? */
export function isOnlyText(content: unknown): boolean {
  return !Array.isArray(content) || content.every((part) => textOf(part) !== undefined);
}

/** The content as JSON without the calls; parts of which nothing remains go, and null stands for nothing at all. */
export function remainingContent(
  source: string,
  content: JsonSpan,
  unit: TextSegment,
  texts: readonly ContentText[],
): string {
  const items = itemSpans(source, content.start);
  if (items === undefined) return unit.isRemoved ? "null" : JSON.stringify(unit.remaining(0, unit.length));
  const edits = new Edits();
  const gone = new Set<number>();
  for (const { path, text, start, end } of texts) {
    const rest = unit.remaining(start, end);
    const span = spanAt(source, path, content.start);
    if (rest === "" && text !== "") gone.add(path[0] as number);
    else if (rest !== text && span !== undefined) edits.replace(span, JSON.stringify(rest));
  }
  return gone.size === items.length ? "null" : rebuildList(source, items, edits, (index) => gone.has(index), []);
}
