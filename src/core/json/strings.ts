import type { Text } from "../text/cursor.ts";
import type { Repair } from "./values.ts";

/** Quotes that word processors substitute for `"`. */
export const CURLY_OPEN = "“";
export const CURLY_CLOSE = "”";

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const HEX4 = /^[0-9a-fA-F]{4}$/;

/**
 * Decodes the inside of a quoted string. Unknown escapes keep their backslash (`\d+`, `C:\Users`): dropping it would
 * corrupt regular expressions and paths. In a string that starts like a Windows path, no backslash is an escape if one
 * of them cannot be.
 */
export function decodeString(raw: string, quote: string, repairs: Set<Repair>): string {
  if (quote === "'") repairs.add("single-quotes");
  else if (quote === CURLY_CLOSE) repairs.add("curly-quotes");
  if (hasControl(raw)) repairs.add("raw-control-character");
  if (!raw.includes("\\")) return raw;
  if (/^[A-Za-z]:\\(?!\\)/.test(raw) && hasInvalidEscape(raw)) {
    repairs.add("invalid-escape");
    return raw;
  }
  const parts: string[] = [];
  let from = 0;
  for (let i = raw.indexOf("\\"); i !== -1; i = raw.indexOf("\\", from)) {
    parts.push(raw.slice(from, i));
    const next = raw[i + 1];
    if (next === "u" && HEX4.test(raw.slice(i + 2, i + 6))) {
      parts.push(String.fromCharCode(Number.parseInt(raw.slice(i + 2, i + 6), 16)));
      from = i + 6;
    } else {
      parts.push(next === undefined ? "\\" : (ESCAPES[next] ?? otherEscape(next, quote, repairs)));
      from = Math.min(i + 2, raw.length);
    }
  }
  parts.push(raw.slice(from));
  return parts.join("");
}

function otherEscape(next: string, quote: string, repairs: Set<Repair>): string {
  if (next === "'") {
    repairs.add(quote === "'" ? "single-quotes" : "escaped-apostrophe");
    return "'";
  }
  // The model escaped the break itself.
  const isBreak = next === "\n" || next === "\t" || next === "\r";
  repairs.add(isBreak ? "raw-control-character" : "invalid-escape");
  return isBreak ? next : `\\${next}`;
}

function hasControl(raw: string): boolean {
  for (let i = 0; i < raw.length; i++) if (raw.charCodeAt(i) < 32) return true;
  return false;
}

function hasInvalidEscape(raw: string): boolean {
  for (let i = raw.indexOf("\\"); i !== -1; i = raw.indexOf("\\", i + 2)) {
    const next = raw[i + 1];
    if (next === undefined || !(next in ESCAPES || next === "u")) return true;
    if (next === "u" && !HEX4.test(raw.slice(i + 2, i + 6))) return true;
  }
  return false;
}

/**
 * The position of a string: a key, a value in an object or list, or a value that blanks separate from the next pair.
 */
export type Place = "key" | "object" | "array" | "pair";

/** What may follow the closing brackets after the last string of an object or list. */
const AFTER_CLOSE = ",<;`|[{/#";

/**
 * Whether the quote at `at` may end its string. Only punctuation that can follow the string at its position counts; one
 * more step is checked, because code inside a string is full of quotes followed by a comma or a brace.
 */
export function closesString(source: Text, at: number, place: Place, python: boolean): boolean {
  if (place === "pair") return /[\s,\]<`]|^$/.test(source.at(at + 1));
  const next = source.skipBlanks(at + 1);
  const c = source.at(next);
  if (c === "") return true;
  if (place === "key") return ":={[".includes(c) || (python && (c === "," || c === "}"));
  if ("}])".includes(c)) return (place !== "object" || c !== "]") && closesValue(source, next, python);
  if (c === ",") return place === "array" || startsMember(source, source.skipBlanks(next + 1));
  if (c === '"' || c === "'") {
    // Python joins adjacent strings; elsewhere the comma between two members may be missing.
    const isNextMember = c === '"' && place === "object";
    return next > at + 1 && (python || (isNextMember && startsMember(source, next)));
  }
  return opensOther(source, at, next, place);
}

/** Whether a tag, a comment, or a command-line option follows the string. */
function opensOther(source: Text, at: number, next: number, place: Place): boolean {
  switch (source.at(next)) {
    case "<":
      return "/|｜".includes(source.at(next + 1));
    case "/":
      return "/*".includes(source.at(next + 1));
    case "#":
      return true;
    case "-":
      return place === "object" && source.text.slice(at + 1, next).includes("\n") && "-".includes(source.at(next + 1));
    default:
      return false;
  }
}

/** Whether what follows the closing brackets at `from` can follow a value. */
function closesValue(source: Text, from: number, python: boolean): boolean {
  let isBroken = false;
  for (let i = from; ; i++) {
    const c = source.at(i);
    if (c === "\n") isBroken = true;
    if (c === "" || !"}]) \t\r\n".includes(c)) return (python && isBroken) || AFTER_CLOSE.includes(c);
  }
}

const MAX_KEY_CHARS = 120;

/** Whether `key:` (or the end of the object, or the object that should have followed a lost brace) starts here. */
function startsMember(source: Text, from: number): boolean {
  let at = from;
  // An extra comma changes nothing.
  while (at - from < 8 && source.at(at) === ",") at = source.skipBlanks(at + 1);
  const c = source.at(at);
  if (c === "" || "}{)/#".includes(c)) return true;
  const isQuoted = c === '"' || c === "'" || c === CURLY_OPEN;
  const end = isQuoted
    ? quotedKeyEnd(source, at, c === CURLY_OPEN ? CURLY_CLOSE : c)
    : source.skipWhile(at, MAX_KEY_CHARS, isKeyChar);
  if (end === at) return false;
  const assign = source.at(source.skipBlanks(end));
  return assign === "" || assign === ":" || assign === "=";
}

/** The end of the quoted key at `at`, or `at` if it is not a key. The text may end with the key. */
function quotedKeyEnd(source: Text, at: number, close: string): number {
  let i = at + 1;
  while (i - at < MAX_KEY_CHARS && source.at(i) !== close && source.at(i) !== "\n" && source.at(i) !== "")
    i += source.at(i) === "\\" ? 2 : 1;
  if (source.at(i) === "") return i;
  return i - at >= MAX_KEY_CHARS || source.at(i) !== close ? at : i + 1;
}

/** A name as in JavaScript or Python, or one with dots and dashes. */
function isKeyChar(c: number): boolean {
  return /[\w$.-]/.test(String.fromCharCode(c));
}
