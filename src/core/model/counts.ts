/** How often each name was met. */
export type Counts = { readonly [name: string]: number };

/** Counts to add to. Names come from models and tools: `constructor` must be as new to it as any other, and `__proto__` a name. */
export function noCounts(): Record<string, number> {
  return Object.create(null) as Record<string, number>;
}
