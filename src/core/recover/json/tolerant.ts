import type { Json } from "../../model/tool-call.ts";
import type { KeyDoubt } from "../arguments-fit.ts";
import { MAX_DEPTH } from "./find-end.ts";
import { objectOf } from "./object-of.ts";
import { MAX_WORD } from "./read-number.ts";
import { CURLY_CLOSE, CURLY_OPEN } from "./read-string.ts";
import type { Repair } from "./repairs.ts";
import { type Holder, type TolerantOptions, TolerantState, Unreadable } from "./tolerant-state.ts";
import { quoteTokenAt, readString, readStrings, readTokenString } from "./tolerant-string.ts";
import { readWord } from "./tolerant-word.ts";

/** `open`: the text ended inside the value, which is closed as well as can be. */
export interface TolerantRead {
  readonly kind: "read";
  readonly value: Json;
  readonly end: number;
  readonly open: boolean;
  /** The text ended inside a string. */
  readonly inString: boolean;
  /** More text might change what was read. */
  readonly touched: boolean;
  readonly repairs: ReadonlySet<Repair>;
  /** Keys that may belong to the value before them. */
  readonly keyDoubts: ReadonlyMap<string, KeyDoubt>;
}

/** No value can be read: it went wrong at `at`. */
export interface Unread {
  readonly kind: "unread";
  readonly at: number;
  readonly touched: boolean;
}

/**
 * Reads one value as JSON, JSON5 or Python would write it, or nearly so, from left to right in linear time.
 * Only text that strict JSON refuses should come here: each guess is listed in `repairs`.
 */
export function readTolerant(
  text: string,
  start: number,
  limit: number,
  options: TolerantOptions = {},
): TolerantRead | Unread {
  const state = new TolerantState(text, start, limit, options);
  try {
    const value = readValue(state, 0, "array");
    const { i: end, open, inString, touched, repairs, keyDoubts } = state;
    return { kind: "read", value, end, open, inString, touched, repairs, keyDoubts };
  } catch (error) {
    // What ran into the end of the text might still end elsewhere.
    if (error instanceof Unreadable) return { kind: "unread", at: state.i, touched: state.touched || state.i >= limit };
    throw error;
  }
}

function readValue(state: TolerantState, depth: number, holder: Holder): Json {
  state.gap();
  if (state.ranOut()) return null;
  if (depth > MAX_DEPTH) throw new Unreadable();
  const c = state.text[state.i] as string;
  if (c === "{") return readObject(state, depth);
  if (c === "[" || (c === "(" && state.options.python)) return readArray(state, depth, c === "[" ? "]" : ")");
  const token = quoteTokenAt(state);
  if (token !== undefined) return readTokenString(state, token);
  if (c === '"' || c === "'") return readStrings(state, holder);
  if (c === CURLY_OPEN) return readString(state, CURLY_CLOSE, holder);
  return readWord(state, holder);
}

function readObject(state: TolerantState, depth: number): Json {
  const { text, options, repairs } = state;
  state.i += 1;
  const entries: Array<[string, Json]> = [];
  const names = new Set<string>();
  let quotedKeys = false;
  let loose: KeyDoubt | undefined;
  for (;;) {
    state.gap();
    if (state.ranOut()) break;
    const c = text[state.i] as string;
    if (c === "}") {
      state.i += 1;
      break;
    }
    if (c === ",") {
      repairs.add("dropped-comma");
      state.i += 1;
      continue;
    }
    // `}, {` without the first brace, or the bracket of the enclosing list: the brace of this object is missing.
    if (c === "{" || c === "]" || c === ")") {
      if (depth === 0) throw new Unreadable();
      repairs.add("closed-brackets");
      if (c === "{") state.i = commaBefore(state);
      break;
    }
    const from = state.i;
    const key = readKey(state);
    state.gap();
    if (state.ranOut()) break;
    const behind = text[state.i];
    if (options.python && entries.length === 0 && (behind === "," || behind === "}"))
      return readSet(state, depth, from);
    const name = passAssignment(state, key);
    const bare = !"\"'“<".includes(c);
    if (names.has(name) || (loose === "unescaped" && bare && quotedKeys)) state.keyDoubts.set(name, "inside");
    else if (loose === "unescaped" || (loose === "bare" && bare)) state.keyDoubts.set(name, bare ? "bare" : loose);
    names.add(name);
    if (!bare) quotedKeys = true;
    state.loose = undefined;
    entries.push([name, readValue(state, depth + 1, "object")]);
    loose = state.loose;
    if (state.open) break;
    passSeparator(state, "}");
  }
  state.loose = undefined;
  return objectOf(entries);
}

function readKey(state: TolerantState): string {
  const { text, limit, options } = state;
  const token = quoteTokenAt(state);
  if (token !== undefined) return readTokenString(state, token);
  const c = text[state.i];
  if (c === '"' || c === "'") return readString(state, c, "key");
  if (c === CURLY_OPEN) return readString(state, CURLY_CLOSE, "key");
  const from = state.i;
  while (state.i < limit && state.i - from < MAX_WORD && /[^\s:=,{}[\]()"'<>]/.test(text[state.i] as string))
    state.i += 1;
  if (state.i === from) throw new Unreadable();
  if (options.quoteTokens === undefined) state.repairs.add("bare-key");
  return text.slice(from, state.i);
}

/**
 * Skips the separator between key and value: `:`, `=`, `=>`, or a space after `--key`, as on a command line. Returns
 * the key.
 */
function passAssignment(state: TolerantState, key: string): string {
  const { text, limit } = state;
  const c = text[state.i];
  if (c !== ":" && c !== "=") {
    if (!key.startsWith("--") || key.length < 3) throw new Unreadable();
    return key.slice(2);
  }
  if (state.i + 1 >= limit) state.touched = true;
  state.i += c === "=" && text[state.i + 1] === ">" ? 2 : 1;
  return key;
}

/** Python's `{'a', 'b'}`: JSON has only lists. */
function readSet(state: TolerantState, depth: number, from: number): Json {
  state.i = from - 1;
  state.repairs.add("python-literal");
  return readArray(state, depth, "}");
}

function readArray(state: TolerantState, depth: number, close: string): Json {
  const { text, repairs } = state;
  state.i += 1;
  const items: Json[] = [];
  for (;;) {
    state.gap();
    if (state.ranOut()) break;
    const c = text[state.i] as string;
    if (c === close) {
      state.i += 1;
      break;
    }
    if (c === ",") {
      repairs.add("dropped-comma");
      state.i += 1;
      continue;
    }
    if (c === "}" || c === "]" || c === ")" || c === ":") {
      if (depth === 0) throw new Unreadable();
      repairs.add("closed-brackets");
      break;
    }
    items.push(readValue(state, depth + 1, "array"));
    if (state.open) break;
    passSeparator(state, close);
  }
  state.loose = undefined;
  return items;
}

/** Eats the comma after a member; a lost one is noted when the next member follows anyway. */
function passSeparator(state: TolerantState, close: string): void {
  const { text, limit, repairs } = state;
  state.gap();
  const c = text[state.i];
  if (state.i >= limit || c === close || c === "}" || c === "]" || c === ")") return;
  if (c === "," || c === ";") {
    state.i += 1;
    state.gap();
    if (text[state.i] === close) repairs.add("dropped-comma");
    return;
  }
  if (c === "<") throw new Unreadable();
  repairs.add("inserted-comma");
}

/** Steps back to the comma directly in front, so that the list around us finds it. Never further: that would go in circles. */
function commaBefore({ text, i: at }: TolerantState): number {
  let i = at - 1;
  while (i > 0 && text.charCodeAt(i) <= 32) i -= 1;
  if (text[i] !== ",") throw new Unreadable();
  return i;
}
