import { closesString, decodeString, skipWhitespace } from "./read-string.ts";
import { type Holder, type TolerantState, Unreadable } from "./tolerant-state.ts";

/** One string, or Python's several in a row, or a triple-quoted one. */
export function readStrings(state: TolerantState, holder: Holder): string {
  const { text, limit, options } = state;
  let value = "";
  for (;;) {
    const quote = text[state.i] as string;
    const triple = quote.repeat(3);
    if (limit - state.i < 3) state.touched = true;
    if (text.startsWith(triple, state.i)) value += readTokenString(state, triple);
    else value += readString(state, quote, holder);
    if (!options.python || state.open) return value;
    const next = skipWhitespace(text, state.i, limit);
    if (next >= limit) state.touched = true;
    if (text[next] !== '"' && text[next] !== "'") return value;
    // With unescaped quotes, several strings cannot be distinguished from one.
    if (state.repairs.has("unescaped-quote")) throw new Unreadable();
    state.i = next;
  }
}

/** A quoted string that may contain unescaped quotes. */
export function readString(state: TolerantState, quote: string, place: "key" | Holder): string {
  const { text, limit, options } = state;
  const from = state.i + 1;
  let i = from;
  let inner = false;
  while (i < limit) {
    const c = text[i];
    if (c === "\\") i += 2;
    else if (c !== quote) i += 1;
    else {
      const closes = closesString(text, i, limit, place, options.python === true);
      if (closes === "end") state.touched = true;
      if (closes !== "no") break;
      inner = true;
      i += 1;
    }
  }
  if (i >= limit) {
    state.open = true;
    state.inString = true;
  }
  if (inner) {
    state.repairs.add("unescaped-quote");
    if (place !== "key") state.loose = "unescaped";
  }
  const end = Math.min(i, limit);
  state.i = Math.min(end + 1, limit);
  const raw = text.slice(from, end);
  // An expression: its value is not in the text.
  if (inner && /["']\s{0,4}\+\s{0,4}["']/.test(raw)) throw new Unreadable();
  return decodeString(raw, quote, state.repairs);
}

/** Does a string in tokens begin here? Then its token. */
export function quoteTokenAt(state: TolerantState): string | undefined {
  const { text, limit, options } = state;
  if (options.quoteTokens === undefined) return undefined;
  if (limit - state.i < 10) state.touched = true;
  return options.quoteTokens.find((token) => text.startsWith(token, state.i));
}

/** A string between two equal tokens, used literally. */
export function readTokenString(state: TolerantState, token: string): string {
  const { text, limit } = state;
  const from = state.i + token.length;
  const end = text.indexOf(token, from);
  if (end === -1 || end > limit) {
    state.open = true;
    state.inString = true;
    state.i = limit;
    return text.slice(from, limit);
  }
  state.i = end + token.length;
  if (token.length === 3) state.repairs.add("single-quotes");
  return text.slice(from, end);
}
