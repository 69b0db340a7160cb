import { canonicalJson, isPlainObject } from "../json/values.ts";
import type { Json, JsonObject } from "../model/tool-call.ts";
import type { JsonType, Limits, SchemaNode } from "./compile.ts";
import { propertyOf, readable } from "./lookup.ts";

/** Why a value does not fit its schema. */
export interface Misfit {
  /** JSON path: `$`, `$.tags[0]`. */
  readonly path: string;
  readonly problem: string;
  /** The problem; absent for a missing member. */
  readonly value?: Json;
}

/** How strictly values are compared, and the remaining work budget. */
export interface FitRules {
  readonly steps: Steps;
  /** Whether `oneOf` means exactly one, and patterns must match. */
  readonly isStrict?: boolean;
  /**
   * Reports definite violations only. Of an unsupported schema, the readable part counts. Null may replace an omitted
   * optional member, an integer may be a string with all its digits, and of the limits only those count that forbid an
   * empty value.
   */
  readonly isLenient?: boolean;
}

/** Nested alternatives multiply, and schemas and values are untrusted. */
export class Steps {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  take(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new TooManyStepsError();
  }
}

export class TooManyStepsError extends Error {
  readonly code = "too-many-steps";
  override readonly name = "TooManyStepsError";
}

/**
 * Returns the first reason why the value does not fit, or undefined. Throws {@link TooManyStepsError}. The depth of a
 * value is limited where it is read, so recursion is bounded.
 */
export function findMisfit(
  rules: FitRules,
  value: Json,
  declared: SchemaNode,
  path = "$",
  depth = 0,
): Misfit | undefined {
  if (declared.isOpaque && rules.isLenient !== true) return undefined;
  const schema = readable(declared);
  // A schema may be an alternative of itself.
  if (depth > MAX_DEPTH) throw new TooManyStepsError();
  rules.steps.take();
  if (rules.isLenient === true && value === null && (schema.isNullable || schema.types?.has("null"))) return undefined;
  const problem =
    typeProblem(value, schema, rules) ?? memberProblem(value, schema) ?? limitProblem(value, schema, rules);
  if (problem !== undefined) return { path, problem, value };
  return misfitInside(value, schema, rules, path, depth) ?? misfitOfUnions(value, schema, rules, path, depth);
}

/** Values have at most 200 levels after parsing, with an alternative at each level. */
const MAX_DEPTH = 500;

function misfitOfUnions(
  value: Json,
  { unions }: SchemaNode,
  rules: FitRules,
  path: string,
  depth: number,
): Misfit | undefined {
  for (const { isExclusive, alternatives } of unions) {
    const misfits = alternatives.map((alternative) => findMisfit(rules, value, alternative, path, depth + 1));
    const fitting = misfits.filter((misfit) => misfit === undefined).length;
    if (fitting === 0)
      return misfits.length === 1 ? misfits[0] : { path, problem: "fits none of the alternatives", value };
    if (isExclusive && rules.isStrict === true && fitting > 1)
      return { path, problem: "fits several alternatives of which one must fit", value };
  }
  return undefined;
}

/** The types that a value has: a whole number is also an integer. */
export function typesOfValue(value: Json): readonly JsonType[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  return [typeof value as JsonType];
}

/** An integer that a double cannot represent is passed as text with all its digits. */
const BIG_INTEGER = /^-?\d{16,400}$/;

function typeProblem(value: Json, { types }: SchemaNode, { isLenient }: FitRules): string | undefined {
  if (types === undefined) return undefined;
  const found = typesOfValue(value);
  if (found.some((type) => types.has(type))) return undefined;
  const isDigits = isLenient === true && typeof value === "string" && BIG_INTEGER.test(value);
  if (isDigits && (types.has("integer") || types.has("number"))) return undefined;
  return `must be ${[...types].join(" or ")}, is ${found[0] ?? ""}`;
}

function memberProblem(value: Json, { members }: SchemaNode): string | undefined {
  return members === undefined || members.has(canonicalJson(value)) ? undefined : "is none of the allowed values";
}

function limitProblem(value: Json, { limits }: SchemaNode, rules: FitRules): string | undefined {
  if (rules.isLenient === true) return emptyProblem(value, limits);
  if (typeof value === "string") {
    if (rules.isStrict === true && limits.pattern !== undefined && !matches(value, limits.pattern))
      return "does not match its pattern";
    // In characters, not in UTF-16 units.
    return outside(value.length, limits.minLength, limits.maxLength) === undefined
      ? undefined
      : named("length", outside([...value].length, limits.minLength, limits.maxLength));
  }
  if (typeof value === "number") return numberProblem(value, limits);
  if (Array.isArray(value)) {
    if (limits.uniqueItems === true && new Set(value.map(canonicalJson)).size < value.length) return "repeats an item";
    return named("number of items", outside(value.length, limits.minItems, limits.maxItems));
  }
  return isPlainObject(value)
    ? named("number of members", outside(Object.keys(value).length, limits.minProperties, limits.maxProperties))
    : undefined;
}

/**
 * A text or a list that is too short. A pattern is tested on the empty text only, because a bad one takes long on
 * others.
 */
function emptyProblem(value: Json, { minLength = 0, minItems = 0, pattern }: Limits): string | undefined {
  if (Array.isArray(value)) return value.length === 0 && minItems > 0 ? "must not be empty" : undefined;
  if (typeof value !== "string") return undefined;
  if (value.length < minLength) return "length is below the minimum";
  if (value !== "" || pattern === undefined || pattern.length > MAX_MATCHED_CHARS) return undefined;
  try {
    return new RegExp(pattern, "u").test("") ? undefined : "does not match its pattern";
  } catch {
    return undefined;
  }
}

const MAX_MATCHED_CHARS = 256;

/** Patterns are untrusted: those that could take long are not evaluated, and match nothing. */
function matches(text: string, pattern: string): boolean {
  const isSimple = !pattern.includes("(") && (pattern.match(/[*+{]/g) ?? []).length <= 3;
  if (!isSimple || pattern.length > MAX_MATCHED_CHARS || text.length > MAX_MATCHED_CHARS) return false;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return false;
  }
}

function outside(size: number, min = 0, max = Number.POSITIVE_INFINITY): string | undefined {
  if (size < min) return "below the minimum";
  return size > max ? "above the maximum" : undefined;
}

function named(what: string, problem: string | undefined): string | undefined {
  return problem && `${what} is ${problem}`;
}

function numberProblem(value: number, limits: Limits): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits;
  if (multipleOf !== undefined && multipleOf > 0 && !Number.isInteger(value / multipleOf))
    return `must be a multiple of ${multipleOf}`;
  if (value <= (exclusiveMinimum ?? Number.NEGATIVE_INFINITY)) return "value is below the minimum";
  if (value >= (exclusiveMaximum ?? Number.POSITIVE_INFINITY)) return "value is above the maximum";
  return named("value", outside(value, minimum ?? Number.NEGATIVE_INFINITY, maximum));
}

function misfitInside(
  value: Json,
  schema: SchemaNode,
  rules: FitRules,
  path: string,
  depth: number,
): Misfit | undefined {
  if (isPlainObject(value)) return misfitOfMembers(value, schema, rules, path, depth);
  if (!Array.isArray(value)) return undefined;
  for (const [index, item] of (value as readonly Json[]).entries()) {
    const misfit = findMisfit(rules, item, schema.items, `${path}[${index}]`, depth + 1);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function misfitOfMembers(
  value: JsonObject,
  schema: SchemaNode,
  rules: FitRules,
  path: string,
  depth: number,
): Misfit | undefined {
  for (const key of schema.required)
    if (!Object.hasOwn(value, key)) return { path: memberPath(path, key), problem: "is required and missing" };
  for (const [key, inner] of Object.entries(value)) {
    const at = memberPath(path, key);
    const declared = schema.properties.get(key) ?? schema.additional;
    if (rules.isLenient === true && isExcused(key, inner, schema, declared)) continue;
    if (declared === false) return { path: at, problem: "is not declared", value: inner };
    const misfit = findMisfit(rules, inner, declared, at, depth + 1);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

/** Null for an optional member is equivalent to leaving it out, and an alternative may declare a key. */
function isExcused(key: string, value: Json, schema: SchemaNode, declared: SchemaNode | false): boolean {
  if (value === null && !schema.required.has(key)) return true;
  return declared === false && propertyOf(schema, key) !== undefined;
}

export function memberPath(path: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
