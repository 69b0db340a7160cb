import type { JsonSpan } from "./json-spans.ts";

interface Edit extends JsonSpan {
  readonly text: string;
}

/** Changes to a text at places of the original; everything between them stays as it was. */
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

  /** The part of the original between two places, with the changes that lie in it. */
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

/** The list at a place, some items left out, others changed or added behind; items keep their text. */
export function rebuildList(
  original: string,
  items: readonly JsonSpan[],
  edits: Edits,
  isGone: (index: number) => boolean,
  added: readonly string[],
): string {
  const kept = items.filter((_, index) => !isGone(index)).map(({ start, end }) => edits.apply(original, start, end));
  return `[${[...kept, ...added].join(",")}]`;
}
