import { type Random, shuffled } from "./random.ts";

/**
 * Runs every target once per round, in a new random order each round: what the machine does beside us hits all of them alike, and
 * nobody always runs behind the same neighbour. Returns each target's figures, one per round.
 */
export async function interleaved<N extends string, T>(
  targets: readonly N[],
  rounds: number,
  random: Random,
  run: (target: N, round: number) => Promise<T>,
): Promise<ReadonlyMap<N, readonly T[]>> {
  const figures = new Map<N, T[]>(targets.map((target) => [target, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const target of shuffled(targets, random)) figures.get(target)?.push(await run(target, round));
  }
  return figures;
}
