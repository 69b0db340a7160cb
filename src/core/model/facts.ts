/** A value with the rank of its source and its time, by which merge chooses. */
export interface Fact<T> {
  readonly value: T;
  readonly rank: number;
  readonly at: number;
}

/** Null where the fact is not known, as columns and JSON fields have it. */
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
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item) ?? "null").join(",")}]`;
  const fields = value as Readonly<Record<string, unknown>>;
  const parts: string[] = [];
  for (const name of Object.keys(fields).sort()) {
    if (fields[name] !== undefined) parts.push(`${JSON.stringify(name)}:${canonicalText(fields[name])}`);
  }
  return `{${parts.join(",")}}`;
}

/** Compares like {@link canonicalText}, without serializing. Mostly fast, because merge preserves references. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  for (const name in left) if (!sameValue(left[name], right[name])) return false;
  for (const name in right) if (right[name] !== undefined && left[name] === undefined) return false;
  return true;
}
