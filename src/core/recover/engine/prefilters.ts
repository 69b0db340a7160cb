import { escapeRegExp, NEED_MORE, type Text } from "../../text/cursor.ts";

/** Longest tag name that is waited for. */
export const MAX_TAG_NAME = 64;
/** What a name continues with: not one of the bars, and none of the blanks beyond ASCII. */
const NAME = "\\w.\\-\\u0080-\\u009f\\u00a1-\\u011f\\u0122-\\u2015\\u2017-\\uff5b\\uff5d-\\uffff";
const INCOMPLETE_TAG = new RegExp(`^</? ?[${NAME}:]*$`);

/** Returns the test for a tag that may matter: a special token, or a key in any short namespace. */
export function tagFilter(keys: Iterable<string>): (source: Text, at: number) => boolean {
  const names = [...keys].filter((key) => !key.includes("|")).map(escapeRegExp);
  const key = `(?:[^\\s<>/:.|]{1,7}:)?(?:(?:${names.join("|")})(?![${NAME}])|[${NAME}]{1,64}[|｜‖])`;
  const relevant = new RegExp(`</?(?: ?[|｜‖]|${key})|\\]<\\]minimax\\[>\\[`, "iy");
  return (source, at) => {
    const { text } = source;
    const end = at + MAX_TAG_NAME;
    if (end > source.length && !source.final && INCOMPLETE_TAG.test(text.slice(at))) throw NEED_MORE;
    relevant.lastIndex = at;
    return relevant.test(text);
  };
}

/** How much of a text's beginning is compared: enough to rule out nearly all words. */
const BEGINNING_CHARS = 3;

/** Returns the test whether one of the texts may begin at a place. */
export function beginningFilter(texts: readonly string[]): (text: string, at: number) => boolean {
  const beginnings = new Set(texts.map((text) => escapeRegExp(text.slice(0, BEGINNING_CHARS))));
  const pattern = new RegExp([...beginnings].join("|"), "y");
  return (text, at) => {
    if (at + BEGINNING_CHARS > text.length) return true;
    pattern.lastIndex = at;
    return pattern.test(text);
  };
}
