import { canonicalJson, type KeyDoubt } from "../json/values.ts";
import type { Json, JsonObject } from "../model/tool-call.ts";
import { isPlainObject, itemSchema, ownTypes, propertySchema, requiredKeys, resolveRef } from "./schema.ts";
import { isSchema, type Schema } from "./tools.ts";

/**
 * Why arguments do not fit. `missing-argument`: a required parameter is absent. `empty-argument`: the text opens a
 * parameter without stating its value, or the value is empty where the schema forbids it. `invalid-arguments`: a wrong
 * type, a value outside the enum, a key that the schema excludes. `ambiguous`: the text has more than one reading.
 */
export type FitProblem = "missing-argument" | "empty-argument" | "invalid-arguments" | "ambiguous";

/** What the parser could not decide; the schema decides. */
export interface Doubts {
  /** Parameters that the text opens without stating a value. */
  readonly unstated?: readonly string[];
  readonly keys?: ReadonlyMap<string, KeyDoubt>;
  /** The text has more than one interpretation, whatever the schema declares. */
  readonly ambiguous?: boolean;
  /** Values have no quotes, so an empty one may not have been filled in. */
  readonly unquoted?: boolean;
}

const NO_DOUBTS: Doubts = {};
/** A longer pattern is not tested. */
const MAX_PATTERN_CHARS = 512;
const MAX_DEPTH = 64;
/** Limits comparisons, because the branches of a recursive schema multiply. Beyond it, the rest counts as valid. */
const MAX_STEPS = 20_000;
/** An integer that a double cannot represent is passed as text with all its digits. */
const BIG_INTEGER = /^-?\d{16,400}$/;

/**
 * Compares arguments with the schema of their tool. Reports definite violations only: a keyword that is not checked here
 * counts as satisfied.
 *
 * @example
 * fitProblem({}, { properties: { path: { type: "string" } }, required: ["path"] }) // "missing-argument"
 */
export function fitProblem(
  args: JsonObject,
  schema: Schema | undefined,
  doubts: Doubts = NO_DOUBTS,
): FitProblem | undefined {
  if (doubts.ambiguous === true) return "ambiguous";
  if (doubts.keys !== undefined && hasDoubtfulKey(args, schema, doubts.keys)) return "ambiguous";
  const unstated = doubts.unstated !== undefined && doubts.unstated.length > 0 ? "empty-argument" : undefined;
  if (schema === undefined) return unstated;
  // A parameter without a value is reported as empty, not as missing.
  const absent = requiredKeys(schema, schema).some(
    (key) => !Object.hasOwn(args, key) && doubts.unstated?.includes(key) !== true,
  );
  if (absent) return "missing-argument";
  if (doubts.unquoted === true && statesNothing(args, schema)) return "empty-argument";
  return unstated ?? new Check(schema).value(args, schema, 0);
}

/** Whether all required parameters are empty: a form that was not filled in. One of several may be empty on purpose. */
function statesNothing(args: JsonObject, schema: Schema): boolean {
  const required = requiredKeys(schema, schema);
  return (
    required.length > 0 && required.every((key) => typeof args[key] === "string" && (args[key] as string).trim() === "")
  );
}

/** Whether an undeclared key may be the rest of the text before it. */
function hasDoubtfulKey(args: JsonObject, schema: Schema | undefined, keys: ReadonlyMap<string, KeyDoubt>): boolean {
  const pending: Array<{ readonly value: Json; readonly schema: Schema | undefined }> = [{ value: args, schema }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, schema: at } = next;
    if (Array.isArray(value)) {
      const items = itemSchema(at, schema);
      for (const item of value as readonly Json[]) pending.push({ value: item, schema: items });
    } else if (isPlainObject(value)) {
      const members = Object.entries(value);
      if (members.some(([key]) => isDoubtful(keys.get(key), key, at, schema))) return true;
      for (const [key, inner] of members) pending.push({ value: inner, schema: propertySchema(at, key, schema) });
    }
  }
  return false;
}

function isDoubtful(
  doubt: KeyDoubt | undefined,
  key: string,
  at: Schema | undefined,
  root: Schema | undefined,
): boolean {
  if (doubt === undefined || doubt === "inside") return doubt === "inside";
  if (propertySchema(at, key, root) !== undefined) return false;
  return doubt === "bare" || declaresOthers(at, root);
}

/** Whether the schema lists its properties and does not allow others. */
function declaresOthers(schema: Schema | undefined, root: Schema | undefined): boolean {
  if (schema === undefined || root === undefined) return false;
  const { properties, additionalProperties: more } = resolveRef(schema, root);
  return isSchema(properties) && more !== true && !isSchema(more);
}

/** One comparison of arguments with a schema, with a budget. */
class Check {
  #steps = 0;
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
  }

  value(value: Json, schema: unknown, depth: number): FitProblem | undefined {
    if (schema === false) return "invalid-arguments";
    this.#steps += 1;
    if (!isSchema(schema) || depth > MAX_DEPTH || this.#steps > MAX_STEPS) return undefined;
    const at = resolveRef(schema, this.#root);
    const types = ownTypes(at);
    if (value === null && (at.nullable === true || types.has("null"))) return undefined;
    if (types.size > 0 && !hasType(value, types)) return valueProblem(value);
    const choices = choicesOf(at);
    if (choices !== undefined && !isAmong(value, choices)) return valueProblem(value);
    if (typeof value === "string") return textProblem(value, at) ?? this.#branches(value, at, depth);
    const problem = isPlainObject(value) ? this.#object(value, at, depth) : this.#list(value, at, depth);
    return problem ?? this.#branches(value, at, depth);
  }

  #list(value: Json, at: Schema, depth: number): FitProblem | undefined {
    if (!Array.isArray(value)) return undefined;
    if (value.length === 0 && Number(at.minItems) > 0) return "empty-argument";
    for (const item of at.items === undefined ? [] : (value as readonly Json[])) {
      const problem = this.value(item, at.items, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #object(value: JsonObject, at: Schema, depth: number): FitProblem | undefined {
    const required = requiredKeys(at, this.#root);
    if (required.some((key) => !Object.hasOwn(value, key))) return "missing-argument";
    for (const [key, inner] of Object.entries(value)) {
      const property = isSchema(at.properties) && Object.hasOwn(at.properties, key) ? at.properties[key] : undefined;
      // Null for an optional parameter is the same as omitting it.
      if (inner === null && !required.includes(key)) continue;
      const problem =
        property === undefined ? this.#unlisted(key, inner, at, depth) : this.value(inner, property, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** A key that `properties` does not list. */
  #unlisted(key: string, value: Json, at: Schema, depth: number): FitProblem | undefined {
    // Patterns for keys are not tested: some of them take exponential time on a long key.
    if (at.patternProperties !== undefined || propertySchema(at, key, this.#root) !== undefined) return undefined;
    return this.value(value, at.additionalProperties, depth + 1);
  }

  /** Checks `anyOf`, `oneOf` and `allOf`. Whether more than one branch of `oneOf` fits is not checked. */
  #branches(value: Json, at: Schema, depth: number): FitProblem | undefined {
    for (const branches of [at.anyOf, at.oneOf]) {
      if (!Array.isArray(branches) || branches.length === 0) continue;
      const problems = branches.map((branch) => this.value(value, branch, depth + 1));
      if (problems.every((problem) => problem !== undefined))
        return problems.length === 1 ? problems[0] : valueProblem(value);
    }
    for (const branch of Array.isArray(at.allOf) ? at.allOf : []) {
      const problem = this.value(value, branch, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
}

/** The values that `enum` or `const` allow. */
function choicesOf(schema: Schema): readonly Json[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum as readonly Json[];
  return "const" in schema ? [schema.const as Json] : undefined;
}

/** Distinguishes an empty value from a wrong one. */
function valueProblem(value: Json): FitProblem {
  return value === null || value === "" ? "empty-argument" : "invalid-arguments";
}

function hasType(value: Json, types: ReadonlySet<string>): boolean {
  if (value === null) return types.has("null");
  if (Array.isArray(value)) return types.has("array");
  if (typeof value === "number") return types.has("number") || (types.has("integer") && Number.isInteger(value));
  if (typeof value === "string" && !types.has("string"))
    return (types.has("integer") || types.has("number")) && BIG_INTEGER.test(value);
  return types.has(typeof value);
}

function isAmong(value: Json, choices: readonly Json[]): boolean {
  if (typeof value !== "object" || value === null) return choices.includes(value);
  const text = canonicalJson(value);
  return choices.some((choice) => canonicalJson(choice) === text);
}

/** Tests a pattern only on the empty text: on others, a bad pattern could take exponential time. */
function textProblem(value: string, { minLength, pattern }: Schema): FitProblem | undefined {
  if (typeof minLength === "number" && value.length < minLength) return valueProblem(value);
  if (value !== "" || typeof pattern !== "string" || pattern.length > MAX_PATTERN_CHARS) return undefined;
  try {
    return new RegExp(pattern, "u").test("") ? undefined : "empty-argument";
  } catch {
    return undefined;
  }
}
