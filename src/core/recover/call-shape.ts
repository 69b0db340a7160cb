import { readWholeJson } from "../json/read-json.ts";
import { canonicalJson, isPlainObject, objectOf, type Repair } from "../json/values.ts";
import { ARGUMENT_KEYS, NAME_KEYS as COMMON_NAME_KEYS } from "../model/call-object.ts";
import type { Json, JsonObject } from "../model/tool-call.ts";
import { onlyText, propertyOf } from "../schema/lookup.ts";
import { cleanName, type ToolIndex } from "./tools.ts";

/** Keys of the tool's name; `method` is JSON-RPC's. */
export const NAME_KEYS: readonly string[] = [
  ...COMMON_NAME_KEYS,
  "tool_call",
  "function_call",
  "toolCall",
  "method",
  "command",
];
/** MCP's method: the call is in the parameters. */
export const TOOLS_CALL = "tools/call";
/** OpenAI's tool for several calls at once: they are in its arguments. */
export const PARALLEL = "multi_tool_use.parallel";
/** Keys of a text that may be a call in JSON. */
const TEXT_KEYS: readonly string[] = ["content", "text", "message", "response", "output"];
/** Keys of a list of calls. */
export const LIST_KEYS: readonly string[] = ["tool_calls", "tool_uses", "function_calls", "toolCalls", "functionCalls"];
/** Keys of an object that is the call. */
export const NESTED_KEYS: readonly string[] = [
  ...["function", "tool_call", "function_call", "tool", "tool_use", "functionCall", "toolCall", "toolUse"],
  ...["call", "action", "command"],
];
const WRAPPER_KEYS: readonly string[] = [...NESTED_KEYS, ...LIST_KEYS];
const ID_KEYS: readonly string[] = ["id", "tool_call_id", "call_id", "tool_use_id", "toolCallId", "toolUseId"];

/** Keys that may come first in an object that is a call. */
export const CALL_KEYS: ReadonlySet<string> = new Set([
  ...[...NAME_KEYS, ...ARGUMENT_KEYS, ...LIST_KEYS, ...NESTED_KEYS, ...TEXT_KEYS, ...ID_KEYS],
  ...["type", "role", "index", "thought", "thoughts", "reasoning", "status", "jsonrpc"],
]);

/** A call in the shape of its JSON, with the path to the arguments for finding their raw text. */
export interface ShapedCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly id?: string;
  readonly path: readonly string[];
  readonly repairs: readonly Repair[];
}

/** `not-an-object`: a call whose arguments are not an object. */
export type Shaped =
  | { readonly kind: "calls"; readonly calls: readonly ShapedCall[] }
  | { readonly kind: "none"; readonly reason: "malformed" | "not-an-object" };

/** How often arguments may have been encoded as a string. */
const MAX_STRING_LAYERS = 2;
const MALFORMED: Shaped = { kind: "none", reason: "malformed" };

/** Finds the calls in a JSON value: one object, a list, OpenAI's nesting, Apertus' key as name. */
export function shapeCalls(value: Json, tools: ToolIndex, keyed = false, path: readonly string[] = []): Shaped {
  if (Array.isArray(value)) return shapeList(value, tools, keyed, path);
  if (!isPlainObject(value)) return MALFORMED;
  if (keyed) return shapeKeyed(value, tools, keyed, path);
  const wrappers = WRAPPER_KEYS.filter((key) => isStructure(own(value, key)));
  for (const key of wrappers) {
    const list = own(value, key);
    if (LIST_KEYS.includes(key) && Array.isArray(list) && list.length > 0)
      return shapeList(list, tools, keyed, [...path, key]);
  }
  const nestedKey = wrappers.find((key) => isNamed(own(value, key)));
  if (nestedKey !== undefined) return withId(shapeNested(own(value, nestedKey), tools, [...path, nestedKey]), value);
  if (own(value, "method") === TOOLS_CALL) return shapeNested(own(value, "params"), tools, [...path, "params"]);
  if (isNamed(value)) return shapeOne(value, tools, path);
  const [only, ...others] = Object.entries(value);
  const isText =
    only !== undefined && others.length === 0 && TEXT_KEYS.includes(only[0]) && typeof only[1] === "string";
  return isText ? shapeText(only[1] as string, tools) : shapeKeyed(value, tools, keyed, path);
}

function isStructure(value: Json | undefined): boolean {
  return typeof value === "object" && value !== null;
}

function isNamed(value: Json | undefined): value is JsonObject {
  return isPlainObject(value) && nameOf(value) !== undefined;
}

/** The calls with the id that the object around them carries. */
function withId(shaped: Shaped, object: JsonObject): Shaped {
  const id = idOf(object);
  if (shaped.kind === "none" || id === undefined) return shaped;
  return { kind: "calls", calls: shaped.calls.map((call) => ({ id, ...call })) };
}

function shapeNested(value: Json | undefined, tools: ToolIndex, path: readonly string[]): Shaped {
  return isNamed(value) ? shapeOne(value, tools, path) : MALFORMED;
}

/** A call in JSON that is the text of a message. */
function shapeText(text: string, tools: ToolIndex): Shaped {
  const value = readWholeJson(text)?.value;
  const shaped = isNamed(value) || Array.isArray(value) ? shapeCalls(value, tools) : MALFORMED;
  if (shaped.kind === "none") return shaped;
  const calls = shaped.calls.map((call) => ({
    ...call,
    path: [],
    repairs: [...call.repairs, "unwrapped-string" as const],
  }));
  return { kind: "calls", calls };
}

function shapeList(list: readonly Json[], tools: ToolIndex, keyed: boolean, path: readonly string[]): Shaped {
  const calls: ShapedCall[] = [];
  let reason: "malformed" | "not-an-object" = "malformed";
  let lost = false;
  list.forEach((item, index) => {
    const shaped = shapeCalls(item, tools, keyed, [...path, String(index)]);
    if (shaped.kind === "calls") for (const call of shaped.calls) calls.push(call);
    else {
      lost = true;
      reason = shaped.reason;
    }
  });
  if (calls.length === 0) return { kind: "none", reason };
  if (!lost) return { kind: "calls", calls };
  return { kind: "calls", calls: calls.map((call) => ({ ...call, repairs: [...call.repairs, "dropped-text"] })) };
}

function shapeOne(object: JsonObject, tools: ToolIndex, path: readonly string[]): Shaped {
  const named = nameOf(object);
  if (named === undefined || namesSeveral(object, tools)) return MALFORMED;
  const id = idOf(object);
  const base = { name: named.name, ...(id === undefined ? {} : { id }) };
  const keys = ARGUMENT_KEYS.filter((candidate) => Object.hasOwn(object, candidate));
  const objects = keys.filter((candidate) => isPlainObject(object[candidate]));
  const key = objects[0] ?? keys.find((candidate) => object[candidate] !== undefined && candidate !== named.key);
  if (key === undefined) return flatCall(object, named, base, tools, path);
  if (named.name.endsWith(PARALLEL)) return shapeCalls(own(object, key) as Json, tools, false, [...path, key]);
  // What describes the tool declares it.
  if (typeof own(object, "description") === "string") return MALFORMED;
  // With two different argument objects, the text does not show which one is meant.
  if (objects.length > 1 && new Set(objects.map((one) => canonicalJson(object[one] as Json))).size > 1)
    return MALFORMED;
  const args = argumentsOf(own(object, key) as Json) ?? textArgument(object, key, named.name, tools);
  if (args === undefined) return { kind: "none", reason: "not-an-object" };
  return { kind: "calls", calls: [{ ...base, args: args.args, path: [...path, key], repairs: args.repairs }] };
}

/** LangChain's `action_input` may be the only text that the tool takes. */
function textArgument(object: JsonObject, key: string, name: string, tools: ToolIndex): Arguments | undefined {
  const text = own(object, key);
  const only = onlyText(tools.schema(cleanName(name, tools)?.name ?? name));
  if (!key.endsWith("_input") || typeof text !== "string" || only === undefined) return undefined;
  return /^\s*[{[]/.test(text) ? undefined : { args: objectOf([[only, text]]), repairs: ["body-as-argument"] };
}

/** `{"name": "f", "city": "Oslo"}`: the other keys are the arguments when the tool declares them. */
function flatCall(
  object: JsonObject,
  named: { readonly key: string },
  base: { readonly name: string; readonly id?: string },
  tools: ToolIndex,
  path: readonly string[],
): Shaped {
  const rest = Object.entries(object).filter(([key]) => key !== named.key && !ID_KEYS.includes(key) && key !== "type");
  const schema = tools.schema(base.name);
  const declared = rest.filter(([key]) => propertyOf(schema, key) !== undefined);
  if (declared.length === 0) {
    // An object with other keys but no arguments is a person or a package, not a call.
    if (rest.length > 0) return MALFORMED;
    return { kind: "calls", calls: [{ ...base, args: {}, path, repairs: [] }] };
  }
  if (declared.length < rest.length) return MALFORMED;
  return { kind: "calls", calls: [{ ...base, args: objectOf(rest), path, repairs: ["flat-arguments"] }] };
}

function shapeKeyed(object: JsonObject, tools: ToolIndex, keyed: boolean, path: readonly string[]): Shaped {
  const entries = Object.entries(object);
  if (entries.length === 0 || (!keyed && entries.length !== 1)) return MALFORMED;
  const calls: ShapedCall[] = [];
  for (const [name, value] of entries) {
    if (!keyed && !tools.has(name)) return MALFORMED;
    const args = argumentsOf(value);
    if (args === undefined) return { kind: "none", reason: "not-an-object" };
    calls.push({
      name,
      args: args.args,
      path: [...path, name],
      repairs: keyed ? args.repairs : [...args.repairs, "key-as-name"],
    });
  }
  return { kind: "calls", calls };
}

function nameOf(object: JsonObject): { readonly key: string; readonly name: string } | undefined {
  for (const key of NAME_KEYS) {
    const value = own(object, key);
    if (typeof value === "string" && value.trim() !== "") {
      // An `action` or `command` names a tool only beside its input.
      if ((key === "action" || key === "command") && !hasInput(object)) continue;
      return { key, name: value };
    }
  }
  return undefined;
}

/** Whether keys of the name hold different tools. */
function namesSeveral(object: JsonObject, tools: ToolIndex): boolean {
  let first: string | undefined;
  for (const key of NAME_KEYS) {
    const name = own(object, key);
    if (typeof name !== "string" || name === first || !tools.has(name)) continue;
    if (first !== undefined) return true;
    first = name;
  }
  return false;
}

function hasInput(object: JsonObject): boolean {
  return own(object, "action_input") !== undefined || ARGUMENT_KEYS.some((key) => isPlainObject(own(object, key)));
}

function idOf(object: JsonObject): string | undefined {
  for (const key of ID_KEYS) {
    const value = own(object, key);
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

interface Arguments {
  readonly args: JsonObject;
  readonly repairs: readonly Repair[];
}

/** Returns arguments as an object: null becomes an empty one, and a string is parsed if it is JSON. */
export function argumentsOf(value: Json | undefined): Arguments | undefined {
  if (value === undefined || value === null || value === "") return { args: {}, repairs: [] };
  if (isPlainObject(value)) return { args: value, repairs: [] };
  if (Array.isArray(value)) return value.length === 0 ? { args: {}, repairs: [] } : undefined;
  if (typeof value !== "string") return undefined;
  let text = value.trim();
  for (let layer = 0; layer < MAX_STRING_LAYERS && text[0] === '"'; layer++) {
    const inner = parseString(text);
    if (inner === undefined) return undefined;
    text = inner.trim();
  }
  const read = readWholeJson(text);
  if (read === undefined || !isPlainObject(read.value)) return undefined;
  return { args: read.value, repairs: ["unwrapped-string", ...read.repairs] };
}

/** The text of a JSON string, or undefined. */
export function parseString(json: string): string | undefined {
  try {
    const text: unknown = JSON.parse(json);
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
