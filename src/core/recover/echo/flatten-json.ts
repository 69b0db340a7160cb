import { isPlainObject } from "../../json/values.ts";
import { writtenCall } from "../../model/call-object.ts";
import type { Json } from "../../model/tool-call.ts";
import { decodeEscapes } from "./decode.ts";

/** Nesting of JSON in strings of JSON; logs are not deeper. */
const MAX_LEVELS = 4;
/** Shorter than any call. */
const MIN_CHARS = 12;

/**
 * Returns the strings of a JSON text, each on separate lines. The strings of a list are joined, because a notebook
 * stores a cell as a list of lines. An object in the shape of a call is kept. Returns undefined if neither the text nor
 * any of its lines is JSON.
 */
export function flattenJson(text: string): string | undefined {
  const whole = parseStructure(text);
  if (whole !== undefined) return linesOf(whole).join("\n");
  if (!text.includes("\n")) return undefined;
  let isAny = false;
  const lines = text.split("\n").map((line) => {
    const value = parseStructure(line);
    if (value === undefined) return line;
    isAny = true;
    return linesOf(value).join("\n");
  });
  return isAny ? lines.join("\n") : undefined;
}

/** A string literal of JSON and most languages. */
const STRING = /"((?:[^"\\]|\\[\s\S])*)"/g;

/**
 * Returns the strings of a JSON fragment, unescaped and each on separate lines, or undefined if none can contain a
 * call.
 */
export function quotedStrings(text: string): string | undefined {
  if (!/\\["n]|",\s*"/.test(text)) return undefined;
  const strings = [...text.matchAll(STRING)]
    .map(([, inner = ""]) => inner)
    .filter((inner) => inner.length >= MIN_CHARS);
  return strings.length === 0 ? undefined : decodeEscapes(strings.join("\n"));
}

/** Parses an object or a list. Returns undefined for everything else, and for texts that would take too long. */
function parseStructure(text: string): Json | undefined {
  if (text.length < MIN_CHARS) return undefined;
  const inner = text.trim();
  const [first, last] = [inner[0], inner.at(-1)];
  if (!(first === "{" && last === "}") && !(first === "[" && last === "]") && !(first === '"' && last === '"'))
    return undefined;
  try {
    return JSON.parse(inner) as Json;
  } catch {
    return undefined;
  }
}

function linesOf(root: Json): readonly string[] {
  const lines: string[] = [];
  const stack: { readonly value: Json; readonly level: number }[] = [{ value: root, level: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, level } = next;
    if (typeof value === "string") {
      const inner = level < MAX_LEVELS ? parseStructure(value) : undefined;
      if (inner === undefined) lines.push(value);
      else stack.push({ value: inner, level: level + 1 });
    } else if (Array.isArray(value)) {
      if (value.length > 0 && value.every((item) => typeof item === "string")) lines.push(joinLines(value));
      else for (let at = value.length - 1; at >= 0; at -= 1) stack.push({ value: value[at] as Json, level });
    } else if (isPlainObject(value)) {
      const call = writtenCall(value);
      if (call !== undefined) lines.push(call);
      else for (const inner of Object.values(value).reverse()) stack.push({ value: inner, level });
    }
  }
  return lines;
}

/** Some lists of lines include the line breaks and some do not. */
function joinLines(lines: readonly string[]): string {
  return lines.map((line) => (line.endsWith("\n") ? line : `${line}\n`)).join("");
}
