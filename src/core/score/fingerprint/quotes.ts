/** What closes what opens. */
const CLOSING = new Map([
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["\u201c", "\u201d"],
  ["\u2018", "\u2019"],
  ["\u00ab", "\u00bb"],
  ["\u201e", "\u201c"],
]);
const LONGEST = 400;
const WORDLY = /[\p{L}\p{N}]/u;

/** Puts `<quoted>` in the place of each quotation. An apostrophe inside a word opens and closes nothing. */
export function withoutQuotes(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const closing = CLOSING.get(text.charAt(at));
    if (closing === undefined || isWordly(text, at - 1)) continue;
    const end = endOf(text, at + 1, closing);
    if (end === -1) continue;
    parts.push(text.slice(from, at), "<quoted>");
    from = end + 1;
    at = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

function endOf(text: string, start: number, closing: string): number {
  const limit = Math.min(text.length, start + LONGEST);
  for (let at = start; at < limit; at += 1) {
    const char = text.charAt(at);
    if (char === "\n") return -1;
    if (char === closing && !isWordly(text, at + 1)) return at;
  }
  return -1;
}

function isWordly(text: string, at: number): boolean {
  return at >= 0 && at < text.length && WORDLY.test(text.charAt(at));
}
