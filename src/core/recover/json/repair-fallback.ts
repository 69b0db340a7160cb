import { jsonrepair } from "jsonrepair";
import type { Json } from "../../model/tool-call.ts";

/** Larger bodies than this are not worth a last guess. */
const CAP = 64 * 1024;

/**
 * The last resort for a body that its closer delimits: jsonrepair. Never for text with a backslash, which it would
 * drop or reinterpret without a word (`"\d+"`, `"C:\Users"`), and never for large text.
 */
export function repairDelimited(body: string): Json | undefined {
  if (body.length > CAP || body.includes("\\") || !looksWhole(body.trim())) return undefined;
  try {
    const value = JSON.parse(jsonrepair(body)) as Json;
    return saysTheSame(body, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Are all letters and digits still there, in their order, and every string whole? Comments do not count. */
function saysTheSame(body: string, value: Json): boolean {
  const written = body.replace(/\/\*[^*]*\*\//g, "");
  return letters(written) === letters(JSON.stringify(value)) && keepsStrings(written, value);
}

/** Only keys and words without quotes may be new strings. */
function keepsStrings(written: string, value: Json): boolean {
  const quoted = written.split('"').filter((_, index) => index % 2 === 1);
  let kept = 0;
  for (const text of stringsOf(value)) {
    if (quoted[kept] === text) kept += 1;
    else if (!/^[\w.$-]+$/.test(text)) return false;
  }
  return kept === quoted.length;
}

/** Keys and strings in their order. */
function* stringsOf(value: Json): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) yield* stringsOf(item);
  else if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      yield key;
      yield* stringsOf(inner);
    }
}

function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

/**
 * Only something that also ends like JSON and in which every string is closed and every key has a value: closing a string
 * or filling in a value for the model would make up an argument.
 */
function looksWhole(body: string): boolean {
  if ((body[0] !== "{" && body[0] !== "[") || (body.at(-1) !== "}" && body.at(-1) !== "]")) return false;
  let inString = false;
  let afterColon = false;
  for (const c of body) {
    if (c === '"') inString = !inString;
    else if (inString || isBlank(c)) continue;
    // An empty value, or an ellipsis in place of one.
    else if (afterColon && "}],.".includes(c)) return false;
    afterColon = c === ":" && !inString;
  }
  return !inString;
}

function isBlank(c: string): boolean {
  return c === " " || c === "\n" || c === "\r" || c === "\t";
}
