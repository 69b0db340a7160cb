import type { Token } from "../lex/token.ts";

/** Keys are lower-cased for the tables; a parameter keeps its own spelling. */
export function originalCase(text: string, token: Token): string {
  const raw = text.slice(token.start, token.end).toLowerCase();
  const at = raw.indexOf(token.key);
  // Lower-casing may change lengths beyond ASCII: then the key as it is has to do.
  if (at === -1 || raw.length !== token.end - token.start) return token.key;
  return text.slice(token.start + at, token.start + at + token.key.length);
}
