import { stripLineDecoration } from "./lines.ts";
import { viewsOf } from "./views.ts";

/** How much of the end of a text and of the beginning of the next is joined. */
const MAX_PART_CHARS = 4096;
const CUT = "\0";

/**
 * Texts that follow one another, joined where they meet: a call may begin in one result and end in the next. Joined once without the decoration of
 * their lines and once decoded. Of a long text only its beginning and its end are taken, so that the result is not longer than the texts.
 */
export function joinNeighbors(texts: readonly string[]): readonly string[] {
  if (texts.length < 2) return [];
  const parts = texts.flatMap(partsOf);
  const stripped = parts.map(stripLineDecoration);
  const decoded = parts.map((part) => viewsOf(part).at(-1) ?? part);
  return [...new Set([stripped, decoded].flatMap((list) => list.join("").split(CUT)))];
}

function partsOf(text: string): readonly string[] {
  if (text.length <= 2 * MAX_PART_CHARS) return [text];
  return [text.slice(0, MAX_PART_CHARS), CUT, text.slice(-MAX_PART_CHARS)];
}
