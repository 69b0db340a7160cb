import { readAuthorization, readCookies } from "./header-values.ts";
import { findPartner, isPartnerName } from "./name-value-lists.ts";
import type { Source } from "./plain-view.ts";
import {
  gapLength,
  isQuote,
  isSpace,
  judgedText,
  type ReadValue,
  readBlockScalar,
  readPlain,
  readQuoted,
  reportValue,
  skipSpaces,
} from "./read-value.ts";
import { classifyName, isCount, isSignature, mayNameSecret, type NameClass } from "./secret-names.ts";
import { isIdentifier, isMixedCase, isPlaceholder, looksRandom, namesSecret } from "./secret-values.ts";
import { isMark, type Report } from "./span.ts";

/** Separators between a name and its value: an assignment, a tuple, a call, or the end of a tag. */
const SEPARATOR = /[\n:=(,>：＝]/g;
/** Closing signs between a name and its separator: quotes of any depth, Markdown, an index, the `?` of an optional property. */
const CLOSERS = Uint8Array.from({ length: 128 }, (_, code) => ("\"'`*]?!".includes(String.fromCharCode(code)) ? 1 : 0));
const MAX_CLOSERS = 12;
const MAX_LABEL_CHARS = 64;
const MAX_ITEMS = 100;
const MAX_ELEMENT_CHARS = 500;
/** Parameters of addresses that are secrets there and ordinary words elsewhere. */
const QUERY =
  /^(?:key|auth|sig|signature|sid|session|code|ticket|x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature|hmac|pass|pw|pin)$/i;
const READS =
  /^(?:get|fetch|read|load|check|validate|verify|hash|find|is|has|parse|decode|revoke|delete|create|generate|count|describe|list|test|rotate|remove|update|retrieve|access|lookup|resolve|refresh|renew|require|use|with_?out)/i;

/** The position and syntax of a name, and where its value starts. */
interface Place {
  readonly sign: string;
  readonly name: string;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly isNameQuoted: boolean;
  /** Nothing but indentation and keywords before it in its line. */
  readonly startsLine: boolean;
  readonly lineStart: number;
  readonly valueStart: number;
  /** No gap on either side of the separator. */
  readonly isTight: boolean;
}

/** Finds values by the names that are given to them, in every syntax that writes a name before its value. */
export function findNamedValues(source: Source, report: Report): void {
  const { view } = source;
  let lineStart = 0;
  SEPARATOR.lastIndex = 0;
  while (SEPARATOR.test(view)) {
    const at = SEPARATOR.lastIndex - 1;
    if (view.charCodeAt(at) === 10) {
      lineStart = at + 1;
      continue;
    }
    const end = readAt(source, at, lineStart, report);
    if (end <= SEPARATOR.lastIndex) continue;
    SEPARATOR.lastIndex = end;
    const newLine = view.slice(at, end).lastIndexOf("\n");
    if (newLine !== -1) lineStart = at + newLine + 1;
  }
}

/** Returns where to go on. */
function readAt({ text, view, lower }: Source, separator: number, lineStart: number, report: Report): number {
  const nameEnd = findNameEnd(view, separator);
  if (nameEnd === 0) return 0;
  const isPartner = isPartnerName(lower, nameEnd);
  if (!isPartner && !mayNameSecret(lower, nameEnd) && !isQueryStart(view, separator, nameEnd)) return 0;
  const place = placeOf(view, separator, nameEnd, lineStart);
  const found = isQueryName(view, place) ? "weak" : classifyName(place.name);
  if (isPartner && (found === undefined || (found === "weak" && place.sign === "=" && !isParameter(view, place))))
    return findPartner(text, view, place, report);
  return found === undefined ? 0 : readClass(text, view, place, found, report);
}

function readClass(text: string, view: string, place: Place, found: NameClass, report: Report): number {
  const { sign, valueStart: at } = place;
  if (at >= view.length || isMark(text, at)) return 0;
  if (isSignature(place.name) && !(sign === "=" && place.isTight)) return 0;
  if (sign === ">") return readElement(view, place, found, report);
  const code = view.charCodeAt(at);
  if (sign === "," || sign === "(") {
    if (!isQuote(code) || (sign === "," && !place.isNameQuoted) || (sign === "(" && READS.test(place.name))) return 0;
    const value = sign === "(" ? lastArgument(text, view, at) : readQuoted(text, at);
    const written = judgedText(view, value);
    const accepts = sign === "(" && found === "strong" ? acceptsQuoted : acceptsRandom;
    return reported(view, value, !written.includes(" ") && accepts(written, found, place), report);
  }
  if (found === "authorization") return readAuthorization(text, view, at, report);
  if (found === "cookie") return readCookies(view, at, report);
  const gapped = found === "strong" ? gappedEnd(view, at) : undefined;
  if (gapped !== undefined) return reported(view, { start: at, end: gapped }, true, report);
  const opener = quoteAt(view, at);
  if (opener !== undefined && closesLabel(view, place, opener)) return 0;
  if (opener !== undefined) {
    const value = readQuoted(text, opener);
    return isMark(text, value.start)
      ? 0
      : reported(view, value, acceptsQuoted(judgedText(view, value), found, place), report);
  }
  if (code === 91 || code === 123 || code === 40) return readGroup(text, view, place, found, report);
  const block = readBlockScalar(view, place.lineStart, at);
  if (block !== undefined) return reported(view, block, found !== "code", report);
  const value = readPlain(view, at);
  if (value === undefined) return 0;
  const read = isParameter(view, place) ? parameterOf(view, value) : value;
  return reported(view, read, acceptsPlain(view, read, found, place), report);
}

/** `set_password("shop", "ann", "…")`: of several texts the last is the password. */
function lastArgument(text: string, view: string, at: number): ReadValue {
  let value = readQuoted(text, at);
  for (let count = 0; count < 4; count += 1) {
    const next = /^["'`]{1,12}\s{0,8},\s{0,8}(?=["'`])/.exec(view.slice(value.end, value.end + 32))?.[0];
    if (next === undefined) break;
    value = readQuoted(text, value.end + next.length);
  }
  return value;
}

/** Seeds and passwords written in groups of four: `ABCD EFGH 2345 QRST`. */
const GROUPS = /(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4}(?![A-Za-z0-9])|(?:[a-z]{4} ){3}[a-z]{4}(?![A-Za-z0-9])/y;
/** The bytes of a key as a list of numbers. */
const BYTES = /\[\s{0,8}(?:\d{1,3}\s{0,4},\s{0,8}){15,255}\d{1,3}\s{0,8}\]/y;

/** The end of a secret that is written with gaps; undefined if there is none. */
function gappedEnd(view: string, at: number): number | undefined {
  for (const pattern of [GROUPS, BYTES]) {
    pattern.lastIndex = at;
    if (pattern.test(view)) return pattern.lastIndex;
  }
  return undefined;
}

/** Is it a parameter of an address? */
function isParameter(view: string, { sign, nameStart }: Place): boolean {
  return sign === "=" && isParameterStart(view.charCodeAt(nameStart - 1));
}

/** A parameter ends before the next one, and before the fragment. */
function parameterOf(view: string, value: ReadValue): ReadValue {
  const stop = view.slice(value.start, value.end).search(/[&#]/);
  return stop > 0 ? { start: value.start, end: value.start + stop } : value;
}

function reported(view: string, value: ReadValue, isSecret: boolean, report: Report): number {
  return isSecret && value.end > value.start ? reportValue(view, value, report) : 0;
}

/** `prompt("Password: ")`: the quote closes the string that contains the label and does not open a value. */
function closesLabel(view: string, { name, nameEnd }: Place, quote: number): boolean {
  return !isQuote(view.charCodeAt(nameEnd)) && view.charAt(nameEnd - name.length - 1) === view.charAt(quote);
}

/** The quote that opens a value, behind the prefix of a string literal (`b"…"`, `f'…'`, `@"…"`). */
function quoteAt(view: string, at: number): number | undefined {
  if (isQuote(view.charCodeAt(at))) return at;
  return isQuote(view.charCodeAt(at + 1)) && /[bruf@$LN]/.test(view.charAt(at)) ? at + 1 : undefined;
}

/** `["a", "b"]`, `("user", "password")`, `{"value": "…"}`. */
function readGroup(text: string, view: string, place: Place, found: NameClass, report: Report): number {
  const { valueStart } = place;
  if (view.charCodeAt(valueStart) === 123) return findPartner(text, view, { ...place, name: "" }, report);
  let at = skipSpaces(view, valueStart + 1, 40);
  if (!isQuote(view.charCodeAt(at))) {
    const value = readPlain(view, valueStart);
    const written = value === undefined ? "" : judgedText(view, value).slice(1);
    // A list in code, or a password that begins with a bracket.
    const isSecret = view.charCodeAt(valueStart) === 91 && /^[^[\](){}.]+$/.test(written) && looksRandom(written);
    return value === undefined ? 0 : reported(view, value, isSecret, report);
  }
  const isPair = view.charCodeAt(valueStart) === 40;
  for (let item = 0; item < MAX_ITEMS && isQuote(view.charCodeAt(at)); item += 1) {
    const value = readQuoted(text, at);
    const judged = judgedText(view, value);
    const isSecret = isPair ? item === 1 && !isPlaceholder(judged) : acceptsQuoted(judged, found, place);
    reported(view, value, isSecret && !isMark(text, value.start), report);
    at = value.end;
    while (isQuote(view.charCodeAt(at)) && at - value.end < MAX_CLOSERS) at += 1;
    const comma = /^\s{0,40},\s{0,60}/.exec(view.slice(at, at + 100))?.[0];
    if (comma === undefined) break;
    at += comma.length;
  }
  return at;
}

/** `<password>…</password>`, also over lines. */
function readElement(view: string, place: Place, found: NameClass, report: Report): number {
  if (view.charAt(place.nameStart - 1) !== "<") return 0;
  const start = place.valueStart + gapLength(view, place.valueStart);
  const close = view.slice(start, start + MAX_ELEMENT_CHARS).indexOf("</");
  if (close <= 0) return 0;
  const value: ReadValue = { start, end: start + view.slice(start, start + close).trimEnd().length };
  return reported(view, value, acceptsQuoted(judgedText(view, value), found, place), report);
}

function acceptsQuoted(value: string, found: NameClass, place: Place): boolean {
  if (isPlaceholder(value)) return false;
  if (found === "code") return /^[A-Za-z0-9-]{4,24}$/.test(value) && /\d/.test(value);
  if (found === "weak") return looksRandom(value) && !isCount(place.name);
  return !(isIdentifier(value) && namesSecret(value) && value.length < 16);
}

function acceptsRandom(value: string, found: NameClass, place: Place): boolean {
  return acceptsQuoted(value, found, place) && looksRandom(value);
}

function acceptsPlain(view: string, value: ReadValue, found: NameClass, place: Place): boolean {
  const written = judgedText(view, value);
  const isAssignment = place.sign === "=" || place.startsLine || place.isNameQuoted;
  const isWord = isIdentifier(written);
  // What costs little is looked at first: most values are words.
  if (
    found === "weak" ? !looksRandom(written) : found === "strong" && !isAssignment && !isWord && !looksRandom(written)
  )
    return false;
  if (isWord && !acceptsWord(view, written, value, found, place)) return false;
  if (isVariable(view, written, value, place)) return false;
  const isNumber = /^\d+$/.test(written);
  if (isNumber && isCount(place.name)) return false;
  if (isPlaceholder(written) && !(isNumber && written.length >= 4)) return false;
  // `sk-ant-...` in instructions.
  if (written.length < 16 && /^(?:\.{3}|…)/.test(view.slice(value.end, value.end + 3))) return false;
  if (found === "code") return /^[A-Za-z0-9-]{4,24}$/.test(written) && /\d{3}|\d.*[a-z]/i.test(written);
  return !isNumber || written.length >= 4;
}

/** `exports.readToken2 = readToken2;`: code that hands on a variable. */
function isVariable(view: string, written: string, { end }: ReadValue, { name, isTight }: Place): boolean {
  if (isTight || !/^[A-Za-z_$][\w$]*$/.test(written)) return false;
  if (name.endsWith(written)) return true;
  return /^[;,)|]/.test(view.charAt(end)) && /[a-z]{4}/.test(written) && /secret|token|passw|key|auth/i.test(written);
}

/** Letters alone: a word in a sentence, or a variable in code, unless it is the whole of an assignment. */
function acceptsWord(view: string, written: string, value: ReadValue, found: NameClass, place: Place): boolean {
  if (isMixedCase(written)) return true;
  if (found !== "strong" || namesSecret(written)) return false;
  if (place.sign === "=") return place.isTight;
  return place.startsLine && /^[ \t]*(?:\n|$|["'])/.test(view.slice(value.end, value.end + 10));
}

function isCloser(code: number): boolean {
  return CLOSERS[code] === 1;
}

/** The end of the name before a separator, behind the signs that close it; 0 where there is none. */
function findNameEnd(view: string, separator: number): number {
  const sign = view.charCodeAt(separator);
  let end = separator;
  if (sign === 40 || sign === 62) return isNameChar(view.charCodeAt(end - 1)) ? end : 0;
  if (sign === 44) {
    if (!isQuote(view.charCodeAt(end - 1))) return 0;
  } else {
    while (end > 0 && separator - end < 8 && isSpace(view.charCodeAt(end - 1))) end -= 1;
  }
  for (let count = 0; count < MAX_CLOSERS && end > 0 && isCloser(view.charCodeAt(end - 1)); count += 1) end -= 1;
  return end > 0 && isNameChar(view.charCodeAt(end - 1)) ? end : 0;
}

function placeOf(view: string, separator: number, nameEnd: number, lineStart: number): Place {
  const sign = view.charAt(separator);
  let wordStart = nameEnd;
  while (wordStart > 0 && nameEnd - wordStart < MAX_LABEL_CHARS && isNameChar(view.charCodeAt(wordStart - 1)))
    wordStart -= 1;
  const label = sign === ":" || sign === "：" || sign === "=" ? labelStart(view, wordStart, nameEnd) : wordStart;
  let valueStart = separator + 1;
  if (sign !== "(" && sign !== "," && sign !== ">")
    while (valueStart - separator < 9 && ":=>~".includes(view.charAt(valueStart)) && valueStart < view.length)
      valueStart += 1;
  const afterSign = valueStart;
  valueStart = skipSpaces(view, valueStart, 16);
  while (valueStart - afterSign < 20 && view.charAt(valueStart) === "*" && view.charAt(valueStart + 1) !== "*")
    valueStart += 1;
  if (view.startsWith("**", valueStart)) valueStart = skipSpaces(view, valueStart + 2, 4);
  return {
    sign: sign === "：" ? ":" : sign === "＝" ? "=" : sign,
    // Of a call only the method counts: `t.pass("…")` is no password.
    name: sign === "(" ? view.slice(wordStart, nameEnd).replace(/^.*\./, "") : view.slice(label, nameEnd),
    nameStart: wordStart,
    nameEnd,
    isNameQuoted: isQuote(view.charCodeAt(nameEnd)) && isQuote(view.charCodeAt(label - 1)),
    startsLine: startsLine(view, lineStart, label),
    lineStart,
    valueStart,
    isTight: nameEnd === separator && valueStart === afterSign,
  };
}

/** A label may be a few words: `mot de passe`, `API key`. */
function labelStart(view: string, wordStart: number, nameEnd: number): number {
  let start = wordStart;
  for (let words = 0; words < 3; words += 1) {
    let before = start - 1;
    if (view.charCodeAt(before) !== 32) break;
    while (before > 0 && isNameChar(view.charCodeAt(before - 1)) && nameEnd - before < MAX_LABEL_CHARS) before -= 1;
    if (before === start - 1) break;
    start = before;
  }
  return start;
}

function startsLine(view: string, lineStart: number, nameStart: number): boolean {
  // A text in quotes begins like a line.
  if (isQuote(view.charCodeAt(nameStart - 1)) || nameStart - lineStart > 60)
    return isQuote(view.charCodeAt(nameStart - 1));
  return /^[\s"'#/*>+|$-]*(?:(?:export|set|setx|env|ENV|ARG|const|let|var|val|final|static|declare|-e|--env)\s+|env:)*["']*$/.test(
    view.slice(lineStart, nameStart),
  );
}

function isQueryStart(view: string, separator: number, nameEnd: number): boolean {
  if (view.charCodeAt(separator) !== 61) return false;
  let start = nameEnd;
  while (nameEnd - start < 24 && isNameChar(view.charCodeAt(start - 1))) start -= 1;
  return isParameterStart(view.charCodeAt(start - 1));
}

/** `?` or `&` */
function isParameterStart(code: number): boolean {
  return code === 63 || code === 38;
}

function isQueryName(view: string, place: Place): boolean {
  return isParameter(view, place) && QUERY.test(place.name);
}

/** Letters of every script, digits, and what joins them in names. */
function isNameChar(code: number): boolean {
  if (code < 128) {
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    return isLetter || (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46;
  }
  return code >= 0xc0 && !(code >= 0x2000 && code <= 0x206f) && !(code >= 0x3000 && code <= 0x303f) && code < 0xff00;
}
