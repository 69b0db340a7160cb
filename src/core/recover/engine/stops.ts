import type { FormatIndex } from "../formats/index-formats.ts";
import type { Text } from "../lex/text.ts";
import { MINIMAX_PREFIX } from "../lex/token.ts";
import { RESULT_MARKS, THINK_ENDS, THINK_MARKS } from "./markers.ts";
import { continuesParagraph } from "./scan-state.ts";
import type { Settings } from "./settings.ts";

/** Characters that always stop the loop: line breaks, inline code, tags. */
const COMMON: readonly string[] = ["\n", "`", "<"];
const BACKTICK = 96;
const TAG = 60;
const isCommon = (code: number): boolean => code === 10 || code === BACKTICK || code === TAG;
/**
 * Length of a mark's prefix that is searched for: long enough to be rare, and marks with the same prefix are searched
 * once.
 */
const PREFIX = 3;

/** Words that share this many characters are searched together. */
const COMMON_BEGINNING = 5;

/** Literals that are found by a substring they share. */
interface Rare {
  readonly shared: string;
  /** Offset of the shared substring in each literal. */
  readonly offset: number;
  readonly beginnings: readonly string[];
}

/** The search tables, built once per set of formats. */
export interface StopTable {
  readonly rare: readonly Rare[];
  /** Literals by first character, with the words that may precede them: a chunk may end inside one. */
  readonly heads: ReadonlyMap<number, readonly string[]>;
  readonly longest: number;
}

export function stopTable(formats: FormatIndex): StopTable {
  const marks = [
    ...[...formats.marks.values()].flat().map((mark) => mark.text),
    ...RESULT_MARKS,
    ...THINK_MARKS.keys(),
    ...THINK_ENDS,
    MINIMAX_PREFIX,
  ];
  const words = formats.words.map((word) => word.text);
  const rare = [
    ...marks.filter((mark) => mark[0] !== "<").map((mark) => cutAtCommon(mark).slice(0, PREFIX)),
    ...words.map(cutAtCommon),
  ];
  const heads = new Map<number, string[]>();
  const led = formats.words.flatMap(({ text, row }) => (row.leads ?? []).map((lead) => lead + text));
  for (const head of [...marks, ...words, ...led]) {
    const list = heads.get(head.charCodeAt(0));
    if (list === undefined) heads.set(head.charCodeAt(0), [head]);
    else list.push(head);
  }
  return {
    rare: groupRare(rare),
    heads,
    longest: Math.max(0, ...[...heads.values()].flat().map((head) => head.length)),
  };
}

/**
 * Groups literals to reduce the number of searches: each one is a pass over the text. Searching for a letter is slow,
 * so the shared substring starts at a punctuation character where there is one.
 */
function groupRare(beginnings: readonly string[]): readonly Rare[] {
  const groups = new Map<string, Rare>();
  for (const beginning of new Set(beginnings)) {
    const offset = Math.max(0, beginning.search(/(?<=[a-z])[^a-z](?=[a-z])/));
    const shared = beginning.slice(offset, offset + COMMON_BEGINNING);
    const key = `${offset} ${shared}`;
    const others = groups.get(key)?.beginnings ?? [];
    groups.set(key, { shared, offset, beginnings: [...others, beginning] });
  }
  return [...groups.values()];
}

/** Cuts a literal after the first character that stops the loop, because it must be found before that character is. */
function cutAtCommon(literal: string): string {
  let end = literal.length;
  for (const common of COMMON) {
    const at = literal.indexOf(common, 1);
    if (at !== -1 && at < end) end = at + 1;
  }
  return literal.slice(0, end);
}

/**
 * Finds the next position that may matter. All searches use the native `indexOf` and are cached, so no character is
 * searched twice for the same literal.
 */
export class StopFinder {
  private readonly table: StopTable;
  private readonly rareAt: number[];
  private rareFirst = -1;
  private lineAt = -1;
  private codeAt = -1;
  private tagAt = -1;

  constructor(table: StopTable) {
    this.table = table;
    this.rareAt = table.rare.map(() => -1);
  }

  /** Discards the cached positions after the text has changed. */
  reset(): void {
    this.rareAt.fill(-1);
    this.rareFirst = -1;
    this.lineAt = -1;
    this.codeAt = -1;
    this.tagAt = -1;
  }

  /** Position of the first stop at or after `from`, or the length of the text. */
  find(text: string, from: number): number {
    // An opener at this very place, as of a candidate that waits for its end: the text behind it is not searched.
    if (isCommon(text.charCodeAt(from))) return from;
    if (this.lineAt < from) this.lineAt = next(text, "\n", from);
    if (this.codeAt < from) this.codeAt = next(text, "`", from);
    if (this.tagAt < from) this.tagAt = next(text, "<", from);
    if (this.rareFirst < from) this.rareFirst = this.findRare(text, from);
    const common = this.codeAt < this.tagAt ? this.codeAt : this.tagAt;
    const first = common < this.lineAt ? common : this.lineAt;
    return first < this.rareFirst ? first : this.rareFirst;
  }

  /**
   * End of a complete line without stops, or -1. Inline code in single backticks and `foreign` tags do not count as
   * stops; nor do backticks if `fenced`.
   */
  plainLine(source: Text, from: number, fenced: boolean, foreign: (source: Text, at: number) => boolean): number {
    const { text } = source;
    if (text.charCodeAt(from) === TAG && !foreign(source, from)) return -1;
    if (this.lineAt < from) this.lineAt = next(text, "\n", from);
    const end = this.lineAt;
    if (end >= text.length) return -1;
    if (this.rareFirst < from) this.rareFirst = this.findRare(text, from);
    if (this.rareFirst < end) return -1;
    if (this.tagAt < from) this.tagAt = next(text, "<", from);
    let tag = this.tagAt;
    while (tag < end) {
      if (!foreign(source, tag)) return -1;
      tag = next(text, "<", tag + 1);
    }
    if (fenced) {
      this.tagAt = tag;
      return end;
    }
    if (this.codeAt < from) this.codeAt = next(text, "`", from);
    let code = this.codeAt;
    while (code < end) {
      if (text.charCodeAt(code + 1) === BACKTICK) return -1;
      const close = next(text, "`", code + 1);
      if (close >= end || text.charCodeAt(close + 1) === BACKTICK) return -1;
      code = next(text, "`", close + 1);
    }
    this.codeAt = code;
    this.tagAt = tag;
    return end;
  }

  private findRare(text: string, from: number): number {
    const { rare } = this.table;
    let first = text.length;
    for (let k = 0; k < rare.length; k++) {
      let at = this.rareAt[k] as number;
      if (at < from) {
        at = nextRare(text, rare[k] as Rare, from);
        this.rareAt[k] = at;
      }
      if (at < first) first = at;
    }
    return first;
  }

  /** How many characters at the end of the text may be the start of a literal. */
  partial(text: string, from: number): number {
    const { heads, longest } = this.table;
    for (let size = Math.min(longest - 1, text.length - from); size > 0; size--) {
      const list = heads.get(text.charCodeAt(text.length - size));
      if (list === undefined) continue;
      const end = text.slice(-size);
      if (list.some((head) => head.length > size && head.startsWith(end))) return size;
    }
    return 0;
  }
}

function nextRare(text: string, { shared, offset, beginnings }: Rare, from: number): number {
  let at = text.indexOf(shared, from + offset);
  while (at !== -1 && !beginnings.some((beginning) => text.startsWith(beginning, at - offset)))
    at = text.indexOf(shared, at + 1);
  return at === -1 ? text.length : at - offset;
}

function next(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at === -1 ? text.length : at;
}

/** Where the skipped lines end, and whether they have visible text. */
export interface SkippedLines {
  readonly end: number;
  readonly visible: boolean;
  /** The last of them belongs to a paragraph. */
  readonly isParagraph: boolean;
}

/**
 * Skips whole lines that no rule applies to, which is most of what models write. The scanner's loop would reach the
 * same state, only more slowly. `fence` is the character that may close the current block, or -1.
 */
export function skipPlainLines(
  source: Text,
  from: number,
  stops: StopFinder,
  settings: Settings,
  fence: number,
  wasParagraph: boolean,
): SkippedLines {
  const { text } = source;
  let end = from;
  let visible = false;
  let isParagraph = wasParagraph;
  for (;;) {
    let i = end;
    let code = text.charCodeAt(i);
    let indent = 0;
    while (code === 32 || code === 9) {
      indent += code === 9 ? 4 : 1;
      i += 1;
      code = text.charCodeAt(i);
    }
    if (code === 10) {
      isParagraph = false;
      end = i + 1;
      continue;
    }
    if (i >= text.length || code === 13) break;
    if (fence === -1 ? settings.lineStarts.hasAt(text, i) : code === fence) break;
    const lineEnd = stops.plainLine(source, i, fence !== -1, settings.foreign);
    if (lineEnd === -1) break;
    visible = true;
    isParagraph = continuesParagraph(isParagraph, indent);
    end = lineEnd + 1;
  }
  return { end, visible, isParagraph };
}
