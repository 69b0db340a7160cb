import type { Budget } from "./call-facts.ts";
import { flattenJson } from "./flatten-json.ts";
import { joinOmissions, stripLineDecoration } from "./lines.ts";
import type { PartContent } from "./read-part.ts";
import { type Search, SearchedText, type Window } from "./search.ts";
import { reveal } from "./views.ts";

/** A text that the model was given. */
export interface Given {
  /** The parts that may contain the call, not decoded. */
  parts(search: Search, budget: Budget): ReadonlySet<string>;
  /** The parsed parts, by their text. */
  readonly contents: Map<string, PartContent>;
}

/** A single text, and its strings if it is JSON. */
export class GivenText implements Given {
  readonly contents = new Map<string, PartContent>();
  readonly #texts: readonly SearchedText[];

  constructor(text: string) {
    const texts = new Set([text, flattenJson(text) ?? text, joinOmissions(text)]);
    this.#texts = [...texts].map((one) => new SearchedText(one));
  }

  parts(search: Search, budget: Budget): ReadonlySet<string> {
    const parts = new Set<string>();
    for (const searched of this.#texts)
      for (const { start, end } of searched.find(search, budget)) parts.add(searched.text.slice(start, end));
    return parts;
  }
}

/** The first or last line of a page: `page 2 of 3`, `-- more --`. */
const PAGE_MARK =
  /^[ \t=*#<[(.…-]{0,12}(?:page|part|chunk|section|lines?|rows?|seite|teil|página|continued|more|end|\d{1,5})\b[^<{}"'=\n]{0,60}$/i;
const MAX_MARK_CHARS = 80;

/** Removes the first and last line of a page if they only number it. */
function withoutPageMarks(text: string): string {
  const first = text.indexOf("\n");
  const last = text.lastIndexOf("\n");
  if (first === -1) return text;
  const start = first <= MAX_MARK_CHARS && PAGE_MARK.test(text.slice(0, first)) ? first + 1 : 0;
  const end = text.length - last <= MAX_MARK_CHARS && PAGE_MARK.test(text.slice(last + 1)) ? last : text.length;
  return text.slice(start, Math.max(start, end));
}

/** How much of the end of a text is joined with the beginning of the next. */
const MAX_PART_CHARS = 2048;
/** Cost of joining one character, in units of the budget. */
const JOINING_COST = 300;

/** The seams between consecutive texts: a call may begin in one result and end in the next. */
export class GivenSeam implements Given {
  readonly contents = new Map<string, PartContent>();
  readonly #searched: SearchedText;
  /** Positions at which one text ends and the next begins. */
  readonly #seams: readonly number[];
  readonly #parts = new Map<string, readonly string[]>();

  private constructor(texts: readonly string[]) {
    let length = 0;
    this.#seams = texts.slice(0, -1).map((text) => (length += text.length));
    this.#searched = new SearchedText(texts.join(""));
  }

  /** The seams of the texts as they are, and without the first and last lines that only number a page. */
  static between(texts: readonly string[]): readonly GivenSeam[] {
    const unmarked = texts.map(withoutPageMarks);
    const isMarked = unmarked.some((text, at) => text !== texts[at]);
    return [texts, ...(isMarked ? [unmarked] : [])].flatMap((list) => GivenSeam.#groups(list));
  }

  /** Uses only the beginning and the end of a long text, so that the seams are not longer than the texts. */
  static #groups(texts: readonly string[]): readonly GivenSeam[] {
    const groups: string[][] = [[]];
    for (const text of texts) {
      const isShort = text.length <= 2 * MAX_PART_CHARS;
      groups.at(-1)?.push(isShort ? text : text.slice(0, MAX_PART_CHARS));
      if (!isShort) groups.push([text.slice(-MAX_PART_CHARS)]);
    }
    return groups.filter((group) => group.length > 1).map((group) => new GivenSeam(group));
  }

  parts(search: Search, budget: Budget): ReadonlySet<string> {
    const parts = new Set<string>();
    for (const { start, end } of this.#searched.find(search, budget))
      for (const seam of this.#seamsBetween(start, end)) {
        const window = { start: Math.max(start, seam - search.extent), end: Math.min(end, seam + search.extent) };
        for (const part of this.#joined(window, budget)) parts.add(part);
      }
    return parts;
  }

  /**
   * Joins the texts as they are; also after removing line decoration from each one, because a seam may be inside a
   * line; and after decoding each one, because a seam may be inside an encoded string.
   */
  #joined({ start, end }: Window, budget: Budget): readonly string[] {
    const key = `${start} ${end}`;
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    budget.left -= JOINING_COST * (end - start);
    const cuts = this.#seamsBetween(start, end);
    const pieces = [start, ...cuts].map((at, index) => this.#searched.text.slice(at, cuts[index] ?? end));
    const parts = [pieces.join(""), pieces.map(stripLineDecoration).join(""), pieces.map(reveal).join("")];
    this.#parts.set(key, parts);
    return parts;
  }

  #seamsBetween(start: number, end: number): readonly number[] {
    return this.#seams.slice(this.#firstSeam(start + 1), this.#firstSeam(end));
  }

  /** Index of the first seam at or after a position. Binary search, because there may be as many seams as texts. */
  #firstSeam(position: number): number {
    let [low, high] = [0, this.#seams.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#seams[middle] as number) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
