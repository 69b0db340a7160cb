/** A value with the rank of its source and when it happened: what merge compares. */
export interface Fact<T> {
  readonly value: T;
  readonly rank: number;
  readonly at: number;
}

/**
 * The better of two facts: higher rank, then earlier, then the smaller text.
 * That is the maximum of a total order, so any sequence of picks gives the same winner.
 */
export function pickFact<T>(a: Fact<T> | undefined, b: Fact<T> | undefined): Fact<T> | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  if (a.rank !== b.rank) return a.rank > b.rank ? a : b;
  if (a.at !== b.at) return a.at < b.at ? a : b;
  if (a.value === b.value) return a;
  return canonicalText(a.value) <= canonicalText(b.value) ? a : b;
}

/** As {@link pickFact}, but of two equal ranks the later one wins: for what may change, such as a session's model. */
export function pickLatest<T>(a: Fact<T> | undefined, b: Fact<T> | undefined): Fact<T> | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  if (a.rank !== b.rank) return a.rank > b.rank ? a : b;
  if (a.at !== b.at) return a.at > b.at ? a : b;
  return canonicalText(a.value) <= canonicalText(b.value) ? a : b;
}

/** JSON with sorted keys, so that equal values have equal texts. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}
