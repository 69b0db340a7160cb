import { isLetter, isQuote } from "../text/char-codes.ts";
import { classifiedText, type ReadValue, readPlain, readQuoted, reportValue, skipSpaces } from "./read-value.ts";
import { classifyName } from "./secret-names.ts";
import { isPlaceholder, looksRandom } from "./secret-values.ts";
import type { Source } from "./span.ts";
import { isMark, type Report } from "./span.ts";

/** Keys whose value is a name: `{"name": "DB_PASSWORD", "value": "…"}`. */
const PARTNERS: ReadonlySet<string> = new Set(
  "name key variable var field header env parameter param option attribute property setting id label".split(" "),
);
const MAX_PARTNER_CHARS = 9;
const PARTNER_ENDS = new Uint8Array(128);
for (const name of PARTNERS) PARTNER_ENDS[name.charCodeAt(name.length - 1)] = 1;

export function isPartnerName(lower: string, nameEnd: number): boolean {
  if (PARTNER_ENDS[lower.charCodeAt(nameEnd - 1) & 127] !== 1) return false;
  let start = nameEnd;
  while (start > 0 && nameEnd - start <= MAX_PARTNER_CHARS && isLetter(lower.charCodeAt(start - 1))) start -= 1;
  const length = nameEnd - start;
  if (length < 2 || length > MAX_PARTNER_CHARS || !PARTNERS.has(lower.slice(start, nameEnd))) return false;
  return start === 0 || !/[\w.$-]/.test(lower.charAt(start - 1));
}

/** Maximum distance between a name and its value. */
const MAX_DISTANCE_CHARS = 400;
const VALUE_KEY =
  /(?<![A-Za-z0-9_-])(?:value|val|default|content|plaintext|current|secretString)["'`\]]{0,12}[ \t]{0,8}[:=]{1,2}[ \t]{0,16}/i;
const END_OF_ENTRY = /[}\]]|\n[ \t]{0,40}-[ \t]|(?<![A-Za-z0-9_-])(?:name|key)["'`]{0,12}[ \t]{0,8}[:=]/i;

interface Name {
  readonly name: string;
  readonly nameStart: number;
  readonly valueStart: number;
}

/**
 * Reads the name given by a key such as `name`. If it names a secret, reports the value next to it, after or before it
 * in the same entry. An empty `name` means that the value is a secret and is inside the object. Returns the position to
 * continue at.
 */
export function findPartner(text: string, view: string, { name, nameStart, valueStart }: Name, report: Report): number {
  const isObject = name === "";
  let isWeak = false;
  let after = valueStart + (isObject ? 1 : 0);
  if (!isObject) {
    const named = isQuote(view.charCodeAt(valueStart)) ? readQuoted(text, valueStart) : readPlain(view, valueStart);
    if (named === undefined || named.end - named.start > 80) return 0;
    const found = classifyName(view.slice(named.start, named.end));
    if (found === undefined) return 0;
    isWeak = found !== "strong";
    after = named.end;
    if (readFormField(view, after, report)) return 0;
  }
  const following = view.slice(after, after + MAX_DISTANCE_CHARS);
  const stop = following.search(END_OF_ENTRY);
  if (readValueKey(text, view, after, stop === -1 ? following.length : stop, report, { isWeak })) return 0;
  if (isObject) return 0;
  const from = Math.max(0, nameStart - MAX_DISTANCE_CHARS);
  const preceding = view.slice(from, nameStart);
  const start = Math.max(preceding.lastIndexOf("{"), preceding.lastIndexOf("- "), preceding.lastIndexOf("<")) + 1;
  if (start > 0)
    readValueKey(text, view, from + start, preceding.length - start, report, { isWeak, before: nameStart });
  return 0;
}

function readValueKey(
  text: string,
  view: string,
  from: number,
  length: number,
  report: Report,
  { before = view.length, isWeak = false }: { readonly before?: number; readonly isWeak?: boolean } = {},
): boolean {
  const key = VALUE_KEY.exec(view.slice(from, from + length));
  if (key === null) return false;
  const at = from + key.index + key[0].length;
  if (isMark(text, at) || isMark(text, at + 1)) return true;
  const value = valueAt(text, view, at);
  // The name is part of the value, so it does not describe the value.
  if (value === undefined || value.end > before) return false;
  const written = classifiedText(view, value);
  if (!isPlaceholder(written) && !isMark(text, value.start) && (!isWeak || looksRandom(written)))
    reportValue(view, value, report);
  return true;
}

function valueAt(text: string, view: string, at: number): ReadValue | undefined {
  return isQuote(view.charCodeAt(at)) ? readQuoted(text, at) : readPlain(view, at);
}

/** Reads a field of a multipart form: the value is the line after an empty one. */
function readFormField(view: string, after: number, report: Report): boolean {
  const head = /^["']{0,8}[^\n]{0,80}\n[\s]{0,16}/.exec(view.slice(after, after + 120))?.[0];
  if (head === undefined || !view.slice(Math.max(0, after - 120), after).includes("form-data")) return false;
  const start = skipSpaces(view, after + head.length, 8);
  const value = readPlain(view, start);
  if (value === undefined || view.charAt(start) === "[" || !looksRandom(classifiedText(view, value))) return false;
  reportValue(view, value, report);
  return true;
}

const DECLARED = /(?<![A-Za-z0-9_])variable\s{1,4}["']{1,8}([\w-]{1,80})["']{1,8}\s{0,8}\{/g;

/** Finds Terraform variables: `variable "db_password" { default = "…" }`. */
export function findDeclaredVariables({ text, view }: Source, report: Report): void {
  if (!view.includes("variable ")) return;
  for (const match of view.matchAll(DECLARED)) {
    if (classifyName(match[1] ?? "") === undefined) continue;
    const after = match.index + match[0].length;
    const end = view.slice(after, after + MAX_DISTANCE_CHARS).indexOf("}");
    readValueKey(text, view, after, end === -1 ? MAX_DISTANCE_CHARS : end, report);
  }
}
