import { ARGUMENT_KEYS, NAME_KEYS } from "../../model/call-object.ts";
import { CALL_KEYS, LIST_KEYS, NESTED_KEYS } from "../call-shape.ts";
import { skipWhitespace } from "../json/read-string.ts";
import type { Source } from "./payload.ts";

const MAX_STRING = 200;
const MAX_MEMBERS = 8;
/** Limit of nested wrapper objects (`{"tool_calls": [{"function": {…}}]}` has two): unlimited nesting would be quadratic. */
const MAX_NESTING = 8;

/**
 * Checks the first members of an object as long as they could belong to a call to a declared tool, so that ordinary
 * JSON is rejected at its first foreign key. `undefined`: more text is needed.
 */
export function looksLikeCall(source: Source, at: number, listed = false): boolean | undefined {
  let object = { at, listed };
  for (let depth = 0; depth < MAX_NESTING; depth++) {
    const read = membersLookLikeCall(source, object.at, object.listed);
    if (typeof read !== "object") return read;
    object = { at: read.nestedAt, listed: false };
  }
  return false;
}

/** Checks one object. `nestedAt`: the result depends on the object at that index. */
function membersLookLikeCall(
  source: Source,
  at: number,
  listed: boolean,
): boolean | undefined | { readonly nestedAt: number } {
  const { text, final, tools } = source;
  const cut = final ? false : undefined;
  let i = skipWhitespace(text, at + 1, text.length);
  let named = false;
  let lastName = "";
  for (let member = 0; member < MAX_MEMBERS; member++) {
    if (i >= text.length) return cut;
    if (text[i] === "}") return named;
    const key = peekString(source, i);
    if (typeof key !== "object") return key;
    if (!CALL_KEYS.has(key.value))
      return member === 0 && tools.has(key.value) ? true : named && tools.schema(lastName) !== undefined;
    // A list of objects that begin with their type is the declaration of the tools.
    if (listed && member === 0 && key.value === "type") return false;
    i = skipWhitespace(text, key.end, text.length);
    if (i >= text.length) return cut;
    if (text[i] !== ":") return false;
    i = skipWhitespace(text, i + 1, text.length);
    if (i >= text.length) return cut;
    const c = text[i] as string;
    if (c === "{" || c === "[") {
      if (ARGUMENT_KEYS.includes(key.value)) return isSchemaAt(source, i);
      if (c === "{" && NESTED_KEYS.includes(key.value)) return { nestedAt: i };
      if (c === "[" && LIST_KEYS.includes(key.value)) {
        const first = skipWhitespace(text, i + 1, text.length);
        if (first >= text.length) return cut;
        return text[first] === "{" ? { nestedAt: first } : false;
      }
      return false;
    }
    if (c === '"' || c === "'") {
      const value = peekString(source, i);
      if (value === undefined) return undefined;
      if (value === false) return ARGUMENT_KEYS.includes(key.value) || key.value === "content";
      if (key.value === "role" && value.value !== "assistant") return false;
      if (NAME_KEYS.includes(key.value) && !named) {
        if (tools.size > 0 && !tools.has(value.value) && !tools.has(value.value.replace(/^functions\./, "")))
          return false;
        named = true;
        lastName = value.value;
      }
      i = value.end;
    } else {
      while (i < text.length && !",}\n".includes(text[i] as string)) i += 1;
    }
    i = skipWhitespace(text, i, text.length);
    if (i >= text.length) return cut;
    if (text[i] === ",") i = skipWhitespace(text, i + 1, text.length);
    else if (text[i] !== "}") return true;
  }
  return true;
}

/** Arguments that begin like a JSON Schema are the tool's declaration, not a call. */
function isSchemaAt(source: Source, at: number): boolean | undefined {
  const head = source.text.slice(at, at + 60);
  const schema = /^\{\s*"type"\s*:\s*"object"/;
  if (schema.test(head)) return false;
  if (
    head.length < 60 &&
    !source.final &&
    /^\{\s*(?:"(?:t(?:y(?:p(?:e(?:"\s*(?::\s*(?:"[objects]{0,6})?)?)?)?)?)?)?)?$/.test(head)
  )
    return undefined;
  return true;
}

/** A short quoted word. `false`: not one. `undefined`: the text ends in it. */
function peekString(source: Source, at: number): { readonly value: string; readonly end: number } | false | undefined {
  const quote = source.text[at];
  if (quote !== '"' && quote !== "'") return false;
  const stop = Math.min(source.text.length, at + MAX_STRING);
  for (let i = at + 1; i < stop; i++) {
    const c = source.text[i];
    if (c === quote) return { value: source.text.slice(at + 1, i), end: i + 1 };
    if (c === "\n" || c === "\\") return false;
  }
  return stop === source.text.length && !source.final ? undefined : false;
}
