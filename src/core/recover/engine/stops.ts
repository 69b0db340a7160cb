import { escapeRegExp, NEED_MORE, type Text } from "../../text/cursor.ts";
import type { FormatIndex } from "../formats/index-formats.ts";
import { MINIMAX_PREFIX } from "../lex/token.ts";
import { FRAME_MARKS, RESULT_MARKS, THINK_ENDS, THINK_MARKS } from "./markers.ts";

/** Length of a mark's prefix that is searched for: long enough to be rare. */
const PREFIX = 3;

/** What to search for. Built once per set of formats. */
export interface StopTable {
  /** Matches the first character of each mark. */
  readonly marks: string;
  /** Literals that start with a letter: searched apart, because letters are everywhere. */
  readonly word: RegExp;
  /** A part of all these literals: a text without it has none of them. Empty if they share nothing. */
  readonly core: string;
  /** How far into a literal the part is at most. */
  readonly coreReach: number;
  /** All literals, with the words that may precede them: a chunk may end inside one. */
  readonly heads: ReadonlyMap<string, readonly string[]>;
  readonly longest: number;
}

export function stopTable(formats: FormatIndex): StopTable {
  const own = [...formats.marks.values()].flat().map((mark) => mark.text);
  const marks = [...own, ...RESULT_MARKS, ...THINK_MARKS.keys(), ...THINK_ENDS, ...FRAME_MARKS, MINIMAX_PREFIX];
  const words = formats.words.map((word) => word.text);
  const core = sharedPart(words);
  const led = formats.words.flatMap(({ text, row }) => (row.leads ?? []).map((lead) => lead + text));
  const heads = [...marks, ...words, ...led];
  const initials = marks.map((mark) => `${escapeRegExp(mark[0] as string)}(?=${escapeRegExp(beginning(mark))})`);
  return {
    marks: [...new Set(initials)].join("|"),
    word: new RegExp(words.map(escapeRegExp).join("|") || "$^", "g"),
    core,
    coreReach: Math.max(0, ...words.map((word) => word.indexOf(core))),
    heads: Map.groupBy(heads, (head) => head[0] as string),
    longest: Math.max(0, ...heads.map((head) => head.length)),
  };
}

/** Longer texts are searched for in another way, which is slower for words. */
const MAX_CORE = 6;

/** The longest part, up to `MAX_CORE`, that all texts have. */
function sharedPart([first = "", ...others]: readonly string[]): string {
  for (let size = Math.min(first.length, MAX_CORE); size > 0; size--)
    for (let at = 0; at + size <= first.length; at++) {
      const part = first.slice(at, at + size);
      if (others.every((other) => other.includes(part))) return part;
    }
  return "";
}

/** Matches the first character of a line break, inline code, a tag that may matter, or a mark. */
export function stopPattern({ marks }: StopTable, tag: string): RegExp {
  return new RegExp(`[\\n\`]|<(?=${tag}|${CUT_TAG})|${marks}`, "gi");
}

/** What follows the first character, up to one that stops the loop itself: the mark must be found before that one is. */
function beginning(mark: string): string {
  return mark.slice(1, PREFIX).replace(/(?<=[\n`<]).*/s, "");
}

/** Finds the next position that may matter. Searches are cached, so no character is searched twice. */
export class StopFinder {
  private readonly stop: RegExp;
  private readonly table: StopTable;
  private stopAt = -1;
  private wordAt = -1;

  constructor(stop: RegExp, table: StopTable) {
    this.stop = stop;
    this.table = table;
  }

  /** Discards the cached positions after the text has changed. */
  reset(): void {
    this.stopAt = -1;
    this.wordAt = -1;
  }

  /** Position of the first stop at or after `from`, or the length of the text. */
  find(text: string, from: number): number {
    const { stop } = this;
    if (this.stopAt < from) {
      stop.lastIndex = from;
      this.stopAt = stop.test(text) ? stop.lastIndex - 1 : text.length;
    }
    // An opener at this very place, as of a candidate that waits for its end: the text behind it is not searched.
    if (this.stopAt > from && this.wordAt < from) this.wordAt = this.findWord(text, from);
    return this.wordAt < from ? this.stopAt : Math.min(this.stopAt, this.wordAt);
  }

  /** Searches for the part of all words first: a text search is many times faster than a pattern. */
  private findWord(text: string, from: number): number {
    const { word, core, coreReach } = this.table;
    const at = text.indexOf(core, from);
    if (at === -1) return text.length;
    word.lastIndex = Math.max(from, at - coreReach);
    return word.exec(text)?.index ?? text.length;
  }

  /** How many characters at the end of the text may be the start of a literal. */
  partial(text: string, from: number): number {
    const { heads, longest } = this.table;
    for (let size = Math.min(longest - 1, text.length - from); size > 0; size--) {
      const end = text.slice(-size);
      if (heads.get(end[0] as string)?.some((head) => head.length > size && head.startsWith(end))) return size;
    }
    return 0;
  }
}

/** Longest tag name that is waited for. */
export const MAX_TAG_NAME = 64;
/** What a name continues with: not one of the bars, and none of the blanks beyond ASCII. */
const NAME = "\\w.\\-\\u0080-\\u009f\\u00a1-\\u011f\\u0122-\\u2015\\u2017-\\uff5b\\uff5d-\\uffff";
/** What the text may end with behind the bracket of a tag. */
const CUT_TAG = `/? ?[${NAME}:]{0,${MAX_TAG_NAME}}$`;
const INCOMPLETE_TAG = new RegExp(`^<${CUT_TAG}`);

/** Matches the inside of a tag that may matter, as far as needed: a special token, or a key in any short namespace. */
export function tagPattern(keys: Iterable<string>): string {
  const names = [...keys].filter((key) => !key.includes("|")).map(escapeRegExp);
  const key = `(?:[^\\s<>/:.|]{1,7}:)?(?:(?:${names.join("|")})(?![${NAME}])|[${NAME}]{1,64}[|｜‖])`;
  return `/?(?: ?[|｜‖]|${key})`;
}

/** Returns the test for a tag that may matter. */
export function tagFilter(tag: string): (source: Text, at: number) => boolean {
  const relevant = new RegExp(`<${tag}|\\]<\\]minimax\\[>\\[`, "iy");
  return (source, at) => {
    const { text } = source;
    const end = at + MAX_TAG_NAME;
    if (end > source.length && !source.final && INCOMPLETE_TAG.test(text.slice(at))) throw NEED_MORE;
    relevant.lastIndex = at;
    return relevant.test(text);
  };
}

/** How much of a text's beginning is compared: enough to rule out nearly all words. */
const BEGINNING_CHARS = 3;

/** Returns the test whether one of the texts may begin at a place. */
export function beginningFilter(texts: readonly string[]): (text: string, at: number) => boolean {
  const beginnings = new Set(texts.map((text) => escapeRegExp(text.slice(0, BEGINNING_CHARS))));
  const pattern = new RegExp([...beginnings].join("|"), "y");
  return (text, at) => {
    if (at + BEGINNING_CHARS > text.length) return true;
    pattern.lastIndex = at;
    return pattern.test(text);
  };
}
