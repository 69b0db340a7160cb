import type { Json, JsonObject } from "../../../src/core/model/tool-call.ts";

/** Accessors for unvalidated JSON: each returns an empty value where the shape differs. */

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function arrayOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}

function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The name providers use for a value's type in their messages: `an object`, `null`. */
export function typeName(value: Json | undefined): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "an array";
  switch (typeof value) {
    case "object":
      return "an object";
    case "number":
      return Number.isInteger(value) ? "an integer" : "a decimal";
    default:
      return `a ${typeof value}`;
  }
}

/** Parses untrusted text; undefined when it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
