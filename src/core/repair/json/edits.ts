import type { JsonSpan } from "./json-spans.ts";

interface Edit extends JsonSpan {
  readonly text: string;
}

/** Collects edits by position in the original text; everything between them is preserved. */
export class Edits {
  readonly #edits: Edit[] = [];

  replace(span: JsonSpan, text: string): void {
    this.#edits.push({ ...span, text });
  }

  insert(at: number, text: string): void {
    this.#edits.push({ start: at, end: at, text });
  }

  get hasEdits(): boolean {
    return this.#edits.length > 0;
  }

  /** The part of the original between two positions, with its edits applied. */
  apply(original: string, from = 0, to = original.length): string {
    const edits = this.#edits.filter((edit) => edit.start >= from && edit.end <= to).sort((a, b) => a.start - b.start);
    const parts: string[] = [];
    let at = from;
    for (const edit of edits) {
      parts.push(original.slice(at, edit.start), edit.text);
      at = edit.end;
    }
    parts.push(original.slice(at, to));
    return parts.join("");
  }
}

/** Rebuilds a JSON array: drops items, applies edits to others, appends new ones. */
export function rebuildList(
  original: string,
  items: readonly JsonSpan[],
  edits: Edits,
  isRemoved: (index: number) => boolean,
  added: readonly string[],
): string {
  const remaining = items
    .filter((_, index) => !isRemoved(index))
    .map(({ start, end }) => edits.apply(original, start, end));
  return `[${[...remaining, ...added].join(",")}]`;
}
