/** The number of occurrences of each name. */
export type Counts = { readonly [name: string]: number };

/**
 * An empty record without a prototype. Names come from models and tools: `constructor` must not be found, and
 * `__proto__` must be an ordinary key.
 */
export function noCounts(): Record<string, number> {
  const counts: Record<string, number> = Object.create(null);
  return counts;
}
