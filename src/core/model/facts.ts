import { hasFields, isArray, isObject } from "./narrow.ts";
/** A value with the rank of its source and its time, by which merge chooses. */
export interface Fact<T> {
  readonly value: T;
  readonly rank: number;
  readonly at: number;
}

/** Null if the fact is unknown, as in columns and JSON fields. */
export function factValue<T>(fact: Fact<T> | undefined): T | null {
  return fact === undefined ? null : fact.value;
}

export function orNull<T>(value: T | undefined): T | null {
  return value ?? null;
}

/**
 * Picks the fact with the higher rank, then the earlier one, then the smaller text.
 * This is the maximum of a total order, so the order of picks does not matter.
 */
export function pickFact<T>(a: Fact<T> | undefined, b: Fact<T>): Fact<T>;
export function pickFact<T>(a: Fact<T> | undefined, b: Fact<T> | undefined): Fact<T> | undefined;
export function pickFact<T>(a: Fact<T> | undefined, b: Fact<T> | undefined): Fact<T> | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  if (a.rank !== b.rank) return a.rank > b.rank ? a : b;
  if (a.at !== b.at) return a.at < b.at ? a : b;
  if (sameValue(a.value, b.value)) return a;
  return canonicalText(a.value) <= canonicalText(b.value) ? a : b;
}

/** Like {@link pickFact}, but prefers the later of equal ranks: for values that change, such as a session's model. */
export function pickLatest<T>(a: Fact<T> | undefined, b: Fact<T>): Fact<T> {
  if (a === undefined) return b;
  if (a.rank !== b.rank) return a.rank > b.rank ? a : b;
  if (a.at !== b.at) return a.at > b.at ? a : b;
  if (sameValue(a.value, b.value)) return a;
  return canonicalText(a.value) <= canonicalText(b.value) ? a : b;
}

/** Serializes to JSON with sorted keys, so that equal values have equal texts. */
export function canonicalText(value: unknown): string {
  if (isArray(value)) return `[${value.map((item) => canonicalText(item) ?? "null").join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const parts: string[] = [];
  for (const name of Object.keys(value).sort()) {
    if (value[name] !== undefined) parts.push(`${JSON.stringify(name)}:${canonicalText(value[name])}`);
  }
  return `{${parts.join(",")}}`;
}

/** Compares like {@link canonicalText}, without serializing. Mostly fast, because merge preserves references. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!hasFields(a) || !hasFields(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  for (const name in a) if (!sameValue(a[name], b[name])) return false;
  for (const name in b) if (b[name] !== undefined && a[name] === undefined) return false;
  return true;
}
