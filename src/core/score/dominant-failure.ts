/**
 * The most frequent category of failure; undefined without failures. A tie goes to the first name in the alphabet, so
 * that the result does not depend on the order of failures.
 *
 * @example
 * findDominantFailureMode({ timeout: 2, exit_code: 2, error: 1 }); // "exit_code"
 */
export function findDominantFailureMode(counts: { readonly [category: string]: number }): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const name of Object.keys(counts).sort()) {
    const count = counts[name] ?? 0;
    if (count > most) [best, most] = [name, count];
  }
  return best;
}
