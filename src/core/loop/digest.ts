export const LOW_SEED = 0x811c9dc5;
export const HIGH_SEED = 0x9e3779b9;
export const LOW_PRIME = 0x01000193;
export const HIGH_PRIME = 0x85ebca6b;

export function digestOf(text: string, seed: number, prime: number): number {
  let sum = seed;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), prime);
  return sum;
}

/** A digest of 64 bits, for comparison only: it has no salt, and equal digests can be constructed. */
export function digest(text: string): string {
  const low = digestOf(text, LOW_SEED, LOW_PRIME) >>> 0;
  const high = digestOf(text, HIGH_SEED, HIGH_PRIME) >>> 0;
  return `${text.length.toString(36)}.${low.toString(36)}.${high.toString(36)}`;
}
