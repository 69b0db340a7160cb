import { compileSchema, type SchemaNode } from "../../calls/index.ts";

const MAX_SCHEMAS = 500;
const MAX_CACHED_CHARS = 8 << 20;
/** Larger schemas are not compiled: their calls are not checked. */
const MAX_SCHEMA_CHARS = 1 << 20;

/** Compiled schemas by their text. Requests repeat their tools, so each schema is compiled once. */
const compiled = new Map<string, SchemaNode>();
let cachedChars = 0;

/** The same by identity, for frozen objects: tools that are cached between requests need not be serialized again. */
const compiledObjects = new WeakMap<object, SchemaNode>();

/** The compiled schema of a tool; undefined without a usable one. */
export function schemaOf(parameters: unknown): SchemaNode | undefined {
  if (typeof parameters !== "object" || parameters === null) return undefined;
  const same = compiledObjects.get(parameters);
  if (same !== undefined) return same;
  const schema = compiledSchema(parameters);
  if (schema !== undefined && Object.isFrozen(parameters)) compiledObjects.set(parameters, schema);
  return schema;
}

function compiledSchema(parameters: object): SchemaNode | undefined {
  const text = JSON.stringify(parameters);
  if (text.length > MAX_SCHEMA_CHARS) return undefined;
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const schema = compileSchema(parameters);
  if (compiled.size >= MAX_SCHEMAS || cachedChars + text.length > MAX_CACHED_CHARS) {
    compiled.clear();
    cachedChars = 0;
  }
  compiled.set(text, schema);
  cachedChars += text.length;
  return schema;
}
