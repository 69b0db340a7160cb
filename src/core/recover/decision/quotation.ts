/** Quotation marks of all scripts, and brackets that set text apart. Some marks both open and close. */
const PAIRS: readonly (readonly [string, string])[] =
  "\"\" '' “” ”” ‘’ «» »« ‹› „“ „” ‚‘ 「」 『』 《》 〈〉 【】 〔〕 （） () [] ＂＂ **** ____ ~~~~ **"
    .split(" ")
    .map((pair) => [pair.slice(0, pair.length / 2), pair.slice(pair.length / 2)]);
/** The last characters of the opening marks: a cheap precondition. */
const OPENING_ENDS: ReadonlySet<string | undefined> = new Set(PAIRS.map(([open]) => open.at(-1)));
/** Marks that are matched across a line. Apostrophes and asterisks are too common for that. */
const ACROSS_LINE: ReadonlySet<string> = new Set('“«»‹„「『《〈【（"');
/** Marks that cannot be anything else, and are matched across the lines of a paragraph. */
const ACROSS_PARAGRAPH: readonly (readonly [string, string])[] = PAIRS.filter(([open]) =>
  "“«‹「『《〈【".includes(open),
);
const PUNCTUATION = /^[\s.,;:!?。、，；：！？…]{0,4}/;

/** Whether quotation marks enclose a candidate, either directly or together with other words on its line. */
export function isQuoted(before: string, after: string): boolean {
  if (isDirectlyQuoted(before.trimEnd(), after) || isInDocstring(before, after)) return true;
  if (isInParagraphQuoted(before, after)) return true;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const end = after.indexOf("\n");
  const rest = end === -1 ? after : after.slice(0, end);
  if (line === "" || rest === "") return false;
  return PAIRS.some(([open, close]) => ACROSS_LINE.has(open) && isOpen(line, open, close) && rest.includes(close));
}

/** Whether a quotation that began on an earlier line of the paragraph ends on a later one. */
function isInParagraphQuoted(before: string, after: string): boolean {
  const end = after.indexOf("\n\n");
  const rest = end === -1 ? after : after.slice(0, end);
  const closed = ACROSS_PARAGRAPH.filter(([, close]) => rest.includes(close));
  if (closed.length === 0) return false;
  const paragraph = before.slice(before.lastIndexOf("\n\n") + 1);
  return closed.some(([open, close]) => {
    const at = paragraph.lastIndexOf(open);
    // Some languages turn the marks around: an opening one does not follow a word.
    return (
      at > paragraph.lastIndexOf(close) && !/[\p{Script=Latin}\p{Script=Cyrillic}\d.!?]/u.test(paragraph[at - 1] ?? "")
    );
  });
}

function isDirectlyQuoted(left: string, after: string): boolean {
  if (left === "" || !OPENING_ENDS.has(left.at(-1))) return false;
  const right = after.replace(PUNCTUATION, "");
  return PAIRS.some(([open, close]) => left.endsWith(open) && right.startsWith(close));
}

/** Whether a docstring is open at the end of `before` and closes in `after`. */
function isInDocstring(before: string, after: string): boolean {
  return ['"""', "'''"].some((mark) => after.includes(mark) && before.split(mark).length % 2 === 0);
}

/** Whether a quotation is still open at the end of a line. */
function isOpen(line: string, open: string, close: string): boolean {
  if (open !== close) return line.lastIndexOf(open) > line.lastIndexOf(close);
  return line.split(open).length % 2 === 0;
}
