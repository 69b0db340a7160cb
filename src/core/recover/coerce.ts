import { readJson, readWholeJson } from "../json/read-json.ts";
import { isPlainObject, objectOf, type Repair, readLiteral, readNumber } from "../json/values.ts";
import type { Json, JsonObject } from "../model/tool-call.ts";
import type { SchemaNode } from "../schema/compile.ts";
import { itemsOf, memberOf, propertyOf, typesOf } from "../schema/lookup.ts";

/** Spellings of YAML and people, accepted only if the schema declares nothing but a boolean. */
const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
  ["yes", true],
  ["no", false],
  ["1", true],
  ["0", false],
]);
const NULLS: readonly string[] = ["null", "None", "NULL"];

/**
 * Converts the text of a parameter to its type: by the schema if there is one, otherwise only if it is clearly JSON. A
 * declared string stays text, even if it looks like something else.
 */
export function typedValue(raw: string, schema: SchemaNode | undefined, repairs: Set<Repair>): Json {
  const types: ReadonlySet<string> = typesOf(schema);
  if (types.has("string") && types.size === 1) return choice(raw, schema);
  const trimmed = raw.trim();
  // Quotes around a value that cannot be text: `"5"` for an integer.
  const text = types.size > 0 && !types.has("string") ? trimmed.replace(/^(["'])([^"']*)\1$/, "$2") : trimmed;
  const typed = scalarValue(text, types, repairs) ?? structuredValue(text, types, repairs);
  if (typed !== undefined) return typed;
  if (NULLS.includes(text) && (types.size === 0 || types.has("null"))) return null;
  // A malformed list must not become the only item of another list.
  if (types.has("array") && !types.has("string") && text[0] !== "[") return listed(text, itemsOf(schema), repairs);
  return raw;
}

/** `true` and `false` as JSON, Python or a shouting model write them. */
function booleanIn(text: string): boolean | undefined {
  const literal = readLiteral(text, new Set());
  return typeof literal === "boolean" ? literal : undefined;
}

/** The boolean or number that a text is, as far as the types allow it. */
function scalarValue(text: string, types: ReadonlySet<string>, repairs: Set<Repair>): Json | undefined {
  const isAny = types.size === 0;
  if (isAny || types.has("boolean")) {
    const isOnly = types.has("boolean") && types.size === 1;
    const value = booleanIn(text) ?? (isOnly ? BOOLEAN_WORDS.get(text.toLowerCase()) : undefined);
    if (value !== undefined) return value;
  }
  if (!isAny && !types.has("number") && !types.has("integer")) return undefined;
  const value = /^[-+.\d]/.test(text) ? readNumber(text, isAny ? new Set() : repairs) : undefined;
  // Without a schema, only valid JSON numbers are numbers: 007 and 1_000 may be codes.
  return isAny && !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? undefined : value;
}

/** The object or list that a text is, as far as the types allow it. */
function structuredValue(text: string, types: ReadonlySet<string>, repairs: Set<Repair>): Json | undefined {
  const isAny = types.size === 0;
  if (text[0] !== "{" && text[0] !== "[") return undefined;
  if (!isAny && !types.has("object") && !types.has("array")) return undefined;
  let read = readWholeJson(text, { python: true });
  // The value is known to be complete, so only its last bracket can be missing.
  if (read === undefined && !isAny && readJson(text, 0, { python: true }).kind === "open") {
    read = readWholeJson(text + (text[0] === "{" ? "}" : "]"), { python: true });
    if (read !== undefined) repairs.add("closed-brackets");
  }
  if (read === undefined || (isAny && !isLiteralish(read.repairs))) return undefined;
  for (const repair of read.repairs) repairs.add(repair);
  return read.value;
}

/** Trims whitespace that belongs to the markup around an enum value. */
function choice(raw: string, schema: SchemaNode | undefined): string {
  const words = schema?.members;
  const isWord = words?.has(JSON.stringify(raw)) === false && words.has(JSON.stringify(raw.trim()));
  return isWord ? raw.trim() : raw;
}

/**
 * Converts plain text to a declared list: empty text has no items, numbers may be separated, anything else is one item.
 */
function listed(text: string, items: SchemaNode | undefined, repairs: Set<Repair>): Json {
  if (text === "") return [];
  const types = typesOf(items);
  const numbers = types.has("number") || types.has("integer");
  const parts = numbers ? text.split(/[,\n]/).map((part) => part.trim()) : [text];
  return parts.filter((part) => part !== "").map((part) => typedValue(part, items, repairs));
}

/** Without a schema, text becomes a structure only if Python's spelling is its only deviation from JSON. */
function isLiteralish(repairs: readonly Repair[]): boolean {
  return repairs.every(
    (repair) => repair === "single-quotes" || repair === "python-literal" || repair === "big-integer-as-text",
  );
}

const WRAPPING: ReadonlySet<string> = new Set([
  ...["arguments", "parameters", "params", "input", "args", "kwargs", "properties"],
]);

/**
 * Unwraps a call that was repeated in place of its arguments, and `{"input": {…}}` if `input` is not declared but
 * everything in it is.
 */
export function unwrapWhole(
  args: JsonObject,
  name: string,
  schema: SchemaNode | undefined,
  repairs: Set<Repair>,
): JsonObject {
  const inner = repeatedCall(args, name, schema) ?? wrappedArguments(args, schema);
  if (inner === undefined) return args;
  repairs.add("unwrapped-arguments");
  return inner;
}

function repeatedCall(args: JsonObject, name: string, schema: SchemaNode | undefined): JsonObject | undefined {
  if (args.name !== name || Object.keys(args).length !== 2 || propertyOf(schema, "name") !== undefined)
    return undefined;
  const inner = args.arguments ?? args.parameters;
  return isPlainObject(inner) ? inner : undefined;
}

function wrappedArguments(args: JsonObject, schema: SchemaNode | undefined): JsonObject | undefined {
  const [only, ...others] = Object.entries(args);
  if (only === undefined || others.length > 0 || !WRAPPING.has(only[0])) return undefined;
  const [key, value] = only;
  if (schema === undefined) return key === "arguments" && isPlainObject(value) ? value : undefined;
  if (propertyOf(schema, key) !== undefined) return undefined;
  const inner = typeof value === "string" ? readWholeJson(value)?.value : value;
  if (!isPlainObject(inner) || Object.keys(inner).length === 0) return undefined;
  return Object.keys(inner).every((one) => propertyOf(schema, one) !== undefined) ? inner : undefined;
}

/**
 * Converts each argument to the only type its schema allows, if possible. Returns the same object if nothing changes.
 */
export function unwrapBySchema(args: JsonObject, schema: SchemaNode | undefined, repairs: Set<Repair>): JsonObject {
  if (schema === undefined) return args;
  let changed = false;
  const entries = Object.entries(args).map(([key, value]): [string, Json] => {
    const fitting = fittingValue(value, typesOf(memberOf(schema, key)), repairs);
    changed ||= fitting !== value;
    return [key, fitting];
  });
  return changed ? objectOf(entries) : args;
}

/** Parses double-encoded values, and converts scalars to or from strings. */
function fittingValue(value: Json, types: ReadonlySet<string>, repairs: Set<Repair>): Json {
  if (typeof value === "number" && types.size === 1 && types.has("string") && Number.isSafeInteger(value)) {
    repairs.add("number-as-text");
    return String(value);
  }
  if (typeof value !== "string" || types.size === 0 || types.has("string")) return value;
  const fitting = /^\s*[{[]/.test(value) ? structureIn(value, types) : scalarValue(value, types, repairs);
  if (fitting === undefined) return value;
  repairs.add("unwrapped-string");
  return fitting;
}

function structureIn(text: string, types: ReadonlySet<string>): Json | undefined {
  const value = readWholeJson(text)?.value;
  return types.has(Array.isArray(value) ? "array" : "object") ? value : undefined;
}
