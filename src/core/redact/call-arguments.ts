import type { Source } from "./plain-view.ts";
import { classifiedText, isQuote, readQuoted } from "./read-value.ts";
import { isPlaceholder, looksRandom } from "./secret-values.ts";
import { isMark, type Report } from "./span.ts";

/** Substrings of the names of functions that take a user and a password, or a payload and a secret. */
const STEMS = ["credential", "auth", "connection", "sign(", "login(", "hmac("];
const CALL =
  /(?:credentials?|basic_?auth(?:entication)?|httpauth|auth|(?:get|create|open)?connection|sign|login|hmac)\(/iy;
const MAX_ARGUMENTS = 6;
/** Matches what separates two string arguments: an expression without strings, and a wrapper such as `Some(`. */
const BETWEEN = /["'`]{0,12}[^"'`()\n;]{0,60},\s{0,8}(?:[A-Za-z]{1,10}\()?(?=["'`])/y;

/** Finds secrets among the arguments of calls: `new NetworkCredential("ann", "…")`, `jwt.sign(payload, "…")`. */
export function findCallSecrets({ text, view, lower }: Source, report: Report): void {
  for (const stem of STEMS)
    for (let at = lower.indexOf(stem); at !== -1; at = lower.indexOf(stem, at + stem.length)) {
      CALL.lastIndex = at;
      if (CALL.test(view)) readArguments(text, view, CALL.lastIndex, report);
    }
}

/** Reports random strings from the second argument on; the first one is a user, a URL or a payload. */
function readArguments(text: string, view: string, start: number, report: Report): void {
  let at = start;
  if (isQuote(view.charCodeAt(at))) at = readQuoted(text, at).end;
  for (let count = 1; count < MAX_ARGUMENTS; count += 1) {
    BETWEEN.lastIndex = at;
    if (!BETWEEN.test(view)) return;
    const value = readQuoted(text, BETWEEN.lastIndex);
    const written = classifiedText(view, value);
    if (
      /^[^\s./:]{6,200}$/.test(written) &&
      looksRandom(written) &&
      !isPlaceholder(written) &&
      !isMark(text, value.start)
    )
      report(value.start, value.end);
    at = value.end;
  }
}
