import { type Random, shuffled } from "./random.ts";

/**
 * Runs every target once per round, in a new random order each round: other activity on the machine affects all of them
 * alike, and no target always runs after the same one. Returns each target's measurements, one per round.
 */
export async function interleaved<N extends string, T>(
  targets: readonly N[],
  rounds: number,
  random: Random,
  run: (target: N, round: number) => Promise<T>,
): Promise<ReadonlyMap<N, readonly T[]>> {
  const results = new Map<N, T[]>(targets.map((target) => [target, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const target of shuffled(targets, random)) results.get(target)?.push(await run(target, round));
  }
  return results;
}
