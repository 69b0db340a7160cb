import { CALL_KEYS } from "../call-shape.ts";

// Each pattern is anchored, has no nested repetition and matches a bounded part of the line.

/** `     1→`, `1\t`, `1 | `, `00001| `, `12:`, `12-`, `12. `, `[12] `; `cat -A` writes a tab as 2 characters. */
const NUMBER = /^[ \t]{0,12}[[(]?\d{1,7}[\])]?(?:[ \t]{0,6}(?:→|\t|\^I|[|│┃:¦›»] ?)|[-.)+] ?|[ \t]{1,6})/;
/** `src/file.ts:12:`, `src/file.ts-12-` */
const SEARCH = /^[^\s:|<>{}"]{1,200}?(?::\d{1,7}[:-]|-\d{1,7}-)/;
/** `^1a2b3c4d src/file.ts (Jane Doe 2026-01-02 10:00:00 +0100 12) ` */
const BLAME = /^\^?[0-9a-f]{7,40} [^()\n]{0,80}\([^()\n]{1,100}\d\) ?/;
/** `2026-01-02T10:00:00.000Z `, `[10:00:00] `. A bare time is excluded: it may be a line number before a time. */
const TIME = /^(?:[[(]?\d{4}-\d\d-\d\d[T ]|[[(])\d\d:\d\d:\d\d[\d.,Z+:-]{0,14}[\])]?[ \t]{1,4}/;
const LEVEL =
  /^[[(]?(?:trace|debug|info|notice|warn|warning|error|fatal|log|stdout|stderr|out)[\])]?(?::[ \t]{0,4}|[ \t]{1,4})/;
/** `[agent] `, `(worker): ` */
const LOGGER = /^[[(][\w./:-]{1,40}[\])]:?[ \t]{1,4}/;
/** `web-1  | ` */
const SERVICE = /^[\w.-]{1,40}[ \t]{0,20}\|[ \t]/;
/** Signs of quotes, comments, lists and prompts. */
const SIGN =
  /^[ \t]{0,12}(?:>{1,4}|\/\/[/!]?|#{1,6}|--|;{1,2}|%|\*{1,2}|!|\.\.|'''|"""|\/\*{1,2}|<!--|[-•‣◦·$❯])(?:[ \t]|$)/;
const TIGHT_SIGN = /^[ \t]{0,12}(?:[>|│┃¦▏▎]|\/\/|#(?=[<{["']))[ \t]?/;
/** A diff sign, if an adjacent line has the same one: a line of base64 may begin with it too. */
const DIFF = /^[ \t]{0,2}[+-]/;
/** `text=` before something that must begin a line: a fence, or a name alone. */
const FIELD = /^[\w.-]{1,40}=(?=`|Action|[\w.-]{1,64}:?$)/;
/** The opening quote of a string in a list of lines, directly before markup. */
const QUOTE = /^[ \t]{0,24}["'](?=<)/;

/** Matches the first of several patterns, in this order. */
const anyOf = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => `(?:${source})`).join("|"), "i");

const PREFIX = anyOf(TIME, NUMBER, SIGN, TIGHT_SIGN, BLAME, SEARCH, LEVEL, SERVICE, FIELD, LOGGER, QUOTE);

const FENCE = /^[ \t]{0,8}(?:`{3,16}|~{3,16})[\w+#.-]{0,24}[ \t]{0,8}$/;
/** Longer lines are neither a fence nor an omission. */
const MAX_FENCE_CHARS = 64;
/** A line with only a number, or with only the punctuation between the strings of a list of lines. */
const NO_CONTENT = /^(?:[ \t]{0,12}\d{1,7}[ \t]{0,8}|[ \t]{0,24}["'][ \t"',;+\\]{0,24})$/;
/** `… 12 lines omitted …` in the middle of displayed text. */
const OMISSION =
  /^[ \t[(<.…-]{0,12}(?:[\w,+]{1,12} ){0,4}(?:omitted|truncated|skipped|elided|hidden|snipped|more lines)[ \w]{0,24}[\])>.…: \t-]{0,12}$/i;
/** Lines of which nothing is left. */
const EMPTIED = anyOf(NO_CONTENT, FENCE, OMISSION);
/** The `$` of `cat -A` and the ends of comments. Lines that begin with a table border end with `BORDER` instead. */
const SUFFIX = /(?:\$|[ \t]{0,8}(?:\*\/|-->))$/;
const BORDER = /[ \t]{0,8}[|│┃]$/;
const BORDERS = "|│┃";
const SUFFIX_ENDS = "|│┃$/>";
/** The longest line end that these patterns can match. */
const MAX_SUFFIX_CHARS = 16;

/** An object in the middle of a line whose first key may be a call's. */
const INNER_OBJECT = new RegExp(`\\{(?=\\s{0,16}["'](?:${[...CALL_KEYS].join("|")})["']\\s{0,4}:)`, "g");
/** A list of calls in the middle of a line: `[f(a=1)]` */
const INNER_LIST = /\[(?=[A-Za-z_][\w.-]{0,63}\()/g;

/**
 * Removes what was added to lines for display: line numbers, signs of diffs, searches, quotes and comments, table
 * borders; also fences. Removes only one prefix per line, because the next one may be content. Starts a new line wherever a JSON
 * call may begin, because forms without an envelope are only recognized at the start of a line.
 */
export function stripLineDecoration(text: string): string {
  // `cat -A` writes a tab as two characters.
  return stripLines(text).replaceAll("^I", "\t").replace(INNER_OBJECT, "\n{").replace(INNER_LIST, "\n[");
}

function stripLines(text: string): string {
  const lines = text.split("\n");
  return lines.map((line, at) => stripLine(line, lines[at - 1], lines[at + 1])).join("\n");
}

/** Joins the parts around omitted lines. Returns the text unchanged if no lines were omitted. */
export function joinOmissions(text: string): string {
  if (!/omitted|truncated|skipped|elided|hidden|snipped|more lines/i.test(text)) return text;
  let joined = "";
  let isAfter = true;
  for (const line of text.split("\n")) {
    const isOmission = line.length < MAX_FENCE_CHARS && OMISSION.test(line);
    if (!isOmission) joined += isAfter ? line : `\n${line}`;
    isAfter = isOmission;
  }
  return joined;
}

/** Removes the `$` with which `cat -A` ends every line, and nothing else: the lines may begin with numbers of their own. */
export function stripLineEnds(text: string): string {
  const body = text.trimEnd();
  const isMarked = body.endsWith("$") && body.split("\n").every((line) => line.endsWith("$"));
  return isMarked ? body.replaceAll("$\n", "\n").slice(0, -1).replaceAll("^I", "\t") : text;
}

/** Narrower text is not wrapped. */
const MIN_WRAPPED_CHARS = 16;

/**
 * Joins the lines of a text that was wrapped at one width, in the middle of words too. Lines that are one character
 * shorter lost a blank at their end. Returns the text unchanged if fewer than 2 lines have the full width.
 */
export function joinWrapped(text: string): string {
  return joinFullLines(text) ?? text;
}

/** The same for lines that were decorated after they were wrapped. */
export function joinDecorated(text: string): string {
  return joinFullLines(stripLines(text)) ?? text;
}

function joinFullLines(text: string): string | undefined {
  const lines = text.split("\n");
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const isWrapped = width >= MIN_WRAPPED_CHARS && lines.filter((line) => line.length === width).length > 1;
  if (!isWrapped) return undefined;
  const ends = new Map([
    [width, ""],
    [width - 1, " "],
  ]);
  const last = lines.pop() ?? "";
  return lines.map((line) => line + (ends.get(line.length) ?? "\n")).join("") + last;
}

function stripLine(line: string, before: string | undefined, after: string | undefined): string {
  if (line === "") return line;
  if (line.length < MAX_FENCE_CHARS && EMPTIED.test(line)) return "";
  const start = diffSign(line, before, after) ?? PREFIX.exec(line)?.[0].length ?? 0;
  const rest = line.slice(start);
  const end = rest.trimEnd();
  if (!SUFFIX_ENDS.includes(end.at(-1) ?? " ")) return rest;
  const isBordered = BORDERS.includes(line.trimStart()[0] ?? " ");
  const tail = end.slice(-MAX_SUFFIX_CHARS);
  const suffix = (isBordered ? BORDER : SUFFIX).exec(tail);
  return suffix === null ? rest : end.slice(0, end.length - (tail.length - suffix.index));
}

/** Length of the diff sign at the start of the line. */
function diffSign(line: string, before: string | undefined, after: string | undefined): number | undefined {
  const sign = DIFF.exec(line)?.[0];
  if (sign === undefined) return undefined;
  const isDiff = before?.startsWith(sign) || after?.startsWith(sign) || /^[+-][ \t<{["'|✿`]/.test(line);
  return isDiff ? sign.length : undefined;
}
