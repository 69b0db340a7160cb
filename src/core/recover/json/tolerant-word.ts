import type { Json } from "../../model/tool-call.ts";
import { MAX_WORD, readNumber } from "./read-number.ts";
import { type Holder, type TolerantState, Unreadable } from "./tolerant-state.ts";
import { readStrings } from "./tolerant-string.ts";

const LITERALS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
  ["undefined", null],
  ["NaN", null],
  ["Infinity", null],
  ["TRUE", true],
  ["FALSE", false],
  ["NULL", null],
]);

/** A value without quotes: a literal, a number, or a text that lost them. */
export function readWord(state: TolerantState, holder: Holder): Json {
  const { text, options, repairs } = state;
  const from = state.i;
  const quoted = /^[rRfFbBuU]["']/.test(text.slice(from, from + 2));
  if (quoted && options.python) {
    state.i += 1;
    const value = readStrings(state, holder);
    // Python fills in a value that is not in the text.
    if (/[fF]/.test(text[from] as string) && value.includes("{")) throw new Unreadable();
    return value;
  }
  passWord(state, from);
  const word = text.slice(from, state.i).trim();
  if (word === "" || word === "...") throw new Unreadable();
  const literal = LITERALS.get(word);
  if (literal !== undefined) {
    if (word !== "true" && word !== "false" && word !== "null") repairs.add("python-literal");
    return literal;
  }
  const number = readNumber(word, repairs);
  if (number !== undefined) return number;
  if (/^["'}\]:]/.test(word)) throw new Unreadable();
  if (options.quoteTokens === undefined) repairs.add("bare-value");
  state.loose = "bare";
  return word;
}

function passWord(state: TolerantState, from: number): void {
  const { text, limit, options } = state;
  let depth = 0;
  while (state.i < limit) {
    const c = text[state.i] as string;
    if (c === "(" && options.python) depth += 1;
    else if (c === ")" && depth > 0) depth -= 1;
    else if (depth === 0 && (c === "," || c === "}" || c === "]" || c === ")" || c === "\n" || c === ";")) break;
    else if (c === "/" && (text[state.i + 1] === "/" || text[state.i + 1] === "*") && isWhole(state, from)) break;
    else if (depth === 0 && (c === "{" || c === "<" || c === '"')) break;
    state.i += 1;
  }
  if (state.i >= limit) state.open = true;
}

/** Whether the text since `from` is a number or literal, so that a slash after it begins a comment. */
function isWhole(state: TolerantState, from: number): boolean {
  const word = state.text.slice(from, Math.min(state.i, from + MAX_WORD)).trim();
  return LITERALS.has(word) || readNumber(word, new Set()) !== undefined;
}
