import type { FormatIndex } from "../formats/index-formats.ts";
import { MINIMAX_PREFIX } from "../lex/token.ts";
import { RESULT_MARKS, THINK_ENDS, THINK_MARKS } from "./markers.ts";

/** What the loop must look at wherever it stands: line breaks, inline code, tags. */
const COMMON: readonly string[] = ["\n", "`", "<"];
const BACKTICK = 96;
/** So much of a mark is searched for: enough to be rare, and marks that begin alike are searched once. */
const PREFIX = 3;

/** Words that begin alike so far are searched together. */
const COMMON_BEGINNING = 5;

/** Beginnings of literals that are found by what they share. */
interface Rare {
  readonly shared: string;
  /** How far behind their start that stands. */
  readonly offset: number;
  readonly beginnings: readonly string[];
}

/** What is searched for, prepared once per set of formats. */
export interface StopTable {
  readonly rare: readonly Rare[];
  /** Literals, with whatever may lead them, by first character: the end of a chunk may be the beginning of one. */
  readonly heads: ReadonlyMap<number, readonly string[]>;
  /** Length of the longest head. */
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
    ...marks.filter((mark) => mark[0] !== "<").map((mark) => untilCommon(mark).slice(0, PREFIX)),
    ...words.map(untilCommon),
  ];
  const heads = new Map<number, string[]>();
  const led = formats.words.flatMap(({ text, row }) => (row.leads ?? []).map((lead) => lead + text));
  for (const head of [...marks, ...words, ...led]) {
    const list = heads.get(head.charCodeAt(0));
    if (list === undefined) heads.set(head.charCodeAt(0), [head]);
    else list.push(head);
  }
  return {
    rare: together(rare),
    heads,
    longest: Math.max(0, ...[...heads.values()].flat().map((head) => head.length)),
  };
}

/** Each search is a pass over the text, and one for a letter is slow: few, and from a sign on where there is one. */
function together(beginnings: readonly string[]): readonly Rare[] {
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

/** A literal may hold a character the loop stops at; it must be found before that one is. */
function untilCommon(literal: string): string {
  let end = literal.length;
  for (const common of COMMON) {
    const at = literal.indexOf(common, 1);
    if (at !== -1 && at < end) end = at + 1;
  }
  return literal.slice(0, end);
}

/**
 * Finds the next place that may matter. Everything is searched by the engine's own `indexOf`, and remembered, so that no
 * character is searched twice for the same thing and none is looked at here.
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

  /** The text has changed. */
  reset(): void {
    this.rareAt.fill(-1);
    this.rareFirst = -1;
    this.lineAt = -1;
    this.codeAt = -1;
    this.tagAt = -1;
  }

  /** Position of the first stop at or behind `from`, or the text's length. */
  find(text: string, from: number): number {
    if (this.lineAt < from) this.lineAt = next(text, "\n", from);
    if (this.codeAt < from) this.codeAt = next(text, "`", from);
    if (this.tagAt < from) this.tagAt = next(text, "<", from);
    if (this.rareFirst < from) this.rareFirst = this.findRare(text, from);
    const common = this.codeAt < this.tagAt ? this.codeAt : this.tagAt;
    const first = common < this.lineAt ? common : this.lineAt;
    return first < this.rareFirst ? first : this.rareFirst;
  }

  /**
   * End of the line, if nothing stops on it: inline code may stand there, opened and closed by one backtick each, and
   * tags that are `foreign`. `fenced`: backticks are nothing special. -1: something does, or the line is not complete.
   */
  plainLine(text: string, from: number, fenced: boolean, foreign: (text: string, at: number) => boolean): number {
    if (this.lineAt < from) this.lineAt = next(text, "\n", from);
    const end = this.lineAt;
    if (end >= text.length) return -1;
    if (this.rareFirst < from) this.rareFirst = this.findRare(text, from);
    if (this.rareFirst < end) return -1;
    if (this.tagAt < from) this.tagAt = next(text, "<", from);
    let tag = this.tagAt;
    while (tag < end) {
      if (!foreign(text, tag)) return -1;
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

  /** How many characters at the end of the text might begin a literal. */
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
