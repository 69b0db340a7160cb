import { ARGUMENT_KEYS } from "../../model/call-object.ts";
import { CALL_KEYS, LIST_KEYS, NAME_KEYS, NESTED_KEYS, TOOLS_CALL } from "../call-shape.ts";
import { cleanName } from "../tools.ts";
import type { Source } from "./payload.ts";

const MAX_STRING = 200;
const MAX_MEMBERS = 8;
/** Limit of nested wrapper objects (`{"tool_calls": [{"function": {…}}]}` has two): unlimited nesting would be quadratic. */
const MAX_NESTING = 8;
const SCHEMA = /^\{\s*"type"\s*:\s*"object"/;
const MAX_SCHEMA_HEAD = 60;

/**
 * Checks the first members of an object as long as they could belong to a call to a declared tool, so that ordinary
 * JSON is rejected at its first foreign key.
 */
export function looksLikeCall(source: Source, at: number): boolean {
  let object = at;
  for (let depth = 0; depth < MAX_NESTING; depth++) {
    const found = peekObject(source, object);
    if (typeof found === "boolean") return found;
    object = found;
  }
  return false;
}

/** Whether the object at `at` looks like a call. A number: the object there decides. */
function peekObject(source: Source, at: number): boolean | number {
  let name: string | undefined;
  let i = source.skipBlanks(at + 1);
  for (let member = 0; member < MAX_MEMBERS; member++) {
    if (source.at(i) === "}") return name !== undefined;
    const key = shortString(source, i);
    if (key === undefined) return false;
    if (!CALL_KEYS.has(key.text)) return isArgumentKey(source, key.text, name, member);
    const colon = source.skipBlanks(key.end);
    if (source.at(colon) !== ":") return false;
    i = source.skipBlanks(colon + 1);
    if ("{[".includes(source.at(i))) return peekStructure(source, i, key.text, name);
    const value = peekScalar(source, i);
    if (value === undefined) return ARGUMENT_KEYS.includes(key.text) || key.text === "content";
    const named = name === undefined ? nameIn(key.text, value) : undefined;
    if (isForeign(source, key.text, value.text, named)) return false;
    name ??= named;
    i = source.skipBlanks(value.end);
    if (source.at(i) === ",") i = source.skipBlanks(i + 1);
    else if (source.at(i) !== "}") return source.at(i) !== "";
  }
  return true;
}

/** JSON-RPC: a tool is called by its name, or by MCP's method, which has the call in its parameters. */
function nameIn(key: string, { text, isText }: Scalar): string | undefined {
  const isMethod = key === "method" && text === TOOLS_CALL;
  return isText && NAME_KEYS.includes(key) && !isMethod ? text : undefined;
}

/** Whether the member belongs to the message of another role, or names a tool that is not declared. */
function isForeign({ tools }: Source, key: string, text: string, name: string | undefined): boolean {
  if (key === "role" && text !== "assistant") return true;
  return name !== undefined && tools.size > 0 && !tools.has(cleanName(name, tools)?.name ?? "");
}

/** Whether a key that is none of a call's can be an argument beside the name, or the name itself. */
function isArgumentKey(source: Source, key: string, name: string | undefined, member: number): boolean {
  if (member === 0 && source.tools.has(key)) return true;
  return name !== undefined && source.tools.schema(cleanName(name, source.tools)?.name ?? "") !== undefined;
}

function peekStructure(source: Source, at: number, key: string, name: string | undefined): boolean | number {
  const isObject = source.at(at) === "{";
  if (key === "params" && isObject && name === undefined) return at;
  if (ARGUMENT_KEYS.includes(key)) {
    // Arguments that begin like a JSON Schema are the tool's declaration, not a call.
    const end = source.skipWhile(at, MAX_SCHEMA_HEAD, isSchemaHeadChar);
    return !SCHEMA.test(source.text.slice(at, end));
  }
  if (isObject) return NESTED_KEYS.includes(key) && at;
  const first = source.skipBlanks(at + 1);
  return LIST_KEYS.includes(key) && source.at(first) === "{" && first;
}

interface Scalar {
  readonly text: string;
  readonly end: number;
  readonly isText: boolean;
}

/** A short quoted text, or any other value up to its end. `undefined`: a text that is too long to look at. */
function peekScalar(source: Source, at: number): Scalar | undefined {
  if ("\"'".includes(source.at(at))) return shortString(source, at);
  let end = at;
  while (!",}\n".includes(source.at(end))) end += 1;
  return { text: source.text.slice(at, end), end, isText: false };
}

/** A short quoted word, or undefined. */
function shortString(source: Source, at: number): Scalar | undefined {
  const quote = source.at(at);
  if (quote !== '"' && quote !== "'") return undefined;
  const from = at + 1;
  const end = source.skipWhile(from, MAX_STRING, (c) => c !== quote.charCodeAt(0) && c !== 10 && c !== 92);
  if (source.at(end) !== quote || end - from >= MAX_STRING) return undefined;
  return { text: source.text.slice(from, end), end: end + 1, isText: true };
}

/** `{`, blanks, quotes, `:` and the letters of `type` and `object`. */
function isSchemaHeadChar(c: number): boolean {
  return c <= 32 || '{":typeobjc'.includes(String.fromCharCode(c));
}
