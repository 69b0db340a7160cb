import { type Fields, isArray, isObject, objects, text } from "../json.ts";

/** Google's APIs accept every name in two spellings: `functionCall` and `function_call`. */
export function field(fields: Fields, camelCase: string): unknown {
  return fields[camelCase] ?? fields[snakeCase(camelCase)];
}

export function snakeCase(camelCase: string): string {
  return camelCase.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The name under which an object has a member, in either spelling. */
export function spelling(fields: Fields, camelCase: string): string {
  return Object.hasOwn(fields, snakeCase(camelCase)) ? snakeCase(camelCase) : camelCase;
}

export function partsOf(content: unknown): readonly unknown[] {
  return isObject(content) && isArray(content.parts) ? content.parts : [];
}

/** A function call as a part contains it. Calls of tools that the provider runs are other parts. */
export interface PartCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/** The call in a part. Undefined for pieces of a call, which Vertex sends if the client requests them. */
export function callOf(part: unknown): PartCall | undefined {
  const call = isObject(part) ? field(part, "functionCall") : undefined;
  if (!isObject(call) || field(call, "partialArgs") !== undefined || field(call, "willContinue") === true)
    return undefined;
  const name = text(call.name);
  return name === undefined || name === "" ? undefined : { id: text(call.id) || undefined, name, args: call.args };
}

/** Whether a part is a call or a piece of one. */
export function isCallPart(part: unknown): boolean {
  return isObject(part) && isObject(field(part, "functionCall"));
}

/** The text of a part that is meant for the user: not its thoughts. */
export function visibleText(part: unknown): string | undefined {
  return isObject(part) && part.thought !== true ? text(part.text) : undefined;
}

/** The declared functions of a request; other entries of `tools` are run by the provider. */
export function declarationsOf(tools: unknown): readonly Fields[] {
  return objects(tools).flatMap((tool) => objects(field(tool, "functionDeclarations")));
}

/** The schema of a declared function: JSON Schema, or Google's own dialect of it. */
export function schemaOf(declaration: Fields): unknown {
  return field(declaration, "parametersJsonSchema") ?? fromDialect(declaration.parameters, 0);
}

const MAX_SCHEMA_DEPTH = 32;

/**
 * Converts type names, which are in capitals, and `nullable`, which is a separate field. Unchanged values are not
 * copied.
 */
function fromDialect(schema: unknown, depth: number): unknown {
  if (depth > MAX_SCHEMA_DEPTH) return schema;
  if (isArray(schema)) return schema.map((item) => fromDialect(item, depth + 1));
  if (!isObject(schema)) return schema;
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) copy[name] = memberOf(name, value, depth);
  if (typeof copy.type === "string" && schema.nullable === true) copy.type = [copy.type, "null"];
  return copy;
}

function memberOf(name: string, value: unknown, depth: number): unknown {
  if (name === "type") return typeof value === "string" ? value.toLowerCase() : value;
  if (name === "properties" && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fromDialect(inner, depth + 1)]));
  return SCHEMA_MEMBERS.has(name) ? fromDialect(value, depth + 1) : value;
}

const SCHEMA_MEMBERS = new Set(["items", "anyOf", "prefixItems", "additionalProperties"]);
