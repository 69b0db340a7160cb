import type { Json, JsonObject } from "../model/tool-call.ts";
import { isSchema, type Schema } from "./tools.ts";

const TYPES = ["string", "number", "integer", "boolean", "null", "object", "array"] as const;
export type SchemaType = (typeof TYPES)[number];
/** A schema may refer to itself. */
const MAX_BRANCH_DEPTH = 4;

/** Arguments that could reach a prototype. */
export const UNSAFE_KEYS: readonly string[] = ["__proto__", "constructor", "prototype"];

/** Follows `$ref` inside the document, up to a few steps. */
export function resolveRef(schema: Schema, root: Schema): Schema {
  let at = schema;
  for (let step = 0; step < 8 && typeof at.$ref === "string"; step++) {
    let target: unknown = root;
    for (const part of (at.$ref as string).replace(/^#\/?/, "").split("/")) {
      if (part === "") continue;
      target = isSchema(target) ? target[part.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
    }
    if (!isSchema(target)) return {};
    at = target;
  }
  return at;
}

/**
 * The types a value may have; empty if the schema does not declare any. `seen` skips visited schemas: a schema with
 * many references to itself would take exponential time.
 */
export function typesOf(
  schema: Schema | undefined,
  root: Schema | undefined,
  depth = 0,
  seen = new Set<Schema>(),
): ReadonlySet<SchemaType> {
  if (schema === undefined || root === undefined || depth > MAX_BRANCH_DEPTH) return new Set();
  const at = resolveRef(schema, root);
  if (seen.has(at)) return new Set();
  seen.add(at);
  const found = ownTypes(at);
  for (const branch of branchesOf(at)) for (const type of typesOf(branch, root, depth + 1, seen)) found.add(type);
  const implied = found.size === 0 ? impliedType(at) : undefined;
  if (implied !== undefined) found.add(implied);
  if (at.nullable === true) found.add("null");
  return found;
}

/** The type that other keywords imply. */
function impliedType({ properties, items, enum: choices }: Schema): SchemaType | undefined {
  if (isSchema(properties)) return "object";
  if (items !== undefined) return "array";
  return Array.isArray(choices) && choices.some((value) => typeof value === "string") ? "string" : undefined;
}

function branchesOf({ anyOf, oneOf, allOf }: Schema): readonly Schema[] {
  return [anyOf, oneOf, allOf].flatMap((branches) => (Array.isArray(branches) ? branches.filter(isSchema) : []));
}

/** The types that `type` itself lists. */
export function ownTypes({ type }: Schema): Set<SchemaType> {
  const found = new Set<SchemaType>();
  for (const one of Array.isArray(type) ? type : [type]) {
    const name = typeof one === "string" ? one.toLowerCase() : "";
    const alias = ALIASES[name] ?? name;
    if ((TYPES as readonly string[]).includes(alias)) found.add(alias as SchemaType);
  }
  return found;
}

const ALIASES: Readonly<Record<string, string>> = {
  str: "string",
  text: "string",
  int: "integer",
  float: "number",
  double: "number",
  bool: "boolean",
  dict: "object",
  list: "array",
};

/** The schema of one property, or `undefined` if the tool did not declare it. */
export function propertySchema(
  schema: Schema | undefined,
  key: string,
  root: Schema | undefined = schema,
  depth = 0,
  seen?: Set<Schema>,
): Schema | undefined {
  if (schema === undefined || root === undefined || depth > MAX_BRANCH_DEPTH) return undefined;
  const at = resolveRef(schema, root);
  if (seen?.has(at) === true) return undefined;
  const properties = at.properties;
  const own = isSchema(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (isSchema(own)) return resolveRef(own, root);
  const known = seen ?? new Set();
  known.add(at);
  for (const branch of branchesOf(at)) {
    const found = propertySchema(branch, key, root, depth + 1, known);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The schema of one member, declared by name or by `additionalProperties`. */
export function memberSchema(schema: Schema, key: string): Schema | undefined {
  const others = resolveRef(schema, schema).additionalProperties;
  return propertySchema(schema, key) ?? (isSchema(others) ? others : undefined);
}

export function itemSchema(schema: Schema | undefined, root: Schema | undefined): Schema | undefined {
  if (schema === undefined || root === undefined) return undefined;
  const items = resolveRef(schema, root).items;
  return isSchema(items) ? resolveRef(items, root) : undefined;
}

export function requiredKeys(schema: Schema, root: Schema): readonly string[] {
  const { required } = resolveRef(schema, root);
  return Array.isArray(required) ? required.filter((key) => typeof key === "string") : [];
}

/** Detects definite violations only: a missing required key, or arguments that are themselves a JSON Schema. */
export function fitsSchema(args: JsonObject, schema: Schema | undefined): boolean {
  if (isSchemaEcho(args, schema)) return false;
  return schema === undefined || requiredKeys(schema, schema).every((key) => Object.hasOwn(args, key));
}

/** Whether arguments have no required and no declared key: an HTML element with a tool's name. */
export function isUndeclaredElement(args: JsonObject, schema: Schema | undefined): boolean {
  const keys = Object.keys(args);
  if (keys.length === 0 || fitsSchema(args, schema)) return false;
  return keys.every((key) => propertySchema(schema, key) === undefined);
}

/** Whether arguments are a JSON Schema: the model repeated the tool's declaration. */
export function isSchemaEcho(args: JsonObject, schema: Schema | undefined): boolean {
  if (args.type !== "object" || !isPlainObject(args.properties)) return false;
  return propertySchema(schema, "properties") === undefined;
}

export function isPlainObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parameter that a plain text is the value of: the only one that is required, else the only one that takes text. */
export function onlyText(schema: Schema | undefined): string | undefined {
  const { required, properties } = schema ?? {};
  if (schema === undefined || !isSchema(properties)) return undefined;
  const types = (key: string): ReadonlySet<string> => typesOf(propertySchema(schema, key), schema);
  if (Array.isArray(required) && required.length > 0) {
    const [only, ...others] = required as readonly unknown[];
    const isText = typeof only === "string" && (types(only).has("string") || types(only).size === 0);
    return others.length === 0 && isText ? only : undefined;
  }
  const texts = Object.keys(properties).filter((key) => types(key).has("string"));
  return texts.length === 1 ? texts[0] : undefined;
}
