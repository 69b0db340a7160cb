/** The number of occurrences of each name. */
export type Counts = { readonly [name: string]: number };

/**
 * An empty record without a prototype. Names come from models and tools: `constructor` must not be found, and
 * `__proto__` must be an ordinary key.
 */
export function noCounts(): Record<string, number> {
  return Object.create(null) as Record<string, number>;
}
