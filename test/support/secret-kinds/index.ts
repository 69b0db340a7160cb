import { createRandom } from "../../../src/demo/seeded-random.ts";
import { LINE_KINDS } from "./commands.ts";
import { BLOCK_KINDS } from "./files.ts";
import type { SecretKind } from "./kind.ts";
import { createMaker } from "./maker.ts";
import { NAMED_KINDS } from "./names.ts";
import { PLACEMENTS, type Placement, placeSecret } from "./placements.ts";
import { VENDOR_KINDS } from "./vendors.ts";

export const SECRET_KINDS: readonly SecretKind[] = [...VENDOR_KINDS, ...NAMED_KINDS, ...LINE_KINDS, ...BLOCK_KINDS];

/** A fragment of this length is enough to recognize a secret, or to cut down guessing. */
const FRAGMENT_CHARS = 6;

export interface SecretCase {
  readonly title: string;
  readonly kind: SecretKind["kind"];
  readonly placement: Placement;
  readonly text: string;
  readonly secrets: readonly string[];
}

/** Returns every kind at every placement that fits it; the same cases for the same seed. */
export function makeSecretCases(seed: number, kinds: readonly SecretKind[] = SECRET_KINDS): readonly SecretCase[] {
  const maker = createMaker(createRandom(seed));
  return kinds.flatMap((kind) =>
    PLACEMENTS.flatMap((placement) => {
      const placed = placeSecret(kind, placement, maker);
      return placed === undefined ? [] : [{ title: kind.title, kind: kind.kind, placement, ...placed }];
    }),
  );
}

/** The first fragment of a secret that is still in the text; undefined if none is left. */
export function findSurvivor(text: string, secrets: readonly string[]): string | undefined {
  for (const secret of secrets) {
    const pieces = secret.split("\n").map((piece) => piece.trim());
    for (const piece of pieces) {
      const length = Math.min(FRAGMENT_CHARS, piece.length);
      for (let start = 0; length > 0 && start + length <= piece.length; start += 1) {
        const fragment = piece.slice(start, start + length);
        if (text.includes(fragment)) return fragment;
      }
    }
  }
  return undefined;
}
