import {
  AMPERSAND,
  COMMA,
  EQUALS,
  GREATER_THAN,
  isAsciiNameChar,
  isQuote,
  LF,
  MAX_ASCII,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
  QUESTION_MARK,
  SPACE,
} from "../text/char-codes.ts";
import { readAuthorization, readCookies } from "./header-values.ts";
import { findPartner, isPartnerName } from "./name-value-lists.ts";
import {
  classifiedText,
  gapLength,
  isSpace,
  type ReadValue,
  readBlockScalar,
  readPlain,
  readQuoted,
  reportValue,
  skipSpaces,
} from "./read-value.ts";
import { classifyName, isCount, isSignature, mayNameSecret, type NameClass } from "./secret-names.ts";
import { isIdentifier, isMixedCase, isPlaceholder, looksRandom, namesSecret } from "./secret-values.ts";
import type { Source } from "./span.ts";
import { isMark, type Report } from "./span.ts";

/** Separators between a name and its value: an assignment, a tuple, a call, or the end of a tag. */
const SEPARATOR = /[\n:=(,>：＝]/g;
/**
 * Characters between a name and its separator: quotes of any depth, Markdown, an index, the `?` of an optional
 * property.
 */
const CLOSERS = Uint8Array.from({ length: 128 }, (_, code) => ("\"'`*]?!".includes(String.fromCharCode(code)) ? 1 : 0));
const MAX_CLOSERS = 12;
const MAX_LABEL_CHARS = 64;
const MAX_ITEMS = 100;
const MAX_ELEMENT_CHARS = 500;
/** URL parameters that are secrets there and ordinary words elsewhere. */
const SECRET_PARAMETER =
  /^(?:key|auth|sig|signature|sid|session|code|ticket|x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature|hmac|pass|pw|pin)$/i;
const NON_SETTER =
  /^(?:get|fetch|read|load|check|validate|verify|hash|find|is|has|parse|decode|revoke|delete|create|generate|count|describe|list|test|rotate|remove|update|retrieve|access|lookup|resolve|refresh|renew|require|use|with_?out)/i;

/** The position and syntax of a name, and where its value starts. */
interface NamePosition {
  readonly separator: string;
  readonly name: string;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly isNameQuoted: boolean;
  /** Only indentation and keywords precede it in its line. */
  readonly startsLine: boolean;
  readonly lineStart: number;
  readonly valueStart: number;
  /** No whitespace on either side of the separator. */
  readonly isTight: boolean;
}

/** Finds values by their names, in every syntax that puts a name before its value. */
export function findNamedValues(source: Source, report: Report): void {
  const { view } = source;
  let lineStart = 0;
  SEPARATOR.lastIndex = 0;
  while (SEPARATOR.test(view)) {
    const at = SEPARATOR.lastIndex - 1;
    if (view.charCodeAt(at) === LF) {
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

/** Returns the position to continue at. */
function readAt({ text, view, lower }: Source, separator: number, lineStart: number, report: Report): number {
  const nameEnd = findNameEnd(view, separator);
  if (nameEnd === 0) return 0;
  const isPartner = isPartnerName(lower, nameEnd);
  if (!isPartner && !mayNameSecret(lower, nameEnd) && !isQueryStart(view, separator, nameEnd)) return 0;
  const position = namePosition(view, separator, nameEnd, lineStart);
  const found = isQueryName(view, position) ? "weak" : classifyName(position.name);
  if (
    isPartner &&
    (found === undefined || (found === "weak" && position.separator === "=" && !isParameter(view, position)))
  )
    return findPartner(text, view, position, report);
  return found === undefined ? 0 : readClass(text, view, position, found, report);
}

function readClass(text: string, view: string, position: NamePosition, found: NameClass, report: Report): number {
  const { separator, valueStart: at } = position;
  if (at >= view.length || isMark(text, at)) return 0;
  if (isSignature(position.name) && !(separator === "=" && position.isTight)) return 0;
  if (separator === ">") return readElement(view, position, found, report);
  if (separator === "," || separator === "(") return readArgument(text, view, position, found, report);
  if (found === "authorization") return readAuthorization(text, view, at, report);
  if (found === "cookie") return readCookies(view, at, report);
  return readAssigned(text, view, position, found, report);
}
/** `define("PASSWORD", "…")`, `setPassword("…")`. */
function readArgument(text: string, view: string, position: NamePosition, found: NameClass, report: Report): number {
  const { separator, valueStart: at } = position;
  if (!isQuote(view.charCodeAt(at))) return 0;
  if ((separator === "," && !position.isNameQuoted) || (separator === "(" && NON_SETTER.test(position.name))) return 0;
  const value = separator === "(" ? lastArgument(text, view, at) : readQuoted(text, at);
  const written = classifiedText(view, value);
  const accepts = separator === "(" && found === "strong" ? acceptsQuoted : acceptsRandom;
  return reported(view, value, !written.includes(" ") && accepts(written, found, position), report);
}
function readAssigned(text: string, view: string, position: NamePosition, found: NameClass, report: Report): number {
  const at = position.valueStart;
  const grouped = found === "strong" ? groupedEnd(view, at) : undefined;
  if (grouped !== undefined) return reported(view, { start: at, end: grouped }, true, report);
  const opener = quoteAt(view, at);
  if (opener !== undefined && closesLabel(view, position, opener)) return 0;
  if (opener !== undefined) {
    const value = readQuoted(text, opener);
    return isMark(text, value.start)
      ? 0
      : reported(view, value, acceptsQuoted(classifiedText(view, value), found, position), report);
  }
  const code = view.charCodeAt(at);
  if (code === OPEN_BRACKET || code === OPEN_BRACE || code === OPEN_PARENTHESIS)
    return readGroup(text, view, position, found, report);
  const block = readBlockScalar(view, position.lineStart, at);
  if (block !== undefined) return reported(view, block, found !== "code", report);
  const value = readPlain(view, at);
  if (value === undefined) return 0;
  const read = isParameter(view, position) ? parameterOf(view, value) : value;
  return reported(view, read, acceptsPlain(view, read, found, position), report);
}

/** `set_password("shop", "ann", "…")`: the last of several strings is the password. */
function lastArgument(text: string, view: string, at: number): ReadValue {
  let value = readQuoted(text, at);
  for (let count = 0; count < 4; count += 1) {
    const next = /^["'`]{1,12}\s{0,8},\s{0,8}(?=["'`])/.exec(view.slice(value.end, value.end + 32))?.[0];
    if (next === undefined) break;
    value = readQuoted(text, value.end + next.length);
  }
  return value;
}

/** Seeds and passwords written in groups of 4: `ABCD EFGH 2345 QRST`. */
const GROUPS = /(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4}(?![A-Za-z0-9])|(?:[a-z]{4} ){3}[a-z]{4}(?![A-Za-z0-9])/y;
/** A key as a list of bytes. */
const BYTES = /\[\s{0,8}(?:\d{1,3}\s{0,4},\s{0,8}){15,255}\d{1,3}\s{0,8}\]/y;

/** The end of a secret that contains whitespace; undefined if there is no such secret at `at`. */
function groupedEnd(view: string, at: number): number | undefined {
  for (const pattern of [GROUPS, BYTES]) {
    pattern.lastIndex = at;
    if (pattern.test(view)) return pattern.lastIndex;
  }
  return undefined;
}

/** True for a URL parameter. */
function isParameter(view: string, { separator, nameStart }: NamePosition): boolean {
  return separator === "=" && isParameterStart(view.charCodeAt(nameStart - 1));
}

/** A parameter ends before the next one and before the fragment. */
function parameterOf(view: string, value: ReadValue): ReadValue {
  const stop = view.slice(value.start, value.end).search(/[&#]/);
  return stop > 0 ? { start: value.start, end: value.start + stop } : value;
}

function reported(view: string, value: ReadValue, isSecret: boolean, report: Report): number {
  return isSecret && value.end > value.start ? reportValue(view, value, report) : 0;
}

/** `prompt("Password: ")`: the quote closes the string that contains the label and does not open a value. */
function closesLabel(view: string, { name, nameEnd }: NamePosition, quote: number): boolean {
  return !isQuote(view.charCodeAt(nameEnd)) && view.charAt(nameEnd - name.length - 1) === view.charAt(quote);
}

/** The quote that opens a value, after the prefix of a string literal (`b"…"`, `f'…'`, `@"…"`). */
function quoteAt(view: string, at: number): number | undefined {
  if (isQuote(view.charCodeAt(at))) return at;
  return isQuote(view.charCodeAt(at + 1)) && /[bruf@$LN]/.test(view.charAt(at)) ? at + 1 : undefined;
}

/** `["a", "b"]`, `("user", "password")`, `{"value": "…"}`. */
function readGroup(text: string, view: string, position: NamePosition, found: NameClass, report: Report): number {
  const { valueStart } = position;
  if (view.charCodeAt(valueStart) === OPEN_BRACE) return findPartner(text, view, { ...position, name: "" }, report);
  let at = skipSpaces(view, valueStart + 1, 40);
  if (!isQuote(view.charCodeAt(at))) {
    const value = readPlain(view, valueStart);
    const written = value === undefined ? "" : classifiedText(view, value).slice(1);
    // Either a list in code, or a password that starts with a bracket.
    const isSecret =
      view.charCodeAt(valueStart) === OPEN_BRACKET && /^[^[\](){}.]+$/.test(written) && looksRandom(written);
    return value === undefined ? 0 : reported(view, value, isSecret, report);
  }
  const isPair = view.charCodeAt(valueStart) === OPEN_PARENTHESIS;
  for (let item = 0; item < MAX_ITEMS && isQuote(view.charCodeAt(at)); item += 1) {
    const value = readQuoted(text, at);
    const written = classifiedText(view, value);
    const isSecret = isPair ? item === 1 && !isPlaceholder(written) : acceptsQuoted(written, found, position);
    reported(view, value, isSecret && !isMark(text, value.start), report);
    at = value.end;
    while (isQuote(view.charCodeAt(at)) && at - value.end < MAX_CLOSERS) at += 1;
    const comma = /^\s{0,40},\s{0,60}/.exec(view.slice(at, at + 100))?.[0];
    if (comma === undefined) break;
    at += comma.length;
  }
  return at;
}

/** `<password>…</password>`, also on several lines. */
function readElement(view: string, position: NamePosition, found: NameClass, report: Report): number {
  if (view.charAt(position.nameStart - 1) !== "<") return 0;
  const start = position.valueStart + gapLength(view, position.valueStart);
  const close = view.slice(start, start + MAX_ELEMENT_CHARS).indexOf("</");
  if (close <= 0) return 0;
  const value: ReadValue = { start, end: start + view.slice(start, start + close).trimEnd().length };
  return reported(view, value, acceptsQuoted(classifiedText(view, value), found, position), report);
}

function acceptsQuoted(value: string, found: NameClass, position: NamePosition): boolean {
  if (isPlaceholder(value)) return false;
  if (found === "code") return /^[A-Za-z0-9-]{4,24}$/.test(value) && /\d/.test(value);
  if (found === "weak") return looksRandom(value) && !isCount(position.name);
  return !(isIdentifier(value) && namesSecret(value) && value.length < 16);
}

function acceptsRandom(value: string, found: NameClass, position: NamePosition): boolean {
  return acceptsQuoted(value, found, position) && looksRandom(value);
}

function acceptsPlain(view: string, value: ReadValue, found: NameClass, position: NamePosition): boolean {
  const written = classifiedText(view, value);
  const isAssignment = position.separator === "=" || position.startsLine || position.isNameQuoted;
  const isWord = isIdentifier(written);
  // Cheap checks first: most values are words.
  if (
    found === "weak" ? !looksRandom(written) : found === "strong" && !isAssignment && !isWord && !looksRandom(written)
  )
    return false;
  if (isWord && !acceptsWord(view, written, value, found, position)) return false;
  if (isVariable(view, written, value, position)) return false;
  const isNumber = /^\d+$/.test(written);
  if (isNumber && isCount(position.name)) return false;
  if (isPlaceholder(written) && !(isNumber && written.length >= 4)) return false;
  // A truncated example such as `sk-ant-...`.
  if (written.length < 16 && /^(?:\.{3}|…)/.test(view.slice(value.end, value.end + 3))) return false;
  if (found === "code") return /^[A-Za-z0-9-]{4,24}$/.test(written) && /\d{3}|\d.*[a-z]/i.test(written);
  return !isNumber || written.length >= 4;
}

/** `exports.readToken2 = readToken2;`: code that passes a variable on. */
function isVariable(view: string, written: string, { end }: ReadValue, { name, isTight }: NamePosition): boolean {
  if (isTight || !/^[A-Za-z_$][\w$]*$/.test(written)) return false;
  if (name.endsWith(written)) return true;
  return /^[;,)|]/.test(view.charAt(end)) && /[a-z]{4}/.test(written) && /secret|token|passw|key|auth/i.test(written);
}

/**
 * For values of letters only: rejects words of a sentence and variables in code, unless they are the complete value of
 * an assignment.
 */
function acceptsWord(
  view: string,
  written: string,
  value: ReadValue,
  found: NameClass,
  position: NamePosition,
): boolean {
  if (isMixedCase(written)) return true;
  if (found !== "strong" || namesSecret(written)) return false;
  if (position.separator === "=") return position.isTight;
  return position.startsLine && /^[ \t]*(?:\n|$|["'])/.test(view.slice(value.end, value.end + 10));
}

function isCloser(code: number): boolean {
  return CLOSERS[code] === 1;
}

/** The end of the name before a separator and its closing characters; 0 if there is no name. */
function findNameEnd(view: string, separatorAt: number): number {
  const separator = view.charCodeAt(separatorAt);
  let end = separatorAt;
  if (separator === OPEN_PARENTHESIS || separator === GREATER_THAN)
    return isNameChar(view.charCodeAt(end - 1)) ? end : 0;
  if (separator === COMMA) {
    if (!isQuote(view.charCodeAt(end - 1))) return 0;
  } else {
    while (end > 0 && separatorAt - end < 8 && isSpace(view.charCodeAt(end - 1))) end -= 1;
  }
  for (let count = 0; count < MAX_CLOSERS && end > 0 && isCloser(view.charCodeAt(end - 1)); count += 1) end -= 1;
  return end > 0 && isNameChar(view.charCodeAt(end - 1)) ? end : 0;
}

function namePosition(view: string, separatorAt: number, nameEnd: number, lineStart: number): NamePosition {
  const separator = view.charAt(separatorAt);
  const wordStart = wordStartOf(view, nameEnd);
  const label =
    separator === ":" || separator === "：" || separator === "=" ? labelStart(view, wordStart, nameEnd) : wordStart;
  const afterSeparator = separatorEnd(view, separatorAt);
  const valueStart = skipEmphasis(view, afterSeparator);
  return {
    separator: separator === "：" ? ":" : separator === "＝" ? "=" : separator,
    // Only the method name of a call counts: `t.pass("…")` is not a password.
    name: separator === "(" ? view.slice(wordStart, nameEnd).replace(/^.*\./, "") : view.slice(label, nameEnd),
    nameStart: wordStart,
    nameEnd,
    isNameQuoted: isQuote(view.charCodeAt(nameEnd)) && isQuote(view.charCodeAt(label - 1)),
    startsLine: startsLine(view, lineStart, label),
    lineStart,
    valueStart,
    isTight: nameEnd === separatorAt && valueStart === afterSeparator,
  };
}
function wordStartOf(view: string, nameEnd: number): number {
  let start = nameEnd;
  while (start > 0 && nameEnd - start < MAX_LABEL_CHARS && isNameChar(view.charCodeAt(start - 1))) start -= 1;
  return start;
}
/** Skips separators of several characters, such as `:=` and `=>`. */
function separatorEnd(view: string, separatorAt: number): number {
  let end = separatorAt + 1;
  if ("(,>".includes(view.charAt(separatorAt))) return end;
  while (end - separatorAt < 9 && ":=>~".includes(view.charAt(end)) && end < view.length) end += 1;
  return end;
}
/** Skips spaces and Markdown emphasis before a value. */
function skipEmphasis(view: string, from: number): number {
  let at = skipSpaces(view, from, 16);
  while (at - from < 20 && view.charAt(at) === "*" && view.charAt(at + 1) !== "*") at += 1;
  return view.startsWith("**", at) ? skipSpaces(view, at + 2, 4) : at;
}

/** The start of a label, which may have several words: `mot de passe`, `API key`. */
function labelStart(view: string, wordStart: number, nameEnd: number): number {
  let start = wordStart;
  for (let words = 0; words < 3; words += 1) {
    let before = start - 1;
    if (view.charCodeAt(before) !== SPACE) break;
    while (before > 0 && isNameChar(view.charCodeAt(before - 1)) && nameEnd - before < MAX_LABEL_CHARS) before -= 1;
    if (before === start - 1) break;
    start = before;
  }
  return start;
}

function startsLine(view: string, lineStart: number, nameStart: number): boolean {
  // A quoted string counts as the start of a line.
  if (isQuote(view.charCodeAt(nameStart - 1)) || nameStart - lineStart > 60)
    return isQuote(view.charCodeAt(nameStart - 1));
  return /^[\s"'#/*>+|$-]*(?:(?:export|set|setx|env|ENV|ARG|const|let|var|val|final|static|declare|-e|--env)\s+|env:)*["']*$/.test(
    view.slice(lineStart, nameStart),
  );
}

function isQueryStart(view: string, separator: number, nameEnd: number): boolean {
  if (view.charCodeAt(separator) !== EQUALS) return false;
  let start = nameEnd;
  while (nameEnd - start < 24 && isNameChar(view.charCodeAt(start - 1))) start -= 1;
  return isParameterStart(view.charCodeAt(start - 1));
}

function isParameterStart(code: number): boolean {
  return code === QUESTION_MARK || code === AMPERSAND;
}

function isQueryName(view: string, position: NamePosition): boolean {
  return isParameter(view, position) && SECRET_PARAMETER.test(position.name);
}

/** Letters of every script, digits, and the characters that join them in names. */
function isNameChar(code: number): boolean {
  if (code <= MAX_ASCII) return isAsciiNameChar(code);
  return code >= FIRST_ACCENTED && code < FIRST_FULLWIDTH && !isPunctuation(code) && !isCjkPunctuation(code);
}

const FIRST_ACCENTED = 0xc0;
const FIRST_FULLWIDTH = 0xff00;

function isPunctuation(code: number): boolean {
  return code >= 0x2000 && code <= 0x206f;
}

function isCjkPunctuation(code: number): boolean {
  return code >= 0x3000 && code <= 0x303f;
}
