import { literalAt, type Opening, openingOf } from "../formats/index-formats.ts";
import type { FormatRow } from "../formats/row.ts";
import { isNameChar, lexToken } from "../lex/token.ts";
import { originalCase } from "../payload/markup-case.ts";
import { propertySchema } from "../schema.ts";
import { SELF, STRAY_WORDS } from "./line-words.ts";
import { RESULT_LINES, RESULT_MARKS } from "./markers.ts";
import type { Settings } from "./settings.ts";

/** What a line begins with. `wait`: more text is needed. */
export type LineStart =
  | { readonly kind: "plain" }
  /** `plain`: the text so far cannot be part of a call, so it can be released. */
  | { readonly kind: "wait"; readonly plain?: boolean }
  | { readonly kind: "quote" }
  | { readonly kind: "result" }
  | { readonly kind: "think"; readonly end: number }
  | {
      readonly kind: "fence";
      readonly char: string;
      readonly length: number;
      readonly end: number;
      readonly opening?: Opening;
    }
  | { readonly kind: "opening"; readonly opening: Opening };

const PLAIN: LineStart = { kind: "plain" };
const WAIT: LineStart = { kind: "wait" };
const RESULT_STARTS: readonly string[] = [...RESULT_MARKS, ...RESULT_LINES];
const MAX_INFO = 64;
/** Elements that follow a stray word. */
const STRAY_NEXT: ReadonlySet<string> = new Set(["invoke", "function_calls"]);

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

/** Classifies a line outside a fence by its first visible characters. */
export function startOfLine(text: string, at: number, final: boolean, settings: Settings): LineStart {
  if (!settings.lineStarts.has(text.charCodeAt(at))) return PLAIN;
  const c = text[at] as string;
  if (c === "`" || c === "~") return fence(text, at, c, final, settings);
  if (c === ">" && !text.startsWith(">>>", at)) {
    return !final && text.length - at < 3 && ">>>".startsWith(text.slice(at)) ? WAIT : { kind: "quote" };
  }
  const tool = toolLine(text, at, final, settings);
  if (tool !== undefined) return tool;
  const stray = strayWord(text, at, final, settings);
  if (stray !== undefined) return stray;
  // The scanner's loop handles marks that are valid anywhere.
  const marks = settings.formats.marks.get(c);
  if (marks !== undefined) {
    const mark = literalAt(marks, text, at, final);
    if (mark !== undefined) return mark === "more" ? WAIT : PLAIN;
  }
  if (text.startsWith(SELF, at)) return { kind: "think", end: at + SELF.length };
  if (c === "t" && !final && SELF.startsWith(text.slice(at, at + SELF.length))) return WAIT;
  for (const line of RESULT_STARTS) {
    if (text.startsWith(line, at)) return { kind: "result" };
    if (!final && text.length - at < line.length && line.startsWith(text.slice(at))) return WAIT;
  }
  const opening = literalAt(settings.formats.lines, text, at, final);
  if (opening === "more") return WAIT;
  if (opening !== undefined) return { kind: "opening", opening };
  return PLAIN;
}

function fence(text: string, at: number, char: string, final: boolean, settings: Settings): LineStart {
  const length = runLength(text, at, char);
  if (at + length >= text.length && !final && length <= MAX_RUN) return WAIT;
  if (length < 3 || length > MAX_RUN) return PLAIN;
  const break_ = text.slice(at + length, at + length + MAX_INFO).indexOf("\n");
  if (break_ === -1 && !final && text.length - at - length < MAX_INFO) {
    const begun = text
      .slice(at + length)
      .trimStart()
      .toLowerCase();
    const known = char === "`" && [...settings.formats.fences.keys()].some((one) => one.startsWith(begun));
    // Text that may be the start of an opener must not be released.
    const word = settings.formats.words.some(({ text: one, row }) =>
      [one, ...(row.leads ?? [])].some((head) => head[0] === begun[0]),
    );
    return known || word || !/^[\w \t.+#-]*$/.test(begun) ? WAIT : { kind: "wait", plain: true };
  }
  const end = break_ === -1 ? Math.min(text.length, at + length + MAX_INFO) : at + length + break_;
  const info = text.slice(at + length, end).trim();
  // A line with more backticks on it is inline code, not a fence.
  if (char === "`" && info.includes("`")) return PLAIN;
  const rows =
    char === "`" && length === 3 && break_ !== -1 ? settings.formats.fences.get(info.toLowerCase()) : undefined;
  const base = { kind: "fence", char, length, end } as const;
  return rows === undefined ? base : { ...base, opening: { rows, key: "", start: at, bodyAt: end + 1 } };
}

/**
 * A declared tool's name alone on a line, with its parameters as elements on the next one: the tag lost its brackets.
 */
function toolLine(text: string, at: number, final: boolean, settings: Settings): LineStart | undefined {
  if (!settings.toolInitials.has(text[at] as string)) return undefined;
  const stop = Math.min(text.length, at + 64);
  let i = at;
  while (i < stop && isNameChar(text.charCodeAt(i))) i += 1;
  const word = text.slice(at, i);
  if (i >= text.length) return !final && settings.tools.names.some((name) => name.startsWith(word)) ? WAIT : undefined;
  if (!settings.tools.has(word)) return undefined;
  if (text[i] === ":") i += 1;
  const line = i;
  while (i < text.length && i - line < 16 && text.charCodeAt(i) <= 32) i += 1;
  if (i >= text.length) return final ? undefined : WAIT;
  if (!text.slice(line, i).includes("\n")) return undefined;
  // Functionary's prompt ends with the call marker, so the model's first call has none.
  if (text[i] === "{" && text[line - 1] !== ":")
    return { kind: "opening", opening: { rows: [NAME_LINE], key: "", start: at, bodyAt: at } };
  if (text[i] !== "<") return undefined;
  const token = lexToken(text, i, final);
  if (token === "more") return WAIT;
  if (token === null || token.close || token.attributes !== "" || token.value !== undefined) return undefined;
  const schema = settings.tools.schema(word);
  if (schema !== undefined && propertySchema(schema, originalCase(text, token)) === undefined) return undefined;
  return { kind: "opening", opening: { rows: [TOOL_LINE], key: word.toLowerCase(), name: word, start: at, bodyAt: i } };
}

const NAME_LINE: FormatRow = {
  format: "functionary",
  openers: [],
  closers: [],
  payloads: ["functionary"],
  strength: "named",
};
const TOOL_LINE: FormatRow = {
  format: "tag-per-tool",
  openers: [],
  closers: [],
  payloads: ["markup"],
  strength: "named",
  entities: true,
};

/** A stray word such as `court` alone on a line, directly before a call. */
function strayWord(text: string, at: number, final: boolean, settings: Settings): LineStart | undefined {
  if (text[at] !== "c") return undefined;
  const rest = text.slice(at, at + 8);
  const word = STRAY_WORDS.find((one) => text.startsWith(one, at));
  if (word === undefined)
    return !final && rest.length < 6 && STRAY_WORDS.some((one) => one.startsWith(rest)) ? WAIT : undefined;
  let i = at + word.length;
  const stop = Math.min(text.length, i + 8);
  while (i < stop && text.charCodeAt(i) <= 32) i += 1;
  if (i >= text.length) return final ? undefined : WAIT;
  if (text[i] !== "<") return undefined;
  const relevant = settings.relevant(text, i, final);
  if (relevant === undefined) return WAIT;
  const token = relevant ? lexToken(text, i, final) : null;
  if (token === "more") return WAIT;
  if (token === null || !STRAY_NEXT.has(token.key)) return undefined;
  const opening = openingOf(settings.formats, token);
  return opening === undefined ? undefined : { kind: "opening", opening: { ...opening, start: at, stray: true } };
}
