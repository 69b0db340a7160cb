import type { Random } from "../../../src/demo/seeded-random.ts";

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const DIGITS = "0123456789";

/**
 * Draws the random parts of generated secrets. A secret must not appear in a source file, so all of them are generated.
 */
export interface Maker {
  readonly from: (alphabet: string, length: number) => string;
  readonly word: (length: number) => string;
  readonly hex: (length: number) => string;
  readonly digits: (length: number) => string;
  readonly upper: (length: number) => string;
  readonly lower: (length: number) => string;
  /** Standard base64 with at least one slash and one plus, without padding. */
  readonly base64: (length: number) => string;
  readonly base64url: (length: number) => string;
  readonly uuid: () => string;
  /**
   * Passwords as people choose them: 8 to 16 letters and digits, every second one with a character that needs no
   * quoting.
   */
  readonly password: () => string;
  readonly pick: <Item>(items: readonly Item[]) => Item;
}

export function createMaker(random: Random): Maker {
  const below = (limit: number): number => Math.floor(random() * limit);
  const from = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(below(alphabet.length))).join("");
  const word = (length: number): string => from(`${UPPER}${LOWER}${DIGITS}`, length);
  const hex = (length: number): string => from(`${DIGITS}abcdef`, length);
  const digits = (length: number): string => from(DIGITS, length);
  return {
    from,
    word,
    hex,
    digits,
    upper: (length) => from(`${UPPER}${DIGITS}`, length),
    lower: (length) => from(`${LOWER}${DIGITS}`, length),
    base64: (length) => {
      const cut = 2 + below(length - 8);
      return `${word(cut)}/${word(2)}+${word(length - cut - 4)}`;
    },
    base64url: (length) => from(`${UPPER}${LOWER}${DIGITS}_-`, length - 1) + word(1),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    password: () => {
      const start = `${from(LOWER + UPPER, 1)}${word(5 + below(5))}${digits(2)}`;
      return random() < 0.5 ? start : `${start}${from("!.~^%*_-+", 1)}${word(1 + below(4))}`;
    },
    pick: (items) => items[below(items.length)] as never,
  };
}
