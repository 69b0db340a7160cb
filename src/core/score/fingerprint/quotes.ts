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
  let written = "";
  let from = 0;
  for (let at = text.search(OPENING); at !== -1 && at < text.length; ) {
    const end = isWordly(text, at - 1) ? -1 : endOf(text, at + 1, CLOSING.get(text.charAt(at)) as string);
    if (end !== -1) {
      written += `${text.slice(from, at)}<quoted>`;
      from = end + 1;
    }
    OPENING_FROM.lastIndex = end === -1 ? at + 1 : from;
    at = OPENING_FROM.exec(text)?.index ?? -1;
  }
  return written + text.slice(from);
}

const OPENING = /["'`\u201c\u2018\u00ab\u201e]/;
const OPENING_FROM = new RegExp(OPENING, "g");

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
