/** Quotation marks of all scripts, and brackets that set something apart; the same mark may open and close. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["”", "”"],
  ["‘", "’"],
  ["«", "»"],
  ["»", "«"],
  ["‹", "›"],
  ["„", "“"],
  ["„", "”"],
  ["‚", "‘"],
  ["「", "」"],
  ["『", "』"],
  ["《", "》"],
  ["〈", "〉"],
  ["【", "】"],
  ["〔", "〕"],
  ["（", "）"],
  ["(", ")"],
  ["[", "]"],
  ["＂", "＂"],
  ["**", "**"],
  ["__", "__"],
  ["~~", "~~"],
  ["*", "*"],
];
/** What ends an opening mark. */
const OPENING_ENDS: ReadonlySet<string | undefined> = new Set(PAIRS.map(([open]) => open.at(-1)));
/** Marks that are paired across a line; an apostrophe or an asterisk is too common for that. */
const ACROSS_LINE: ReadonlySet<string> = new Set(["“", "«", "»", "‹", "„", "「", "『", "《", "〈", "【", "（", '"']);
const PUNCTUATION = /^[\s.,;:!?。、，；：！？…]{0,4}/;

/** Whether quotation marks stand around a candidate: directly, or as words of its line. */
export function isQuoted(before: string, after: string): boolean {
  if (isDirectlyQuoted(before.trimEnd(), after) || isInDocstring(before, after)) return true;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const end = after.indexOf("\n");
  const rest = end === -1 ? after : after.slice(0, end);
  if (line === "" || rest === "") return false;
  return PAIRS.some(([open, close]) => ACROSS_LINE.has(open) && isOpen(line, open, close) && rest.includes(close));
}

function isDirectlyQuoted(left: string, after: string): boolean {
  if (left === "" || !OPENING_ENDS.has(left.at(-1))) return false;
  const right = after.replace(PUNCTUATION, "");
  return PAIRS.some(([open, close]) => left.endsWith(open) && right.startsWith(close));
}

/** Whether a docstring is open at the end of a text and closes in another. */
function isInDocstring(before: string, after: string): boolean {
  return ['"""', "'''"].some((mark) => after.includes(mark) && before.split(mark).length % 2 === 0);
}

/** Whether a mark is open at the end of a line. */
function isOpen(line: string, open: string, close: string): boolean {
  if (open !== close) return line.lastIndexOf(open) > line.lastIndexOf(close);
  return line.split(open).length % 2 === 0;
}
