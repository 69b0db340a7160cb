import { isPlainObject, type KeyDoubt } from "../json/values.ts";
import type { Json, JsonObject } from "../model/tool-call.ts";
import type { SchemaNode } from "../schema/compile.ts";
import { findMisfit, Steps, TooManyStepsError } from "../schema/fits.ts";
import { itemsOf, propertyOf, readable, requiredOf } from "../schema/lookup.ts";

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
/** Limits comparisons, because the branches of a recursive schema multiply. Beyond it, the rest counts as valid. */
const MAX_STEPS = 20_000;

/**
 * Compares arguments with the schema of their tool. Reports definite violations only: a keyword that is not checked here
 * counts as satisfied.
 *
 * @example
 * fitProblem({}, { properties: { path: { type: "string" } }, required: ["path"] }) // "missing-argument"
 */
export function fitProblem(
  args: JsonObject,
  schema: SchemaNode | undefined,
  doubts: Doubts = NO_DOUBTS,
): FitProblem | undefined {
  if (doubts.ambiguous === true) return "ambiguous";
  if (doubts.keys !== undefined && hasDoubtfulKey(args, schema, doubts.keys)) return "ambiguous";
  const unstated = doubts.unstated !== undefined && doubts.unstated.length > 0 ? "empty-argument" : undefined;
  if (schema === undefined) return unstated;
  // A parameter without a value is reported as empty, not as missing.
  const absent = requiredOf(schema).some((key) => !Object.hasOwn(args, key) && doubts.unstated?.includes(key) !== true);
  if (absent) return "missing-argument";
  if (doubts.unquoted === true && statesNothing(args, schema)) return "empty-argument";
  return unstated ?? misfitProblem(args, schema);
}

function misfitProblem(args: JsonObject, schema: SchemaNode): FitProblem | undefined {
  try {
    const misfit = findMisfit({ steps: new Steps(MAX_STEPS), isLenient: true }, args, schema);
    if (misfit === undefined) return undefined;
    const { value } = misfit;
    if (value === undefined) return "missing-argument";
    const isEmpty = value === null || value === "" || (Array.isArray(value) && value.length === 0);
    return isEmpty ? "empty-argument" : "invalid-arguments";
  } catch (error) {
    if (error instanceof TooManyStepsError) return undefined;
    throw error;
  }
}

/** Whether all required parameters are empty: a form that was not filled in. One of several may be empty on purpose. */
function statesNothing(args: JsonObject, schema: SchemaNode): boolean {
  const required = requiredOf(schema);
  return (
    required.length > 0 && required.every((key) => typeof args[key] === "string" && (args[key] as string).trim() === "")
  );
}

/** Whether an undeclared key may be the rest of the text before it. */
function hasDoubtfulKey(
  args: JsonObject,
  schema: SchemaNode | undefined,
  keys: ReadonlyMap<string, KeyDoubt>,
): boolean {
  const pending: Array<{ readonly value: Json; readonly schema: SchemaNode | undefined }> = [{ value: args, schema }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, schema: at } = next;
    if (Array.isArray(value)) {
      const items = itemsOf(at);
      for (const item of value as readonly Json[]) pending.push({ value: item, schema: items });
    } else if (isPlainObject(value)) {
      const members = Object.entries(value);
      if (members.some(([key]) => isDoubtful(keys.get(key), key, at))) return true;
      for (const [key, inner] of members) pending.push({ value: inner, schema: propertyOf(at, key) });
    }
  }
  return false;
}

function isDoubtful(doubt: KeyDoubt | undefined, key: string, at: SchemaNode | undefined): boolean {
  if (doubt === undefined || doubt === "inside") return doubt === "inside";
  return propertyOf(at, key) === undefined && (doubt === "bare" || declaresOthers(at));
}

/** Whether the schema lists its properties and does not allow others. */
function declaresOthers(schema: SchemaNode | undefined): boolean {
  return schema !== undefined && readable(schema).listsProperties && !readable(schema).allowsOthers;
}

/** Arguments that could reach a prototype. */
export const UNSAFE_KEYS: readonly string[] = ["__proto__", "constructor", "prototype"];

/** Detects definite violations only: a missing required key, or arguments that are themselves a JSON Schema. */
export function fitsSchema(args: JsonObject, schema: SchemaNode | undefined): boolean {
  return !isSchemaEcho(args, schema) && requiredOf(schema).every((key) => Object.hasOwn(args, key));
}

/** Whether arguments have no required and no declared key: an HTML element with a tool's name. */
export function isUndeclaredElement(args: JsonObject, schema: SchemaNode | undefined): boolean {
  const keys = Object.keys(args);
  if (keys.length === 0 || fitsSchema(args, schema)) return false;
  return keys.every((key) => propertyOf(schema, key) === undefined);
}

/** Whether arguments are a JSON Schema: the model repeated the tool's declaration. */
export function isSchemaEcho(args: JsonObject, schema: SchemaNode | undefined): boolean {
  if (args.type !== "object" || !isPlainObject(args.properties)) return false;
  return propertyOf(schema, "properties") === undefined;
}
