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
export function looksLikeCall(source: Source, at: number, listed: boolean): boolean {
  let object = at;
  for (let depth = 0; depth < MAX_NESTING; depth++) {
    const read = new ObjectPeek(source, object, listed && depth === 0).look();
    if (typeof read === "boolean") return read;
    object = read;
  }
  return false;
}

/** Looks at the members of one object. */
class ObjectPeek {
  private i: number;
  private name: string | undefined;
  private readonly source: Source;
  /** The object is an item of a list. */
  private readonly listed: boolean;

  constructor(source: Source, at: number, listed: boolean) {
    this.source = source;
    this.i = source.skipBlanks(at + 1);
    this.listed = listed;
  }

  /** Whether it looks like a call. A number: the object there decides. */
  look(): boolean | number {
    const { source } = this;
    for (let member = 0; member < MAX_MEMBERS; member++) {
      if (source.at(this.i) === "}") return this.name !== undefined;
      const key = this.string();
      if (key === undefined) return false;
      if (!CALL_KEYS.has(key)) {
        if (member === 0 && source.tools.has(key)) return true;
        return (
          this.name !== undefined && source.tools.schema(cleanName(this.name, source.tools)?.name ?? "") !== undefined
        );
      }
      // A list of objects that begin with their type is the declaration of the tools.
      if (this.listed && member === 0 && key === "type") return false;
      this.skipBlanks();
      if (source.at(this.i) !== ":") return false;
      this.i += 1;
      this.skipBlanks();
      const result = this.value(key);
      if (result !== undefined) return result;
      this.skipBlanks();
      if (source.at(this.i) === ",") this.i = source.skipBlanks(this.i + 1);
      else if (source.at(this.i) !== "}") return source.at(this.i) !== "";
    }
    return true;
  }

  /** Looks at the value of a member. `undefined`: the members after it decide. */
  private value(key: string): boolean | number | undefined {
    const { source } = this;
    const c = source.at(this.i);
    if (c === "{" || c === "[") return this.structure(key, c);
    if (c !== '"' && c !== "'") {
      while (!",}\n".includes(source.at(this.i))) this.i += 1;
      return undefined;
    }
    const value = this.string();
    if (value === undefined) return ARGUMENT_KEYS.includes(key) || key === "content";
    if (key === "role" && value !== "assistant") return false;
    // JSON-RPC: a tool is called by its name, or by MCP's method, which has the call in its parameters.
    if (key === "method" && value === TOOLS_CALL) return undefined;
    if (this.name !== undefined || !NAME_KEYS.includes(key)) return undefined;
    this.name = value;
    const { tools } = source;
    return tools.size === 0 || tools.has(cleanName(value, tools)?.name ?? "") ? undefined : false;
  }

  private structure(key: string, c: string): boolean | number {
    const { source } = this;
    if (key === "params" && c === "{" && this.name === undefined) return this.i;
    if (ARGUMENT_KEYS.includes(key)) {
      // Arguments that begin like a JSON Schema are the tool's declaration, not a call.
      const end = source.skipWhile(this.i, MAX_SCHEMA_HEAD, isSchemaHeadChar);
      return !SCHEMA.test(source.text.slice(this.i, end));
    }
    if (c === "{" && NESTED_KEYS.includes(key)) return this.i;
    if (c === "{" || !LIST_KEYS.includes(key)) return false;
    const first = source.skipBlanks(this.i + 1);
    return source.at(first) === "{" && first;
  }

  private skipBlanks(): void {
    this.i = this.source.skipBlanks(this.i);
  }

  /** A short quoted word, or undefined. */
  private string(): string | undefined {
    const { source } = this;
    const quote = source.at(this.i);
    if (quote !== '"' && quote !== "'") return undefined;
    const from = this.i + 1;
    const end = source.skipWhile(from, MAX_STRING, (c) => c !== quote.charCodeAt(0) && c !== 10 && c !== 92);
    if (source.at(end) !== quote || end - from >= MAX_STRING) return undefined;
    this.i = end + 1;
    return source.text.slice(from, end);
  }
}

/** `{`, blanks, quotes, `:` and the letters of `type` and `object`. */
function isSchemaHeadChar(c: number): boolean {
  return c <= 32 || '{":typeobjc'.includes(String.fromCharCode(c));
}
