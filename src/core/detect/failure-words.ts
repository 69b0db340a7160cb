/**
 * The cheap question before the rules about lines: does a stretch of text hold any word that a failing program
 * ends with? Most do not, and are done after one look at each character.
 */

/** First letters of the words that the line rules look for; at least three, at most four of them count. */
const BEGINNINGS: readonly string[] =
  "error err! err_ errno except exceed fail fatal fault cann can't could denied refused not no s invalid miss unkn unrec unexp panic segm bus kill abort core outof unca unha timed timeo curl ninja cmake npm compil exit return keyb caused ora- sqls categ fully node. inter termi cancel already syntax".split(
    " ",
  );

const SLOTS = new Uint8Array(1 << 15);
for (const word of BEGINNINGS) {
  SLOTS[slot(word, 0)] = 1;
}

/** Three letters, five bits each; marks and capitals fold onto letters, which only costs a second look. */
function slot(text: string, at: number): number {
  return ((text.charCodeAt(at) & 31) << 10) | ((text.charCodeAt(at + 1) & 31) << 5) | (text.charCodeAt(at + 2) & 31);
}

/** Does a word a failure is told with start between these places? */
export function holdsFailureWord(text: string, from: number, to: number): boolean {
  let before = 32;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (startsWord(code, before) && SLOTS[slot(text, at)] === 1) {
      return true;
    }
    before = code;
  }
  return false;
}

/** A letter behind something else, or a capital behind a small letter: `ValueError` holds the word `Error`. */
function startsWord(code: number, before: number): boolean {
  if (code >= 97) {
    return code <= 122 && before < 97 && (before < 65 || before > 90);
  }
  // `*** ` and `+ ` open the last words of make and PowerShell.
  return code >= 65 ? code <= 90 && (before < 65 || before > 90) : code === 42 && before === 42;
}
