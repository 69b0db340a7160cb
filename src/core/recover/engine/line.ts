import { propertyOf } from "../../schema/lookup.ts";
import type { Text } from "../../text/cursor.ts";
import { literalAt, type Opening, openingOf } from "../formats/index-formats.ts";
import { type FormatRow, TOOL_ROWS } from "../formats/table.ts";
import { isNameChar, originalCase, tokenAt } from "../lex/token.ts";
import { startsArguments } from "../payload/heads.ts";
import { KEY_ELEMENTS } from "../payload/tree.ts";
import { RESULT_LINES, RESULT_MARKS, SELF, THINK_ENDS } from "./markers.ts";
import type { Settings } from "./settings.ts";

/** A fenced block that begins. */
export interface FenceStart {
  readonly kind: "fence";
  readonly char: string;
  readonly length: number;
  readonly end: number;
  readonly opening?: Opening;
}

/** What a line begins with. */
export type LineStart =
  | { readonly kind: "plain" }
  | { readonly kind: "quote" }
  | { readonly kind: "result" }
  | { readonly kind: "think"; readonly end: number }
  | FenceStart
  | { readonly kind: "opening"; readonly opening: Opening };

const PLAIN: LineStart = { kind: "plain" };
const RESULT_STARTS: readonly string[] = [...RESULT_MARKS, ...RESULT_LINES];
const MAX_INFO = 64;
/** Longer runs are decoration, neither a fence nor inline code. */
export const MAX_RUN = 64;

/** Length of the run of `char` at `at`, counted up to `MAX_RUN` + 1. */
export function runLength(text: string, at: number, char: string): number {
  const code = char.charCodeAt(0);
  const stop = Math.min(text.length, at + MAX_RUN + 1);
  let i = at;
  while (i < stop && text.charCodeAt(i) === code) i += 1;
  return i - at;
}

/**
 * Classifies a line outside a fence by its first visible characters. `release` is called before waiting for text that
 * cannot be part of a call.
 */
export function startOfLine(source: Text, at: number, settings: Settings, release: () => void): LineStart {
  const { formats } = settings;
  if (!settings.isLineStart(source.text, at)) return PLAIN;
  const c = source.at(at);
  if (c === "`" || c === "~") return fence(source, at, c, settings, release);
  if (c === ">" && !source.startsWith(">>>", at)) return { kind: "quote" };
  const opening =
    (c === "[" ? bracketLine(source, at, settings) : toolLine(source, at, settings)) ?? strayWord(source, at, settings);
  if (opening !== undefined) return { kind: "opening", opening };
  // The scanner's loop handles marks that are valid anywhere.
  if (literalAt(formats.marks.get(c) ?? [], source, at) !== undefined) return PLAIN;
  if (THINK_ENDS.some((mark) => source.startsWith(mark, at))) return PLAIN;
  if (source.startsWith(SELF, at)) return { kind: "think", end: at + SELF.length };
  if (RESULT_STARTS.some((line) => source.startsWith(line, at))) return { kind: "result" };
  const line = literalAt(formats.lines.get(c) ?? [], source, at);
  return line === undefined ? PLAIN : { kind: "opening", opening: line };
}

function fence(source: Text, at: number, char: string, settings: Settings, release: () => void): LineStart {
  const { text } = source;
  const length = runLength(text, at, char);
  if (length > MAX_RUN) return PLAIN;
  source.isEnd(at + length);
  if (length < 3) return PLAIN;
  const from = at + length;
  const begun = text.slice(from, from + MAX_INFO);
  const isCut = !source.final && begun.length < MAX_INFO && !begun.includes("\n");
  if (isCut && isPlainInfo(begun, char, settings)) release();
  const end = source.skipWhile(from, MAX_INFO, (c) => c !== 10);
  const info = text.slice(from, end).trim();
  // A line with more backticks on it is inline code, not a fence.
  if (char === "`" && info.includes("`")) return PLAIN;
  const isLine = char === "`" && length === 3 && source.at(end) === "\n" && end - from < MAX_INFO;
  const rows = isLine ? settings.formats.fences.get(info.toLowerCase())?.map(({ row }) => row) : undefined;
  const base = { kind: "fence", char, length, end } as const;
  if (rows !== undefined) return { ...base, opening: { rows, key: "", start: at, bodyAt: end + 1 } };
  if (!isLine || !settings.tools.has(info) || settings.toolTags.size === 0) return base;
  return { ...base, opening: { rows: [TOOL_ROWS.fence], key: "", name: info, start: at, bodyAt: end + 1 } };
}

/** Whether the incomplete text after a fence is neither the start of a format's fence nor of an opener. */
function isPlainInfo(text: string, char: string, { formats, tools }: Settings): boolean {
  const begun = text.trimStart().toLowerCase();
  const infos = [...formats.fences.keys(), ...tools.names.map((name) => name.toLowerCase())];
  if (char === "`" && infos.some((one) => one.startsWith(begun))) return false;
  const startsWord = formats.words.some(({ text: one, row }) =>
    [one, ...(row.leads ?? [])].some((head) => head[0] === begun[0]),
  );
  return !startsWord && /^[\w \t.+#-]*$/.test(begun);
}

/**
 * A declared tool's name alone on a line, with its parameters as elements on the next one: the tag lost its brackets.
 */
function toolLine(source: Text, at: number, settings: Settings): Opening | undefined {
  const { tools } = settings;
  if (settings.toolTags.size === 0) return undefined;
  const word = declaredWord(source, at, settings);
  if (word === undefined) return undefined;
  const nameEnd = at + word.length;
  if (startsArguments(source, nameEnd)) return bareOpening(TOOL_ROWS.callLine, at);
  if (isHeadless(source, nameEnd, settings)) return bareOpening(TOOL_ROWS.headless, at);
  const colon = source.at(nameEnd) === ":";
  const line = colon ? nameEnd + 1 : nameEnd;
  const i = source.skipWhile(line, 16, (c) => c <= 32);
  const c = source.at(i);
  if (!source.text.slice(line, i).includes("\n")) return undefined;
  // Functionary's prompt ends with the call marker, so the model's first call has none.
  if (c === "{" && !colon) return bareOpening(TOOL_ROWS.nameLine, at);
  if (c === "`" && !colon) return bareOpening(TOOL_ROWS.callLine, at);
  const token = c === "<" ? tokenAt(source, i) : null;
  if (token === null || token.close || token.attributes !== "" || token.value !== undefined) return undefined;
  const schema = tools.schema(word);
  if (schema !== undefined && propertyOf(schema, originalCase(source.text, token)) === undefined) return undefined;
  return { rows: [TOOL_ROWS.tagLine], key: word.toLowerCase(), name: word, start: at, bodyAt: i };
}

/** An opening whose body begins with the name. */
function bareOpening(row: FormatRow, at: number): Opening {
  return { rows: [row], key: "", start: at, bodyAt: at };
}

/** Whether a mark follows that only occurs inside an envelope: the envelope's opener was lost. */
function isHeadless(source: Text, nameEnd: number, { formats }: Settings): boolean {
  if (source.startsWith("[CALL_ID]", nameEnd)) return true;
  const at = source.skipWhile(nameEnd, 4, (c) => c <= 32);
  const token = source.at(at) === "<" ? tokenAt(source, at) : null;
  return token !== null && !token.close && (KEY_ELEMENTS.has(token.key) || formats.separators.has(token.key));
}

/** The declared name at `at`. Waits only for text that may still become one. */
function declaredWord(source: Text, at: number, { tools }: Settings): string | undefined {
  let end = at;
  while (end < source.length && end - at < 64 && isNameChar(source.text.charCodeAt(end))) end += 1;
  const word = source.text.slice(at, end);
  if (!tools.names.some((name) => name.startsWith(word)) || source.isEnd(end)) return undefined;
  return tools.has(word) ? word : undefined;
}

/** `[f]`: a declared tool's name in brackets. */
function bracketLine(source: Text, at: number, { tools, toolTags }: Settings): Opening | undefined {
  if (toolTags.size === 0) return undefined;
  const name = tools.names.find((one) => source.startsWith(`[${one}]`, at));
  return name === undefined ? undefined : bareOpening(TOOL_ROWS.callLine, at);
}

/** A stray word such as `court` alone on a line, directly before a call. */
function strayWord(source: Text, at: number, settings: Settings): Opening | undefined {
  const word = settings.formats.strays.find((one) => source.startsWith(one, at));
  if (word === undefined) return undefined;
  const i = source.skipWhile(at + word.length, 8, (c) => c <= 32);
  const token = source.at(i) === "<" && settings.isRelevantTag(source, i) ? tokenAt(source, i) : null;
  const opening = token === null ? undefined : openingOf(settings.formats, token);
  const isStray = opening?.rows.some((row) => row.strays?.includes(word)) === true;
  return isStray ? { ...opening, start: at, stray: true } : undefined;
}
