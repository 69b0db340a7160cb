import { ARGUMENT_KEYS } from "../../model/call-object.ts";
import { CALL_KEYS, LIST_KEYS, NAME_KEYS, NESTED_KEYS, PARALLEL, TOOLS_CALL } from "../call-shape.ts";
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
  let member: Member = { at: source.skipBlanks(at + 1), name: undefined };
  for (let count = 0; count < MAX_MEMBERS; count++) {
    const found = peekMember(source, member, count === 0);
    if (typeof found !== "object") return found;
    member = found;
  }
  return true;
}

/** Where a member begins, and the tool's name if a member before it has it. */
interface Member {
  readonly at: number;
  readonly name: string | undefined;
}

/** The member behind this one, or what this one decides about the object. */
function peekMember(source: Source, { at, name }: Member, isFirst: boolean): Member | boolean | number {
  if (source.at(at) === "}") return name !== undefined;
  const key = shortString(source, at);
  if (key === undefined) return false;
  if (!CALL_KEYS.has(key.text)) return isArgumentKey(source, key.text, name, isFirst);
  const colon = source.skipBlanks(key.end);
  if (source.at(colon) !== ":") return false;
  const start = source.skipBlanks(colon + 1);
  if ("{[".includes(source.at(start))) return peekStructure(source, start, key.text, name);
  const value = peekScalar(source, start);
  if (value === undefined) return ARGUMENT_KEYS.includes(key.text) || key.text === "content";
  const named = name === undefined ? nameIn(key.text, value) : undefined;
  if (isForeign(source, key.text, value.text, named)) return false;
  const end = source.skipBlanks(value.end);
  if (!",}".includes(source.at(end))) return true;
  if (source.isEnd(end)) return false;
  return { at: source.at(end) === "," ? source.skipBlanks(end + 1) : end, name: name ?? named };
}

/** JSON-RPC: a tool is called by its name, or by MCP's method, which has the call in its parameters. */
function nameIn(key: string, { text, isText }: Scalar): string | undefined {
  const isMethod = key === "method" && text === TOOLS_CALL;
  return isText && NAME_KEYS.includes(key) && !isMethod ? text : undefined;
}

/** Whether the member belongs to the message of another role, or names a tool that is not declared. */
function isForeign({ tools }: Source, key: string, text: string, name: string | undefined): boolean {
  if (key === "role" && text !== "assistant") return true;
  return (
    name !== undefined && !name.endsWith(PARALLEL) && tools.size > 0 && !tools.has(cleanName(name, tools)?.name ?? "")
  );
}

/** Whether a key that is none of a call's can be an argument beside the name, or the name itself. */
function isArgumentKey(source: Source, key: string, name: string | undefined, isFirst: boolean): boolean {
  if (isFirst && source.tools.has(key)) return true;
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
  if (isObject) return (NESTED_KEYS.includes(key) || LIST_KEYS.includes(key)) && at;
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
