class NeedMoreText extends Error {}

/**
 * Thrown when a reader reaches the end of the text and more may follow. Shared, so that throwing it records no stack.
 * The scanner catches it and reads again when more text has arrived.
 */
export const NEED_MORE: Error = new NeedMoreText("more text is needed");

/**
 * The text received so far. Everything that depends on a character that has not arrived throws {@link NEED_MORE}, so a
 * reader's result never changes with later text. At the end of complete text, characters are empty.
 */
export class Text {
  readonly text: string;
  /** Nothing follows `length`. */
  readonly final: boolean;
  readonly length: number;

  constructor(text: string, final: boolean, length = text.length) {
    this.text = text;
    this.final = final;
    this.length = length;
  }

  at(i: number): string {
    if (i < this.length) return this.text[i] as string;
    if (!this.final) throw NEED_MORE;
    return "";
  }

  isEnd(i: number): boolean {
    if (i < this.length) return false;
    if (!this.final) throw NEED_MORE;
    return true;
  }

  startsWith(literal: string, i: number): boolean {
    if (i + literal.length <= this.length) return this.text.startsWith(literal, i);
    if (!this.final && literal.startsWith(this.text.slice(i, this.length))) throw NEED_MORE;
    return false;
  }

  /** End of the whitespace at `i`. */
  skipBlanks(i: number): number {
    const end = skipWhitespace(this.text, i, this.length);
    if (end >= this.length && !this.final) throw NEED_MORE;
    return end;
  }

  /** End of the run of characters that pass the test, of at most `max`. */
  skipWhile(i: number, max: number, test: (code: number) => boolean): number {
    const stop = i + max;
    let end = i;
    while (end < stop && end < this.length && test(this.text.charCodeAt(end))) end += 1;
    if (end < stop && end >= this.length && !this.final) throw NEED_MORE;
    return end;
  }

  /** Position of `what` within the next `max` characters, or -1. */
  find(what: string, i: number, max: number): number {
    // Searching the whole text would make many short searches quadratic.
    const found = Number.isFinite(max) ? this.text.slice(i, i + max).indexOf(what) : this.text.indexOf(what, i) - i;
    if (found >= 0 && i + found + what.length <= this.length) return i + found;
    if (!this.final && this.length - i < max) throw NEED_MORE;
    return -1;
  }
}

/** End of the run of blanks that starts at `i`. */
export function skipWhitespace(text: string, i: number, limit: number): number {
  while (i < limit) {
    const c = text.charCodeAt(i);
    if (c !== 32 && c !== 10 && c !== 13 && c !== 9 && c !== 160 && c !== 0xfeff) break;
    i += 1;
  }
  return i;
}

export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
