import type { Arguments, Call, JsonValue } from "./safety-case.ts";

/**
 * Compares names and arguments in order. Text formats carry no types, so "5" equals 5, and outer whitespace does not
 * count.
 */
export function sameCalls(left: readonly Call[], right: readonly Call[]): boolean {
  return left.length === right.length && left.every((call, index) => keyOf(call) === keyOf(right[index] as Call));
}

function keyOf(call: Call): string {
  return JSON.stringify([call.name, normalize(call.arguments ?? {})]);
}

function normalize(value: JsonValue): JsonValue {
  if (typeof value === "string") return scalar(value.trim());
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(normalize);
  return Object.fromEntries(
    Object.entries(value as Arguments)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, normalize(item)]),
  );
}

function scalar(text: string): JsonValue {
  if (text === "True") return true;
  if (text === "False") return false;
  if (text === "None") return null;
  try {
    const value: JsonValue = JSON.parse(text);
    return typeof value === "string" ? text : normalize(value);
  } catch {
    return text;
  }
}
