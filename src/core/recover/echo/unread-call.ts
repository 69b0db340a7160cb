import type { JsonObject } from "../../model/tool-call.ts";
import { type Budget, type CallFacts, foldWord, leavesOf } from "./call-facts.ts";
import { squeezeValue } from "./characters.ts";
import { sharedPieces } from "./compare.ts";

// The parsers only find complete calls. This finds calls that a broken line, a label or an unknown notation hides from
// them: the tool's name in a name's position, followed by the values, each directly after its key.

/** Removes separators in names, and tokens used as quotation marks, from a squeezed text. */
export function withoutSeparators(squeezed: string): string {
  return squeezed.replace(/[_-]+|<escape|<\|\|/g, "");
}

/** How much of a value is compared. */
const MAX_VALUE_CHARS = 200;
/** A longer value matches even if letters follow directly: squeezing removed the line break between them. */
const MIN_OPEN_VALUE_CHARS = 12;
/** The maximum distance of a call's parts from its name, not counting its values. */
const REACH_CHARS = 200;
const MAX_GAP_CHARS = 40;
/** A shorter name is part of too many words. */
const MIN_INNER_NAME_CHARS = 4;
/** How many arguments may have been added. */
const MAX_EXTRA_ARGUMENTS = 2;

/** Text between a name and the first key. */
const BEFORE_KEY =
  /(?:[^\p{L}\p{N}]|\d{1,2}(?=[^\p{L}\p{N}])|(?<=<)[a-z]{1,12}(?=:)|arguments?|args?|parameters?|params?|with|toolinput|input|actioninput|json|call|index|open|sep|key|name|tool|begin|constrain|message|type|function|dsml|string|true|false){0,24}/uy;
/** Without one of these, name and key are words of a sentence. */
const STRUCTURE = /[({<[]/;
/** Text between a key and its value. */
const BEFORE_VALUE =
  /[^\p{L}\p{N}]|argkey|argvalue|type|string|number|integer|boolean|object|array|json|true|false|sep|escape|cdata/uy;
const BEFORE_NAME = "=:<.|](/";
/** Labels before a name. `type:` is not included, because `type: shell` is a setting of many programs. */
const LABEL =
  /(?:name|tool|function|functions|action|call|invoke|use|tools|api|to)[:=.|<(\]]{1,2}(?:functions\.|tools\.)?$|toolcall$/;
/** `tool=f key=value`, as structured logs write a call. */
const LOG_LABEL = /(?:tool|toolname|function)=$/;
const MAX_LABEL_CHARS = 24;
/** Markup that only calls have, and also the names under which other programs write arguments. */
const ENVELOPE =
  /<[\w|:]{0,24}(?:invoke|function[=nc]|parameter|toolcall|tooluse|argvalue)|toolcalls?[\]:|}]|tooluses?[:,}]|functioncalls?[:|]|arguments[:=]|actioninput|\[tool|toolcode|functions\.|✿function/;
const ENVELOPE_OR_ARGUMENTS = new RegExp(`${ENVELOPE.source}|(?:parameters|args|toolinput|params)[:=]`);

/** The text before a name that follows its arguments: `{"arguments": {…}, "name": "…"}` */
const AFTER_ARGUMENTS = /\},(?:name|toolname|tool|function|functionname):$/;

/** How far a long value may be from the name, and how much of it is compared, if markup around it is damaged. */
const NEAR_CHARS = 300;
const MAX_NEAR_VALUE_CHARS = 240;
/** Longer values are found by pieces, so that a changed character does not hide them. */
const MAX_WHOLE_CHARS = 36;
const PIECE_CHARS = 16;
const MIN_SHARED_PIECES = 0.7;

interface Argument {
  readonly key: string;
  /** Alternatives for the text directly after the key. */
  readonly values: readonly string[];
  /** For a list or an object: its scalars, in any order, because formats write them differently. */
  readonly items: readonly string[];
  readonly isIdentifying: boolean;
}

/** The parts of a call that are searched for. */
export interface CallPattern {
  readonly tool: string;
  readonly wanted: readonly Argument[];
  /** The identifying values that are long enough to be found without their keys. */
  readonly longValues: readonly string[];
  /** The maximum distance of the call's parts from its name. */
  readonly reach: number;
}

export function callPattern({ tool, values }: CallFacts, args: JsonObject): CallPattern {
  const identifying = new Set(values.map((value) => value.text));
  const wanted: Argument[] = [];
  let reach = REACH_CHARS;
  for (const [name, value] of Object.entries(args)) {
    const key = foldWord(name);
    if (key === "") continue;
    const items = leavesOf(value, tool, name)
      .filter(({ kind }) => kind !== "words")
      .map(({ text }) => squeezeValue(text.slice(0, MAX_VALUE_CHARS)));
    const bare = items.map(withoutSeparators);
    const isScalar = typeof value !== "object" || value === null;
    wanted.push({
      key,
      values: isScalar ? (value === null ? ["null", "none"] : bare) : bare.length === 0 ? ["[]", "{}"] : [],
      items: isScalar ? [] : bare,
      isIdentifying: isScalar && bare[0] !== "" && beginsIdentifyingValue(identifying, items[0] ?? ""),
    });
    reach += bare.reduce((sum, item) => sum + 2 * item.length, key.length + MAX_GAP_CHARS);
  }
  const longValues = values
    .filter(({ text }) => text.length >= MIN_OPEN_VALUE_CHARS)
    .map(({ text }) => withoutSeparators(text).slice(0, MAX_NEAR_VALUE_CHARS));
  return { tool, wanted, longValues, reach };
}

/** Whether an item is an identifying value, or the beginning of a long one. */
function beginsIdentifyingValue(identifying: ReadonlySet<string>, item: string): boolean {
  return (
    identifying.has(item) ||
    (item.length >= MIN_OPEN_VALUE_CHARS && [...identifying].some((text) => text.startsWith(item)))
  );
}

/** Whether a text without separators contains the call, even if no parser can parse it there. */
export function isUnreadCall(text: string, call: CallPattern, budget: Budget): boolean {
  const { tool, wanted, longValues, reach } = call;
  if (tool === "") return false;
  // One argument may have been added to a call without arguments, but a command never counts as added.
  const mayBeEmpty = wanted.length < 2 && !wanted.some(({ isIdentifying }) => isIdentifying);
  budget.left -= 100 + (text.length >> 3);
  for (let at = text.indexOf(tool); at !== -1; at = text.indexOf(tool, at + 1)) {
    if (budget.left < 0) return true;
    budget.left -= 500;
    const end = at + tool.length;
    BEFORE_KEY.lastIndex = end;
    const gap = BEFORE_KEY.exec(text)?.[0] ?? "";
    if (mayBeEmpty && isEmptyCall(text, at, end, gap)) return true;
    if (isInnerName(text, at, tool)) continue;
    if (longValues.length > 0 && isNearValue(text, at, end, longValues, budget)) return true;
    const label = text.slice(Math.max(0, at - MAX_LABEL_CHARS), at);
    const isOpened = (STRUCTURE.test(gap) || LOG_LABEL.test(label)) && isFollowedByKey(text, end, gap, wanted);
    if (!isOpened && !LABEL.test(label)) continue;
    budget.left -= 500 + reach;
    const isClosed = !isOpened && AFTER_ARGUMENTS.test(label);
    const part = text.slice(isOpened ? end : Math.max(0, at - reach), isClosed ? at : end + reach);
    if (!isOpened && !ENVELOPE_OR_ARGUMENTS.test(part)) continue;
    if (containsArguments(part, wanted, isOpened || isClosed, budget)) return true;
  }
  return false;
}

/** Whether a value is near a name, behind an envelope, where damaged markup hides the key. */
function isNearValue(text: string, at: number, end: number, values: readonly string[], budget: Budget): boolean {
  if (!isName(text, at) || /[a-z0-9]/.test(text[end] ?? "")) return false;
  return values.some((value) => {
    budget.left -= NEAR_CHARS + value.length;
    const region = text.slice(Math.max(0, at - NEAR_CHARS - value.length), end + NEAR_CHARS + value.length);
    const found = positionOf(region, value, budget);
    return found !== -1 && ENVELOPE.test(region.slice(Math.max(0, found - NEAR_CHARS), found));
  });
}

/** Where a text contains a value, or most of a long one; -1 if it does not. */
function positionOf(text: string, value: string, budget: Budget): number {
  if (value.length <= MAX_WHOLE_CHARS) return text.indexOf(value);
  const last = value.length - PIECE_CHARS;
  for (const from of [0, last >> 1, last]) {
    const at = text.indexOf(value.slice(from, from + PIECE_CHARS));
    if (at !== -1) return sharedPieces(value, text, budget) >= MIN_SHARED_PIECES ? Math.max(0, at - from) : -1;
  }
  return -1;
}

/** Whether a short name is part of a word. */
function isInnerName(text: string, at: number, tool: string): boolean {
  return tool.length < MIN_INNER_NAME_CHARS && /[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
}

/** Whether the first argument follows the name, with only call syntax between them. */
function isFollowedByKey(text: string, end: number, gap: string, wanted: readonly Argument[]): boolean {
  // A key may begin with one of the words in the gap: `input`, `name`.
  return wanted.some(({ key }) => text.slice(end, end + gap.length + key.length).includes(key));
}

/** In code, `name()` is usually an ordinary function call, so one of these must precede it. */
const BEFORE_EMPTY_CALL = /(?:\[|toolcode|pythontag\||functioncalls)$/;

/** `<tool>f</tool><tool_input>{}</tool_input>`. The name alone in a tag may be one of a list of tools. */
const EMPTY_INPUT = /^<\/(?:tool|function)<(?:toolinput|input|params|parameters|arguments|args)(?:\{\})?<\//;

/** Whether the call has no arguments at the position where they would be. */
function isEmptyCall(text: string, at: number, end: number, gap: string): boolean {
  if (EMPTY_INPUT.test(gap)) return true;
  if (/^(?:<toolsep)?\/?<\//.test(gap)) return isName(text, at);
  const braces = gap.indexOf("{}");
  if (braces !== -1) return isName(text, at) || /\p{L}/u.test(gap.slice(0, braces));
  if (gap.includes("()")) return BEFORE_EMPTY_CALL.test(text.slice(Math.max(0, at - 16), at));
  return isName(text, at) && text.startsWith("close|", end + gap.length);
}

function isName(text: string, at: number): boolean {
  return BEFORE_NAME.includes(text[at - 1] ?? " ") || text.endsWith("toolcall", at);
}

function containsArguments(call: string, wanted: readonly Argument[], isWhole: boolean, budget: Budget): boolean {
  let [same, other] = [0, 0];
  for (const argument of wanted) {
    const found = findArgument(call, argument, budget);
    if (found === "same" && argument.isIdentifying) return true;
    if (found === "same") same += 1;
    else if (found === "other") other += 1;
  }
  if (same === 0 || other > 0) return false;
  const extra = wanted.length - same;
  return extra === 0 || (isWhole ? extra <= MAX_EXTRA_ARGUMENTS : extra === 1 && same > 1);
}

/** Whether the call contains the argument, with the same value or another one. */
function findArgument(call: string, { key, values, items }: Argument, budget: Budget): "same" | "other" | undefined {
  let isPresent = false;
  for (let at = call.indexOf(key); at !== -1; at = call.indexOf(key, at + 1)) {
    const end = at + key.length;
    budget.left -= 100;
    if (values.some((value) => hasValue(call, end, value, budget))) return "same";
    if (call[at - 1] === "<" && values.some((value) => isBeforeCloser(call, end, key, value, budget))) return "same";
    if (!"<=".includes(call[at - 1] ?? " ") && !":=".includes(call[end] ?? " ")) continue;
    if (items.length > 0 && hasItems(call, end, items, budget)) return "same";
    isPresent = true;
  }
  return isPresent ? "other" : undefined;
}

function hasValue(call: string, start: number, value: string, budget: Budget): boolean {
  if (value === "") return /^[:=]?(?:[,})]|<\/)/.test(call.slice(start, start + 3));
  for (let at = start; at <= start + MAX_GAP_CHARS; at = BEFORE_VALUE.lastIndex) {
    budget.left -= 50;
    if (call.startsWith(value, at) && endsValue(call, at + value.length, value)) return true;
    BEFORE_VALUE.lastIndex = at;
    if (!BEFORE_VALUE.test(call)) return false;
  }
  return false;
}

/** Whether an element ends with the value: attributes, whose end squeezing removed, may come before it. */
function isBeforeCloser(call: string, start: number, key: string, value: string, budget: Budget): boolean {
  budget.left -= (call.length - start) >> 3;
  const close = call.indexOf(`</${key}`, start);
  return value !== "" && close - value.length > start && call.startsWith(value, close - value.length);
}

function hasItems(call: string, start: number, items: readonly string[], budget: Budget): boolean {
  budget.left -= (call.length - start) * items.length;
  return items.every((item) => call.includes(item, start));
}

/**
 * Whether the value ends at `end`: `lima` must not match `limassol`, nor `a.txt` match `a.txt.gz`; but the next key may
 * follow directly.
 */
function endsValue(call: string, end: number, value: string): boolean {
  if (value.length >= MIN_OPEN_VALUE_CHARS) return true;
  const rest = call.slice(end, end + MAX_GAP_CHARS);
  return !/^[./@+~]?[\p{L}\p{N}]/u.test(rest) || /^\p{L}[\p{L}\p{N}]{1,24}:/u.test(rest);
}
