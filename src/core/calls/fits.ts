import type { JsonNode } from "../json/json-tree.ts";
import { canonicalText, type JsonType, type Limits, type SchemaNode } from "./schema.ts";

/** Why a value does not fit its schema. */
export interface Misfit {
  /** JSON path: `$`, `$.tags[0]`. */
  readonly path: string;
  readonly problem: string;
}

/** A text from which nodes were read, and the work that may still be spent on it. */
export interface Source {
  readonly text: string;
  readonly steps: Steps;
  /** Whether `oneOf` means exactly one. */
  readonly isStrict?: boolean;
}

/** Alternatives inside alternatives multiply, and schemas and values come from strangers. */
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
 * Returns the first reason why the value does not fit, or undefined. Throws {@link TooManyStepsError}. The depth of a value is limited where it is read,
 * so recursion is bounded.
 */
export function findMisfit(source: Source, value: JsonNode, schema: SchemaNode, path = "$"): Misfit | undefined {
  if (schema.isOpaque) return undefined;
  source.steps.take();
  const own =
    misfitOfType(value, schema, source, path) ??
    misfitOfMembers(value, schema, source, path) ??
    misfitOfLimits(value, schema, source, path) ??
    misfitInside(value, schema, source, path);
  if (own !== undefined) return own;
  for (const { isExclusive, alternatives } of schema.unions) {
    const misfits = alternatives.map((alternative) => findMisfit(source, value, alternative, path));
    const fitting = misfits.filter((misfit) => misfit === undefined).length;
    if (fitting === 0) return misfits.length === 1 ? misfits[0] : { path, problem: "fits none of the alternatives" };
    if (isExclusive && source.isStrict === true && fitting > 1)
      return { path, problem: "fits several alternatives of which one must fit" };
  }
  return undefined;
}

/** The types that a value has: a whole number is also an integer. */
export function typesOfValue(value: JsonNode, { text }: Source): readonly JsonType[] {
  switch (value.kind) {
    case "true":
    case "false":
      return ["boolean"];
    case "number":
      return Number.isInteger(Number(text.slice(value.start, value.end))) ? ["integer", "number"] : ["number"];
    default:
      return [value.kind];
  }
}

function misfitOfType(value: JsonNode, { types }: SchemaNode, source: Source, path: string): Misfit | undefined {
  if (types === undefined) return undefined;
  const found = typesOfValue(value, source);
  if (found.some((type) => types.has(type))) return undefined;
  return { path, problem: `must be ${[...types].join(" or ")}, is ${found[0] ?? ""}` };
}

function misfitOfMembers(value: JsonNode, { members }: SchemaNode, { text }: Source, path: string): Misfit | undefined {
  if (members === undefined) return undefined;
  if (members.has(canonicalText(JSON.parse(text.slice(value.start, value.end))))) return undefined;
  return { path, problem: "is none of the allowed values" };
}

function misfitOfLimits(value: JsonNode, { limits }: SchemaNode, source: Source, path: string): Misfit | undefined {
  const problem = limitProblem(value, limits, source);
  return problem === undefined ? undefined : { path, problem };
}

function limitProblem(value: JsonNode, limits: Limits, source: Source): string | undefined {
  switch (value.kind) {
    case "string":
      if (source.isStrict === true && limits.pattern !== undefined && !matches(value.value, limits.pattern))
        return "does not match its pattern";
      // In characters, not in UTF-16 units.
      return outside(value.value.length, limits.minLength, limits.maxLength) === undefined
        ? undefined
        : named("length", outside([...value.value].length, limits.minLength, limits.maxLength));
    case "array":
      if (limits.uniqueItems === true && hasRepeated(value.items, source)) return "repeats an item";
      return named("number of items", outside(value.items.length, limits.minItems, limits.maxItems));
    case "object":
      return named("number of members", outside(value.members.length, limits.minProperties, limits.maxProperties));
    case "number":
      return numberProblem(Number(source.text.slice(value.start, value.end)), limits);
    default:
      return undefined;
  }
}

const MAX_MATCHED_CHARS = 256;

/** Patterns come from strangers: those that could take long are not tried, and match nothing. */
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

function hasRepeated(items: readonly JsonNode[], { text }: Source): boolean {
  return new Set(items.map(({ start, end }) => canonicalText(JSON.parse(text.slice(start, end))))).size < items.length;
}

function misfitInside(value: JsonNode, schema: SchemaNode, source: Source, path: string): Misfit | undefined {
  if (value.kind === "array") {
    for (const [index, item] of value.items.entries()) {
      const misfit = findMisfit(source, item, schema.items, `${path}[${index}]`);
      if (misfit !== undefined) return misfit;
    }
  }
  if (value.kind !== "object") return undefined;
  // Of a repeated key, the last value counts, as JSON.parse reads it.
  const last = new Map(value.members.map(({ key, value: inner }) => [key, inner]));
  for (const key of schema.required)
    if (!last.has(key)) return { path: memberPath(path, key), problem: "is required and missing" };
  for (const [key, inner] of last) {
    const at = memberPath(path, key);
    const declared = schema.properties.get(key) ?? schema.additional;
    if (declared === false) return { path: at, problem: "is not declared" };
    const misfit = findMisfit(source, inner, declared, at);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

export function memberPath(path: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
