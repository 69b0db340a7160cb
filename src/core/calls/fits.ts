import type { JsonNode } from "./json-tree.ts";
import { canonicalText, type JsonType, type SchemaNode } from "./schema.ts";

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
  for (const group of schema.unions) {
    const misfits = group.map((alternative) => findMisfit(source, value, alternative, path));
    if (!misfits.includes(undefined))
      return misfits.length === 1 ? misfits[0] : { path, problem: "fits none of the alternatives" };
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

function misfitOfLimits(value: JsonNode, { limits }: SchemaNode, { text }: Source, path: string): Misfit | undefined {
  const tooFew = (what: string): Misfit => ({ path, problem: `${what} is below the minimum` });
  const tooMany = (what: string): Misfit => ({ path, problem: `${what} is above the maximum` });
  if (value.kind === "string") {
    // Counted in characters, not in UTF-16 units; only texts that may be too short or too long are counted.
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = limits;
    if (value.value.length < minLength * 2 && [...value.value].length < minLength) return tooFew("length");
    if (value.value.length > maxLength && [...value.value].length > maxLength) return tooMany("length");
  }
  if (value.kind === "array") {
    if (value.items.length < (limits.minItems ?? 0)) return tooFew("number of items");
    if (value.items.length > (limits.maxItems ?? Number.POSITIVE_INFINITY)) return tooMany("number of items");
  }
  if (value.kind === "number") {
    const number = Number(text.slice(value.start, value.end));
    if (number < (limits.minimum ?? number) || number <= (limits.exclusiveMinimum ?? Number.NEGATIVE_INFINITY))
      return tooFew("value");
    if (number > (limits.maximum ?? number) || number >= (limits.exclusiveMaximum ?? Number.POSITIVE_INFINITY))
      return tooMany("value");
  }
  return undefined;
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
