import type { Json, JsonObject } from "../model/tool-call.ts";

/** A part of a text and its replacement. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap. `offset`: where the text begins in the text to which the edits refer. */
export function applyEdits(text: string, edits: readonly Edit[], offset = 0): string {
  let out = "";
  let from = 0;
  for (const { start, end, text: replacement } of edits.toSorted((one, other) => one.start - other.start)) {
    out += text.slice(from, start - offset) + replacement;
    from = end - offset;
  }
  return out + text.slice(from);
}

/**
 * Why a key may not be a key. `bare`: neither the key nor the text before it is quoted, so it may be the rest of that
 * text. `unescaped`: the string before it contains unescaped quotes, so it may still be inside that string. `inside`:
 * like `unescaped`, and it also occurs twice or is written differently from the other keys.
 */
export type KeyDoubt = "bare" | "unescaped" | "inside";

/** All repairs that the parsers may apply, as listed in `repairs`. */
export type Repair =
  | "bare-key"
  | "bare-value"
  | "body-as-argument"
  | "big-integer-as-text"
  | "cleaned-name"
  | "closed-brackets"
  | "comment"
  | "curly-quotes"
  | "decoded-entities"
  | "dropped-comma"
  | "dropped-fence"
  | "dropped-stray-word"
  | "dropped-text"
  | "escaped-apostrophe"
  | "extra-bracket"
  | "flat-arguments"
  | "inserted-colon"
  | "inserted-comma"
  | "invalid-escape"
  | "key-as-name"
  | "missing-closer"
  | "non-json-number"
  | "number-as-text"
  | "opener-as-closer"
  | "positional-arguments"
  | "python-literal"
  | "raw-control-character"
  | "repeated-parameter"
  | "single-quotes"
  | "truncated"
  | "unescaped-quote"
  | "unwrapped-arguments"
  | "unwrapped-string"
  | "yaml";

/** Maximum nesting of arguments. Recursion over deeper values could overflow the stack. */
export const MAX_DEPTH = 200;

export function isPlainObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Creates an object that accepts every key, including `__proto__`, without changing a prototype. */
export function objectOf(entries: Iterable<readonly [string, Json]>): { [key: string]: Json } {
  const object: { [key: string]: Json } = {};
  for (const [key, value] of entries) {
    if (key === "__proto__")
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    else object[key] = value;
  }
  return object;
}

const NUMBER = /^[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const HEX = /^[+-]?0[xX][0-9a-fA-F]+$/;
const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Maximum length of a word: numbers and literals are never longer. */
export const MAX_WORD = 400;

/**
 * Parses a number in the notation of JSON, JavaScript or Python; undefined for other text. An integer that a double
 * cannot represent keeps its digits as text: a changed id is worse than a quoted one.
 */
export function readNumber(word: string, repairs: Set<Repair>): number | string | undefined {
  if (word.length > MAX_WORD) return undefined;
  if (HEX.test(word)) {
    repairs.add("non-json-number");
    return Number(word.replace(/^[+-]/, "")) * (word.startsWith("-") ? -1 : 1);
  }
  if (!NUMBER.test(word)) return undefined;
  if (PLAIN.test(word)) {
    const value = Number(word);
    if (/^-?\d+$/.test(word) && !Number.isSafeInteger(value)) {
      repairs.add("big-integer-as-text");
      return word;
    }
    return Number.isFinite(value) ? value : word;
  }
  repairs.add("non-json-number");
  const value = Number(word.replaceAll("_", ""));
  return Number.isFinite(value) ? value : undefined;
}

const LITERALS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
  ...["null", "None", "NULL", "undefined", "NaN", "Infinity"].map((word) => [word, null] as const),
]);

/** The value of a JSON, JavaScript or Python literal, or undefined. */
export function readLiteral(word: string, repairs: Set<Repair>): Json | undefined {
  const literal = LITERALS.get(word);
  if (literal !== undefined && word !== "true" && word !== "false" && word !== "null") repairs.add("python-literal");
  return literal;
}

/** JSON with sorted keys: equal values have equal texts. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const object = value as { readonly [key: string]: Json };
  const members = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`);
  return `{${members.join(",")}}`;
}
