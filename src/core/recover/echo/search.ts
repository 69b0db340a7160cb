import type { JsonObject } from "../../model/tool-call.ts";
import { escapeRegExp } from "../../text/cursor.ts";
import { type Budget, type CallFacts, leavesOf, ownName } from "./call-facts.ts";
import { plainCharacters } from "./characters.ts";
import { isObscured, reveal } from "./views.ts";

type Word = readonly string[];

/** What a text must contain to contain a call. Can be searched for without decoding the text. */
export interface Search {
  /** The tool's name, with any separators. */
  readonly name: RegExp;
  /**
   * The longest words of each argument, as written and in plain characters. Most words of one argument must be near the
   * name.
   */
  readonly words: readonly (readonly Word[])[];
  /** Pairs of adjacent letters in these words: only between two of them can a line break divide a word. */
  readonly pairs: ReadonlySet<number>;
  /** The call may repeat one without arguments. */
  readonly mayBeEmpty: boolean;
  /** Words of its commands, which may have been given to a tool with another name. */
  readonly command: RegExp | undefined;
  /** The command may also occur as plain text. */
  readonly isStrict: boolean;
  /** The maximum distance of the call's parts from its name. */
  readonly extent: number;
}

const WORDS_PER_VALUE = 4;
/** How much of a long value is searched for at each end: the name may be before or after it. */
const MAX_SEARCHED_CHARS = 1000;
/** The share of these words that must be present: a few characters may have changed. */
const MIN_WORDS_SHARE = 0.6;
/** Shorter words are too common; if an argument has no longer ones, its name is used instead. */
const MIN_WORD_CHARS = 3;
const MIN_COMMAND_WORD_CHARS = 4;
/** The maximum distance of an argument from the name. */
const REACH_CHARS = 1500;
/**
 * How much is parsed around a name. Decoration and encoding make a call longer; the beginning of a long call is enough.
 */
const MIN_EXTENT_CHARS = 600;
const MAX_EXTENT_CHARS = 4096;
const MAX_DECORATION = 8;
/** The same for a call without arguments. */
const EMPTY_EXTENT_CHARS = 250;
/** Obscured texts are searched in chunks, so that only the chunks that may contain the call are parsed. */
const CHUNK_CHARS = 8192;
/** The overlap of consecutive chunks: more than a call needs to be recognized. */
const OVERLAP_CHARS = 3072;
/** Fixed cost of searching a text, and costs per character, in units of the budget. */
const SEARCHING_COST = 1000;
const REVEALING_COST = 100;
const JOINING_COST = 60;

/** Words that precede the arguments of a call. */
const ENVELOPE_WORDS =
  /invoke|tool_?calls?\b|function[=_]|["';]function["'&]|parameter[=\s]|arguments|["';](?:input|args|params|parameters)["'&\\]|tool_use|action.{0,3}input|arg_value|tool_code|functions\./i;

/** Builds the search for a call whose text has the given `length`. */
export function searchFor(
  name: string,
  { tool }: CallFacts,
  args: JsonObject,
  length: number,
  isStrict = false,
): Search {
  const words: (readonly Word[])[] = [];
  const commands = new Set<string>();
  for (const [key, value] of Object.entries(args)) {
    const leaves = leavesOf(value, tool, key).filter(({ kind }) => kind !== "other");
    const ends = leaves.flatMap(({ text }) =>
      text.length > MAX_SEARCHED_CHARS ? [text, text.slice(-MAX_SEARCHED_CHARS)] : [text],
    );
    const found = ends.map(longestWords).filter((list) => list.length > 0);
    words.push(...(found.length > 0 ? found : [longestWords(key)]));
    for (const { text, isCommand } of leaves) {
      const longest = isCommand ? longestWords(text)[0]?.[0] : undefined;
      if (longest !== undefined && longest.length >= MIN_COMMAND_WORD_CHARS) commands.add(longest);
    }
  }
  return {
    name: namePattern(name),
    words,
    pairs: pairsOf(words),
    mayBeEmpty: Object.keys(args).length < 2,
    command: commands.size === 0 ? undefined : new RegExp([...commands].map(escapeRegExp).join("|"), "gi"),
    isStrict,
    extent: extentOf(length),
  };
}

/** Returns a power of two, so that calls of similar length use the same parts, which are parsed only once. */
function extentOf(length: number): number {
  return Math.min(MAX_EXTENT_CHARS, 2 ** Math.ceil(Math.log2(MIN_EXTENT_CHARS + MAX_DECORATION * length)));
}

/** Separators between the parts of a name, plain or encoded. */
const SEPARATOR = "(?:[^a-z0-9]|(?<=%)20|(?:amp|quot|apos|lt|gt|#?[0-9]{2,3});){0,6}";

/** A line break inside a word, with the borders of a box or the number of the next line. */
const LINE_END = "[ \\t\\r|│┃$]{0,8}";
const LINE_START = "\\n[^\\p{L}\\p{N}\\n]{0,8}";
const NUMBERED_START = `${LINE_START}(?:\\d{1,6}[^\\p{L}\\p{N}\\n]{1,4})?`;
/** Both variants are needed: a number at the start of a line may be a line number or part of the text. */
const LINE_BREAKS = [NUMBERED_START, LINE_START].map((start) => new RegExp(LINE_END + start, "gu"));

/** Matches `readFile`, `read_file` and `read\\_file` as the same name. */
function namePattern(name: string): RegExp {
  const parts = ownName(name)
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .match(/[\p{L}\p{N}]+/gu);
  const words = (parts ?? [name]).map((part) => [...part].map(escapeRegExp).join(`(?:${LINE_END}${NUMBERED_START})?`));
  return new RegExp(words.join(`${SEPARATOR}(?:${NUMBERED_START}_?)?`), "giu");
}

/** A half-open range of a text. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** A text in which calls are searched for. Only the parts that need it are decoded. */
export class SearchedText {
  readonly text: string;
  /** The obscured parts, with their words made searchable. */
  #revealed: readonly { readonly window: Window; readonly visible: string }[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Finds the parts that may contain the call. */
  find(search: Search, budget: Budget): readonly Window[] {
    budget.left -= SEARCHING_COST + this.text.length;
    this.#revealed ??= isObscured(this.text) ? this.#reveal(budget) : [];
    const hidden = this.#revealed.filter(({ visible }) => findWindows(visible, search, budget).length > 0);
    const windows = mergeWindows(findWindows(this.text, search, budget));
    return [...windows.flatMap((window) => chunksOf(this.text, window)), ...hidden.map(({ window }) => window)];
  }

  #reveal(budget: Budget): readonly { readonly window: Window; readonly visible: string }[] {
    return chunksOf(this.text, { start: 0, end: this.text.length }).flatMap((window) => {
      const chunk = this.text.slice(window.start, window.end);
      if (!isObscured(chunk)) return [];
      budget.left -= chunk.length * REVEALING_COST;
      return [{ window, visible: reveal(chunk) }];
    });
  }
}

/** Splits a window into overlapping chunks, between lines where possible. */
function chunksOf(text: string, { start, end }: Window): readonly Window[] {
  const chunks: Window[] = [];
  let from = start;
  while (end - from > CHUNK_CHARS + OVERLAP_CHARS) {
    chunks.push({ start: from, end: from + CHUNK_CHARS });
    const next = from + CHUNK_CHARS - OVERLAP_CHARS;
    const line = text.indexOf("\n", next);
    from = line === -1 || line > next + (OVERLAP_CHARS >> 1) ? next : line + 1;
  }
  return [...chunks, { start: from, end }];
}

/** Sorts windows and merges those that overlap or touch. */
function mergeWindows(windows: readonly Window[]): readonly Window[] {
  const merged: Window[] = [];
  for (const window of windows.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || window.start > last.end) merged.push(window);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, window.end) };
  }
  return merged;
}

/** Finds the parts around names and commands that may belong to the call. */
function findWindows(text: string, search: Search, budget: Budget): readonly Window[] {
  const windows: Window[] = [];
  const reach = Math.min(REACH_CHARS, search.extent);
  /** Every word of every argument is searched for around each name. */
  const nearCost = (reach >> 1) * Math.max(1, search.words.flat(2).length);
  let covered = 0;
  let broken = { end: 0, isNear: false };
  for (const { index, 0: name } of text.matchAll(search.name)) {
    const end = index + name.length;
    if (end + (search.extent >> 1) < covered) continue;
    budget.left -= 100;
    if (!isWord(text, index, end)) continue;
    budget.left -= nearCost;
    if (budget.left < 0) break;
    let isNear = isAnyNear(search, text.slice(Math.max(0, index - reach), end + reach).toLowerCase());
    if (!isNear) {
      // Checks more than the reach, so that the result also holds for the next names. If a name is very frequent, each
      // part of the text is joined 3 times at most.
      if (index >= broken.end)
        broken = { end: index + 2 * reach, isNear: isNearBroken(search, text, index, reach, budget) };
      isNear = broken.isNear;
    }
    if (isNear) {
      windows.push(windowAt(text, index, search.extent));
      covered = index + search.extent;
    } else if (search.mayBeEmpty && endsSoon(text, end)) windows.push(windowAt(text, index, EMPTY_EXTENT_CHARS));
  }
  for (const { index } of search.command === undefined ? [] : text.matchAll(search.command)) {
    budget.left -= REACH_CHARS >> 2;
    if (search.isStrict || ENVELOPE_WORDS.test(text.slice(Math.max(0, index - REACH_CHARS), index)))
      windows.push(windowAt(text, index, search.extent));
  }
  return windows;
}

function windowAt(text: string, at: number, extent: number): Window {
  return { start: Math.max(0, at - extent), end: Math.min(text.length, at + extent) };
}

function isAnyNear({ words }: Search, near: string): boolean {
  return words.some((list) => areNear(list, near));
}

/** Whether the words are near a name, or not far after it, in lines that are broken inside words. */
function isNearBroken(search: Search, text: string, index: number, reach: number, budget: Budget): boolean {
  const part = text.slice(Math.max(0, index - reach), index + 4 * reach).toLowerCase();
  if (!mayBreakWord(part, search.pairs)) return false;
  budget.left -= part.length * JOINING_COST;
  return LINE_BREAKS.some((breaks) => isAnyNear(search, part.replace(breaks, "")));
}

const pairOf = (first: number, second: number): number => (first << 16) | second;

function pairsOf(words: Search["words"]): ReadonlySet<number> {
  const pairs = new Set<number>();
  for (const form of words.flat(2))
    for (let at = 1; at < form.length; at++) pairs.add(pairOf(form.charCodeAt(at - 1), form.charCodeAt(at)));
  return pairs;
}

/** Whether a line break, with what decorates it, may be inside one of the words: joining the lines is expensive. */
function mayBreakWord(text: string, pairs: ReadonlySet<number>): boolean {
  for (let line = text.indexOf("\n"); line !== -1; line = text.indexOf("\n", line + 1)) {
    let end = line - 1;
    while (end > line - 10 && LINE_END_CHARS.includes(text[end] ?? "-")) end -= 1;
    const last = text.charCodeAt(end);
    const start = skipDecoration(text, line + 1, 8);
    if (pairs.has(pairOf(last, text.charCodeAt(start)))) return true;
    let digits = start;
    while (digits < start + 6 && isDigit(text.charCodeAt(digits))) digits += 1;
    const behind = skipDecoration(text, digits, 4);
    if (digits > start && behind > digits && pairs.has(pairOf(last, text.charCodeAt(behind)))) return true;
  }
  return false;
}

const LINE_END_CHARS = " \t\r|│┃$";
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

function skipDecoration(text: string, from: number, max: number): number {
  let at = from;
  while (at < from + max && at < text.length && text[at] !== "\n" && !isLetterOrDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** Beyond Latin-1, everything but punctuation, arrows and the borders of boxes counts. */
function isLetterOrDigit(code: number): boolean {
  return (
    (code >= 192 && (code < 0x2000 || code >= 0x2c00)) ||
    isDigit(code) ||
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90)
  );
}

function areNear(words: readonly Word[], near: string): boolean {
  let found = 0;
  for (const forms of words) if (forms.some((form) => near.includes(form))) found += 1;
  return found >= words.length * MIN_WORDS_SHARE;
}

/** Whether the match is a whole word. An encoded character before it may end with letters or digits. */
function isWord(text: string, start: number, end: number): boolean {
  if (/^[a-z0-9]/i.test(text.slice(end, end + 1))) return false;
  const before = text.slice(Math.max(0, start - 9), start);
  return !/[a-z0-9]$/i.test(before) || /%[0-9a-f]{2,8}$|\\[nrtbf]$|\^I$|\\u[0-9a-f]{4}$|\\x[0-9a-f]{2}$/i.test(before);
}

const HAS_ARGUMENTS =
  /^["'\\]{0,4}\s{0,4}[,:]?\s{0,4}["'\\]{0,4}(?:arguments|parameters|args|input|params)?["'\\]{0,4}\s{0,4}[:=]?\s{0,4}["'\\]{0,4}\{\s{0,8}["'\\]{1,4}\w|^["'\\]{0,4}>?\s{0,8}<(?:\w{1,8}:)?(?:parameter|param|arg|argument)(?:=|\s{1,4}name)|^\(\s{0,8}[\w"']/;

/** The name of the notation, before the arguments. */
const NOTATION = /^\s?(?:<\|constrain\|>)?j\s?s\s?o\s?n(?=\W)/;

/** `[Called f with args: {}]` */
const WITH_NOTHING = /^ with (?:args|arguments|input|parameters):? ?\{ ?\}/;

/**
 * Whether a call without arguments ends soon after its name. In a sentence, words follow; in other calls, arguments.
 */
function endsSoon(text: string, end: number): boolean {
  if (WITH_NOTHING.test(text.slice(end, end + 40))) return true;
  const rest = text.slice(end, end + 80).replace(NOTATION, "");
  if (HAS_ARGUMENTS.test(rest)) return false;
  return /^[^a-z0-9]|^$/i.test(rest) && !/^[ ,][ \w]{0,4}\w{2}/.test(rest);
}

function longestWords(text: string): readonly Word[] {
  const words = text.slice(0, MAX_SEARCHED_CHARS).match(/[\p{L}\p{N}]+/gu) ?? [];
  const long = words.filter((word) => word.length >= MIN_WORD_CHARS || word > "\x7f");
  return [...new Set(long.map((word) => word.toLowerCase()))]
    .sort((a, b) => b.length - a.length)
    .slice(0, WORDS_PER_VALUE)
    .map((word) => [...new Set([word, plainCharacters(word)])]);
}
