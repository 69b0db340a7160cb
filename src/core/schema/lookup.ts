import { ANY, type JsonType, type SchemaNode } from "./compile.ts";

/** A schema may contain itself. */
const MAX_BRANCH_DEPTH = 4;
const NO_TYPES: ReadonlySet<JsonType> = new Set();

/** The readable part of a schema, even if it contains unsupported keywords. */
export function readable(schema: SchemaNode): SchemaNode {
  let at = schema;
  for (let hops = 0; hops < 16 && at.readable !== undefined; hops += 1) at = at.readable;
  return at;
}

/** The schema and all its alternatives, each once, outermost first. */
function* branchesOf(schema: SchemaNode, depth = 0, seen = new Set<SchemaNode>()): Generator<SchemaNode> {
  const at = readable(schema);
  if (depth > MAX_BRANCH_DEPTH || seen.has(at)) return;
  seen.add(at);
  yield at;
  for (const { alternatives } of at.unions)
    for (const branch of alternatives) yield* branchesOf(branch, depth + 1, seen);
}

const found = new WeakMap<SchemaNode, ReadonlySet<JsonType>>();

/** The types that a value may have; empty if the schema does not declare any. */
export function typesOf(schema: SchemaNode | undefined): ReadonlySet<JsonType> {
  if (schema === undefined) return NO_TYPES;
  const known = found.get(schema);
  if (known !== undefined) return known;
  const types = new Set<JsonType>();
  for (const at of branchesOf(schema)) {
    for (const type of at.types ?? (at.unions.length === 0 ? impliedTypes(at) : [])) types.add(type);
    if (at.isNullable) types.add("null");
  }
  if (types.size === 0) for (const type of impliedTypes(readable(schema))) types.add(type);
  found.set(schema, types);
  return types;
}

/** The type that other keywords imply. */
function impliedTypes({ listsProperties, items, members }: SchemaNode): readonly JsonType[] {
  if (listsProperties) return ["object"];
  if (items !== ANY) return ["array"];
  return [...(members ?? [])].some((member) => member.startsWith('"')) ? ["string"] : [];
}

/** The schema of one property, or undefined if it is not declared. */
export function propertyOf(schema: SchemaNode | undefined, key: string): SchemaNode | undefined {
  if (schema === undefined) return undefined;
  const own = readable(schema);
  const property = own.properties.get(key);
  if (property !== undefined || own.unions.length === 0) return property;
  for (const { properties } of branchesOf(schema)) {
    const declared = properties.get(key);
    if (declared !== undefined) return declared;
  }
  return undefined;
}

/** The schema of one member, declared by name or by `additionalProperties`. */
export function memberOf(schema: SchemaNode, key: string): SchemaNode | undefined {
  return propertyOf(schema, key) ?? (readable(schema).additional || undefined);
}

export function itemsOf(schema: SchemaNode | undefined): SchemaNode | undefined {
  return schema && readable(schema).items;
}

export function requiredOf(schema: SchemaNode | undefined): readonly string[] {
  return schema === undefined ? [] : [...readable(schema).required];
}

/** The declared properties, in order; undefined if the schema does not list any. */
export function listedKeys(schema: SchemaNode | undefined): readonly string[] | undefined {
  return schema !== undefined && readable(schema).listsProperties ? [...readable(schema).properties.keys()] : undefined;
}

/** The parameter whose value a plain text can be: the only required one, otherwise the only one that accepts text. */
export function onlyText(schema: SchemaNode | undefined): string | undefined {
  const keys = listedKeys(schema);
  if (schema === undefined || keys === undefined) return undefined;
  const { required } = readable(schema);
  const types = (key: string): ReadonlySet<JsonType> => typesOf(propertyOf(schema, key));
  if (required.size > 0) {
    const [only = "", ...others] = required;
    return others.length === 0 && (types(only).has("string") || types(only).size === 0) ? only : undefined;
  }
  const texts = keys.filter((key) => types(key).has("string"));
  return texts.length === 1 ? texts[0] : undefined;
}
