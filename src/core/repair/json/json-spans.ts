/** Position of a value in a JSON text; `end` is exclusive. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

// Not imported: in the loops over every character, constants of the same module are faster.
const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Positions of the member values of the object at `at`, by name; undefined if there is no object. Values are skipped
 * rather than parsed, so that one can be replaced while the rest of the text stays unchanged. The text must be valid
 * JSON.
 */
export function memberSpans(text: string, at: number): ReadonlyMap<string, JsonSpan> | undefined {
  let i = skipBlanks(text, at);
  if (text[i] !== "{") return undefined;
  const members = new Map<string, JsonSpan>();
  i = skipBlanks(text, i + 1);
  while (i < text.length && text[i] !== "}") {
    const nameEnd = skipString(text, i);
    const name: string = JSON.parse(text.slice(i, nameEnd));
    const start = skipBlanks(text, skipBlanks(text, nameEnd) + 1);
    const end = skipValue(text, start);
    members.set(name, { start, end });
    i = skipBlanks(text, end);
    if (text[i] === ",") i = skipBlanks(text, i + 1);
  }
  return members;
}

/** Positions of the items of the array at `at`; undefined if there is no array. */
export function itemSpans(text: string, at: number): readonly JsonSpan[] | undefined {
  let i = skipBlanks(text, at);
  if (text[i] !== "[") return undefined;
  const items: JsonSpan[] = [];
  i = skipBlanks(text, i + 1);
  while (i < text.length && text[i] !== "]") {
    const end = skipValue(text, i);
    items.push({ start: i, end });
    i = skipBlanks(text, end);
    if (text[i] === ",") i = skipBlanks(text, i + 1);
  }
  return items;
}

/** Position of the value at a path of names and indexes. For several paths of one text use {@link JsonSpans}. */
export function spanAt(text: string, path: readonly (string | number)[], from = 0): JsonSpan | undefined {
  return new JsonSpans(text).at(path, from);
}

/** Positions of values in one text. Reads each object and array once, however many paths lead through it. */
export class JsonSpans {
  readonly #text: string;
  readonly #members = new Map<number, ReadonlyMap<string, JsonSpan> | undefined>();
  readonly #items = new Map<number, readonly JsonSpan[] | undefined>();

  constructor(text: string) {
    this.#text = text;
  }

  at(path: readonly (string | number)[], from = 0): JsonSpan | undefined {
    let span: JsonSpan | undefined = { start: skipBlanks(this.#text, from), end: this.#text.length };
    for (const step of path) {
      if (span === undefined) return undefined;
      const start: number = span.start;
      span =
        typeof step === "number"
          ? readOnce(this.#items, start, () => itemSpans(this.#text, start))?.[step]
          : readOnce(this.#members, start, () => memberSpans(this.#text, start))?.get(step);
    }
    return span;
  }

  /** The value as it is written; "" if there is none. */
  textAt(path: readonly (string | number)[]): string {
    const span = this.at(path);
    return span === undefined ? "" : this.#text.slice(span.start, span.end);
  }
}

function readOnce<T>(known: Map<number, T | undefined>, start: number, read: () => T | undefined): T | undefined {
  if (!known.has(start)) known.set(start, read());
  return known.get(start);
}

function skipBlanks(text: string, from: number): number {
  let i = from;
  for (; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (!isSpace(c) && c !== BYTE_ORDER_MARK) break;
  }
  return i;
}

function isSpace(c: number): boolean {
  return c === SPACE || c === LF || c === CR || c === TAB;
}

function skipString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c === BACKSLASH) i += 1;
    else if (c === DOUBLE_QUOTE) return i + 1;
  }
  return text.length;
}

/** Skips containers by counting brackets instead of recursing, so that deep nesting cannot overflow the stack. */
function skipValue(text: string, at: number): number {
  let depth = 0;
  let i = at;
  while (i < text.length) {
    const c = text.charCodeAt(i);
    if (c === DOUBLE_QUOTE) {
      i = skipString(text, i);
      if (depth === 0) return i;
      continue;
    }
    if (c === OPEN_BRACE || c === OPEN_BRACKET) depth += 1;
    else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      if (depth === 0) return i;
      depth -= 1;
      if (depth === 0) return i + 1;
    } else if (depth === 0 && (c === COMMA || isSpace(c))) return i;
    i += 1;
  }
  return i;
}

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
