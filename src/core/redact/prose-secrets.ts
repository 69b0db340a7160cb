import { DASH, isAsciiNameChar, isQuote, SPACE } from "../text/char-codes.ts";
import { classifiedText, readPlain, readQuoted, reportValue } from "./read-value.ts";
import { classifyName } from "./secret-names.ts";
import { isPlaceholder, looksRandom } from "./secret-values.ts";
import type { Source } from "./span.ts";
import { isMark, type Report } from "./span.ts";

/** Finds secrets in sentences, prompts and protocols, where no separator divides the name from the value. */
export function findProseSecrets(source: Source, report: Report): void {
  const reportUnlessMark: Report = (start, end) => {
    if (end > start && !isMark(source.text, start)) report(start, end);
  };
  for (const stem of STEMS) findStem(source, stem, reportUnlessMark);
  findCodes(source, reportUnlessMark);
  findProtocols(source, reportUnlessMark);
}

/** Stems of secret names to search for. */
const STEMS = ["pass", "pwd", "secret", "token", "key", "psk", "_pw", "_auth", "masterauth", "kennwort"] as const;
/**
 * A name, optionally a short verb, and the value: `--password x`, `password x`, `The password is x`, `API key provided:
 * x`.
 */
const ADJACENT =
  /(passw(?:or)?ds?|passwort|passphrase|passcode|kennwort|pwd|pass|secret|token|key|psk|_pw|(?:_|master)auth)["'`]{0,8}(?:[ \t]{1,8}(?:is|was|are|set to|changed to|reset to|will be|provided:?|used:?|=|:|\d))?[ \t]{1,8}["'`]{0,8}(?=[^\s"'`])/iy;
/** Input after a prompt: `Password for user bob: …`. */
const PROMPT =
  /(?:passw(?:or)?d|passphrase|passcode|passwort)\b[^\n:=]{0,80}[:=][ \t]{1,8}([^\s"'`]{4,200})[ \t]{0,8}(?=\n|$|["'`])/iy;

function findStem(source: Source, stem: string, report: Report): void {
  const { view, lower } = source;
  for (let at = lower.indexOf(stem); at !== -1; at = lower.indexOf(stem, at + stem.length)) {
    ADJACENT.lastIndex = at;
    const adjacent = ADJACENT.exec(view);
    if (adjacent !== null) readAdjacent(source, at + (adjacent[1]?.length ?? 0), ADJACENT.lastIndex, report);
    if (stem !== "pass") continue;
    PROMPT.lastIndex = at;
    const value = PROMPT.exec(view)?.[1];
    if (value === undefined || isPlaceholder(value) || !looksRandom(value)) continue;
    const start = at + view.slice(at, PROMPT.lastIndex).lastIndexOf(value);
    report(start, start + value.length);
  }
}

function readAdjacent({ text, view }: Source, nameEnd: number, at: number, report: Report): void {
  const value = isQuote(view.charCodeAt(at - 1)) ? readQuoted(text, lastQuoteStart(view, at)) : readPlain(view, at);
  if (value === undefined || isMark(text, at)) return;
  const written = classifiedText(view, value);
  const wordStart = nameStart(view, nameEnd);
  const isOption = view.charCodeAt(wordStart) === DASH;
  // Cheap check first: this is nearly always the next word of a sentence.
  if (!isOption && !looksRandom(written)) return;
  const found = classifyName(
    isOption ? view.slice(wordStart, nameEnd).replace(/^-+/, "") : labelBefore(view, wordStart, nameEnd),
  );
  if (found === undefined) return;
  if (isPlaceholder(written) || (written.startsWith("-") && written.length < 32) || /[()]/.test(written)) return;
  if (/^[A-Za-z_][\w.-]{0,40}[=:]/.test(written) && !isOption) return;
  if (isOption ? acceptsOption(written, found) : isUnlikeWord(written, found, isStated(view, nameEnd, at)))
    reportValue(view, value, report);
}

function lastQuoteStart(view: string, at: number): number {
  let start = at - 1;
  const quote = view.charAt(start);
  while (view.charAt(start - 1) === quote) start -= 1;
  return start;
}

const MAX_NAME_CHARS = 60;

/** The start of the word that ends at `nameEnd`, including the dashes of an option. */
function nameStart(view: string, nameEnd: number): number {
  let start = nameEnd;
  while (start > 0 && nameEnd - start < MAX_NAME_CHARS && isAsciiNameChar(view.charCodeAt(start - 1))) start -= 1;
  return start;
}

/** The word and up to two words before it: `API key`, `mot de passe`. */
function labelBefore(view: string, wordStart: number, nameEnd: number): string {
  let start = wordStart;
  for (let words = 0; words < 2 && view.charCodeAt(start - 1) === SPACE; words += 1) start = nameStart(view, start - 1);
  return view.slice(start, nameEnd);
}

function acceptsOption(written: string, found: string): boolean {
  if (/^[A-Z_]+$/.test(written)) return false;
  return found === "strong" || looksRandom(written) || (written.length >= 8 && !/^[a-z]+$/.test(written));
}

/**
 * True for a sentence that gives the value (`The password is …`, `with password …`), so that even a word followed by a
 * number counts.
 */
function isStated(view: string, nameEnd: number, valueStart: number): boolean {
  const verb = view.slice(nameEnd, valueStart);
  const before = view.slice(Math.max(0, nameEnd - 40), nameEnd);
  return (
    /\b(?:is|was|are|to|be)\b|[=:]/.test(verb) || /\b(?:with|and|using|use)\s+(?:the\s+)?[a-z]{2,12}$/i.test(before)
  );
}

function isUnlikeWord(written: string, found: string, isStated: boolean): boolean {
  if (/^[\d.,:/-]+$|[|<>{}]/.test(written)) return false;
  if (!isStated && /^[a-z]+-?\d{1,2}$/.test(written)) return false;
  if (/^#?\d/.test(written) && /^#?\d+[a-z]{0,2}$/i.test(written)) return false;
  return found === "strong" || (written.length >= 16 && /\d/.test(written));
}

const CODE_WORDS = ["otp", "code", "time password", "time pin", "pin is", "pin:"] as const;
/** Qualifiers in front of words such as `code` and `pin`. */
const CODE_KIND =
  /(?:one[- ]time|verification|security|2fa|mfa|two[- ]factor|authentication|authenticator|login|sign[- ]?in|confirmation|recovery|backup|sms)[ -](?:pass)?$|one[- ]$|\bpass$|\b(?:use|enter|type|with) (?:the |this )?$|\b(?:my|your|the) $/i;
const CODE_AFTER_WORD =
  /(?:otp|codes?|time p(?:assword|in)|pin)\b[^\n\d[\]{},]{0,24}?\b(\d{4,8}|[a-z0-9]{4,8}-[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){0,6})\b/iy;
const CODE_BEFORE_WORD = /\b(?:[A-Z]-)?(\d{4,8}) is your [^\n]{0,40}$/i;

const CODE_LIST =
  /(?:recovery|backup)[ _-]codes?[^\n]{0,20}\n(\s{0,40}(?:[a-z0-9]{4,10}[- ][a-z0-9]{4,10}(?:[- ][a-z0-9]{4,10}){0,3}\s{1,40}|[0-9]{6,10}\s{1,40}){0,19}(?:[a-z0-9]{4,10}[- ][a-z0-9]{4,10}(?:[- ][a-z0-9]{4,10}){0,3}|[0-9]{6,10}))/gi;

function findCodes(source: Source, report: Report): void {
  const { view, lower } = source;
  findCodeLists(source, report);
  for (const word of CODE_WORDS)
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length)) {
      CODE_AFTER_WORD.lastIndex = at;
      const value = CODE_AFTER_WORD.exec(view)?.[1];
      const before = view.slice(Math.max(0, at - 64), at);
      const isOtp = word === "otp" && !/\w$/.test(before);
      const isRecovery = /(?:recovery|backup) $/i.test(before) && value?.includes("-");
      if (value !== undefined && (isRecovery || (/\d/.test(value) && (isOtp || CODE_KIND.test(before)))))
        report(CODE_AFTER_WORD.lastIndex - value.length, CODE_AFTER_WORD.lastIndex);
      const first = CODE_BEFORE_WORD.exec(before);
      if (first?.[1] === undefined) continue;
      const start = at - before.length + first.index + first[0].indexOf(first[1]);
      report(start, start + first[1].length);
    }
}
function findCodeLists({ view, lower }: Source, report: Report): void {
  if (!lower.includes("recovery") && !lower.includes("backup")) return;
  for (const match of view.matchAll(CODE_LIST)) {
    const list = (match[1] ?? "").trimStart();
    if (/\d/.test(list)) report(match.index + match[0].length - list.length, match.index + match[0].length);
  }
}

/** A protocol line, or a pair of user and password: the word to search for, what must precede it, and the pattern. */
interface Protocol {
  readonly word: string;
  readonly before?: RegExp;
  readonly pattern: RegExp;
  /** The syntax alone identifies the value as a secret. */
  readonly isCertain?: true;
}

const PROTOCOLS: readonly Protocol[] = [
  { word: "pass ", before: /(?:^|[\n"'`>:-])[ \t]{0,20}$/, pattern: /PASS ([^\s"'`]{3,200})(?=\s|$|["'`])/y },
  {
    word: "login ",
    before: /(?:^|\W)[A-Za-z]{0,8}\d{1,6} $/,
    pattern: /LOGIN ["']{0,8}[^\s"']{1,100}["']{0,8} ["']{0,8}([^\s"']{3,200})/y,
  },
  { word: "auth ", before: /(?:^|\W)$/, pattern: /AUTH (?:PLAIN|LOGIN|CRAM-MD5|XOAUTH2) ([A-Za-z0-9+/=]{8,2000})/y },
  { word: "auth", before: /["']$/, pattern: /AUTH["']{1,8} {1,4}["']{1,8}([^\s"']{3,200})/iy },
  { word: "identify ", before: /(?:^|\W)$/, pattern: /IDENTIFY (?:\S{1,40} )?([^\s"'`]{4,200})/iy },
  {
    word: "login",
    before: /(?:^|\W)$/,
    pattern: /login\b[^\n]{0,30}?\b[\w.@-]{1,60} {0,2}\/ {0,2}([^\s"'`/]{4,200})/iy,
  },
  {
    word: "log in",
    before: /(?:^|\W)$/,
    pattern: /log in\b[^\n]{0,30}?\b[\w.@-]{1,60} {0,2}\/ {0,2}([^\s"'`/]{4,200})/iy,
  },
  {
    word: "cred",
    before: /(?:^|\W)$/,
    pattern: /cred(?:ential)?s?\b[^\n]{0,30}?\b[\w.@-]{1,60} {0,2}\/ {0,2}([^\s"'`/]{4,200})/iy,
  },
  {
    word: "identified ",
    pattern: /identified (?:with \S{1,60} )?(?:by|as) (?:password )?["']{1,8}([^"'\n]{1,200})/iy,
    isCertain: true,
  },
  {
    word: "convertto-securestring",
    pattern: /ConvertTo-SecureString(?: -String)? {1,4}["']{1,8}([^"'\n]{1,200})/iy,
    isCertain: true,
  },
  {
    word: "send",
    before: /(?:^|\W)$/,
    pattern: /send(?:_user)? (?:-- )?["']{1,8}([^"'\n\\]{4,200}?)(?:\\{1,4}[rn]|\n|["'])/y,
  },
];

function findProtocols({ view, lower }: Source, report: Report): void {
  for (const { word, before, pattern, isCertain } of PROTOCOLS)
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length)) {
      pattern.lastIndex = at;
      const match = pattern.exec(view);
      if (match === null || (before !== undefined && !before.test(view.slice(Math.max(0, at - 32), at)))) continue;
      const value = match[1] ?? "";
      const start = at + match[0].lastIndexOf(value);
      if (!isPlaceholder(value) && (isCertain || looksRandom(value))) report(start, start + value.length);
    }
}
