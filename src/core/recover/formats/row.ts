/** The readers a row can name; see docs/formats.md. */
export type PayloadName =
  | "json"
  | "keyed-json"
  | "weak-json"
  | "markup"
  | "elements"
  | "named"
  | "name-element"
  | "headed"
  | "recipient"
  | "indexed"
  | "pythonic"
  | "weak-pythonic"
  | "braces"
  | "react"
  | "functionary"
  | "nested"
  | "word-nested";

/**
 * How much the opener alone proves. `strong`: nothing else writes it, any name passes. `named`: the name must be
 * declared. `weak`: declared, anchored, and the arguments must fit the schema.
 */
export type Strength = "strong" | "named" | "weak";

/**
 * One format: an envelope and what may be in it. Rows may share an opener; the first whose payload recognises the body
 * takes it. A row brings no code: the scanner finds openers, the payloads find ends, closers are eaten where they stand.
 *
 * @example
 * const acme: FormatRow = { format: "acme", openers: ["<<CALL>>"], closers: ["<<END>>"], payloads: ["json"], strength: "strong" };
 */
export interface FormatRow {
  readonly format: string;
  /**
   * As on the wire. Tags and special tokens match in any case, with any bars and blanks; `f` after `=` or in a `name=`
   * stands for the tool's name.
   */
  readonly openers: readonly string[];
  readonly closers: readonly string[];
  readonly payloads: readonly PayloadName[];
  readonly strength: Strength;
  /** `line`: only as the first thing on a line. */
  readonly anchor?: "anywhere" | "line";
  /** The opener is the beginning of the body (`{`, `functools[`). */
  readonly bare?: boolean;
  /** What may stand directly before the opener and goes with it. */
  readonly leads?: readonly string[];
  /** Calls inside are of this format, whatever their own tags say. */
  readonly outer?: boolean;
  /** Values are decoded when they are clearly entity-encoded. */
  readonly entities?: boolean;
  /** Only when nothing visible follows in the message. */
  readonly last?: boolean;
}
