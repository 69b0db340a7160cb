import type { Repair } from "./repairs.ts";

/** Quotes that a word processor makes of `"`. */
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

/**
 * Decodes the inside of a quoted string. A backslash that JSON does not know stays what it is (`\d+`, `C:\Users`):
 * dropping it silently is how regular expressions and paths get corrupted. In something that starts like a Windows path
 * no backslash is an escape once one of them cannot be.
 */
export function decodeString(raw: string, quote: string, repairs: Set<Repair>): string {
  if (quote === "'") repairs.add("single-quotes");
  else if (quote === CURLY_CLOSE) repairs.add("curly-quotes");
  if (!raw.includes("\\")) {
    if (hasControl(raw)) repairs.add("raw-control-character");
    return raw;
  }
  if (hasControl(raw)) repairs.add("raw-control-character");
  const literal = /^[A-Za-z]:\\(?!\\)/.test(raw) && hasInvalidEscape(raw);
  if (literal) {
    repairs.add("invalid-escape");
    return raw;
  }
  const parts: string[] = [];
  let from = 0;
  for (let i = raw.indexOf("\\"); i !== -1; i = raw.indexOf("\\", i)) {
    parts.push(raw.slice(from, i));
    const next = raw[i + 1];
    if (next === undefined) {
      parts.push("\\");
      from = i + 1;
      break;
    }
    const known = ESCAPES[next];
    if (known !== undefined) {
      parts.push(known);
      i += 2;
    } else if (next === "u" && /^[0-9a-fA-F]{4}$/.test(raw.slice(i + 2, i + 6))) {
      parts.push(String.fromCharCode(Number.parseInt(raw.slice(i + 2, i + 6), 16)));
      i += 6;
    } else if (next === "'") {
      repairs.add(quote === "'" ? "single-quotes" : "escaped-apostrophe");
      parts.push("'");
      i += 2;
    } else if (next === "\n" || next === "\t" || next === "\r") {
      // The model escaped the break itself.
      repairs.add("raw-control-character");
      parts.push(next);
      i += 2;
    } else {
      repairs.add("invalid-escape");
      parts.push("\\", next);
      i += 2;
    }
    from = i;
  }
  parts.push(raw.slice(from));
  return parts.join("");
}

function hasControl(raw: string): boolean {
  for (let i = 0; i < raw.length; i++) if (raw.charCodeAt(i) < 32) return true;
  return false;
}

function hasInvalidEscape(raw: string): boolean {
  for (let i = raw.indexOf("\\"); i !== -1; i = raw.indexOf("\\", i + 2)) {
    const next = raw[i + 1];
    if (next === undefined || !(next in ESCAPES || next === "u")) return true;
    if (next === "u" && !/^[0-9a-fA-F]{4}$/.test(raw.slice(i + 2, i + 6))) return true;
  }
  return false;
}

/** Where the run of blanks that starts at `i` ends. */
export function skipWhitespace(text: string, i: number, limit: number): number {
  while (i < limit) {
    const c = text.charCodeAt(i);
    if (c !== 32 && c !== 10 && c !== 13 && c !== 9 && c !== 160 && c !== 0xfeff) break;
    i += 1;
  }
  return i;
}

/** `end`: the text ended before this was decided; counts as yes when no more text follows. */
export type Closes = "yes" | "no" | "end";

/** What may follow the brackets that follow the last string of an object or list. */
const AFTER_CLOSE = ",<;`|[{/#";

const yes = (is: boolean): Closes => (is ? "yes" : "no");

/**
 * Whether the quote at `at` may end its string. Only punctuation that can follow the string at its position counts; one
 * more step is checked, because code inside a string is full of quotes followed by a comma or a brace.
 */
export function closesString(
  text: string,
  at: number,
  limit: number,
  place: "key" | "object" | "array",
  python: boolean,
): Closes {
  const next = skipWhitespace(text, at + 1, limit);
  if (next >= limit) return "end";
  const c = text[next];
  if (place === "key") return yes(c === ":" || c === "=" || (python && (c === "," || c === "}")));
  if (c === "}" || c === "]" || c === ")") {
    if (place === "object" && c === "]") return "no";
    let after = next;
    let broken = false;
    while (after < limit && "}]) \t\r\n".includes(text[after] as string)) {
      if (text[after] === "\n") broken = true;
      after += 1;
    }
    return after >= limit ? "end" : yes((python && broken) || AFTER_CLOSE.includes(text[after] as string));
  }
  if (c === "<" || c === "/") {
    if (next + 1 >= limit) return "end";
    return yes((c === "<" ? "/|｜" : "/*").includes(text[next + 1] as string));
  }
  if (c === "#") return "yes";
  // Members in the manner of a command line, one per line.
  if (c === "-" && place === "object" && text.slice(at + 1, next).includes("\n"))
    return next + 1 >= limit ? "end" : yes(text[next + 1] === "-");
  // Python writes one string as several.
  if (python && (c === '"' || c === "'") && next > at + 1) return "yes";
  // The comma between two members is lost.
  if (c === '"' && place === "object" && next > at + 1) return startsMember(text, next, limit);
  if (c !== ",") return "no";
  if (place === "array") return "yes";
  return startsMember(text, skipWhitespace(text, next + 1, limit), limit);
}

/** Does `key:` (or the end of the object, or the object that should have followed a lost brace) start here? */
function startsMember(text: string, from: number, limit: number): Closes {
  let at = from;
  // A comma too many changes nothing.
  while (at < limit && at - from < 8 && text[at] === ",") at = skipWhitespace(text, at + 1, limit);
  if (at >= limit) return "end";
  const c = text[at] as string;
  if ("}{)/#".includes(c)) return "yes";
  const stop = Math.min(limit, at + 120);
  let i = at;
  if (c === '"' || c === "'" || c === CURLY_OPEN) {
    const close = c === CURLY_OPEN ? CURLY_CLOSE : c;
    i += 1;
    while (i < stop && text[i] !== close && text[i] !== "\n") i += text[i] === "\\" ? 2 : 1;
    if (i >= stop) return i >= limit ? "end" : "no";
    if (text[i] !== close) return "no";
    i += 1;
  } else {
    while (i < stop && /[\w$.-]/.test(text[i] as string)) i += 1;
    if (i === at) return "no";
  }
  i = skipWhitespace(text, i, limit);
  return i >= limit ? "end" : yes(text[i] === ":" || text[i] === "=");
}
