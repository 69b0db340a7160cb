import type { PayloadName } from "../payload/registry.ts";

export type { PayloadName };

/**
 * How much the opener alone proves. `strong`: nothing else writes it, any name passes. `named`: the name must be
 * declared. `weak`: declared, anchored, and the arguments must fit the schema.
 */
export type Strength = "strong" | "named" | "weak";

/**
 * One format: an envelope and its possible payloads. Rows may share an opener; the first row whose payload recognizes
 * the body is used. A row contains no code: the scanner finds openers, the payloads find ends, and closers are consumed
 * wherever they occur.
 *
 * @example
 * const acme: FormatRow = { format: "acme", openers: ["<<CALL>>"], closers: ["<<END>>"], payloads: ["json"], strength: "strong" };
 */
export interface FormatRow {
  readonly format: string;
  /**
   * As on the wire. Tags and special tokens match in any case, with any bars and spaces; `f` after `=` or in a `name=`
   * is a placeholder for the tool's name.
   */
  readonly openers: readonly string[];
  /** In addition to the closers of tags, `</f>` for `<f>`. */
  readonly closers?: readonly string[];
  readonly payloads: readonly PayloadName[];
  readonly strength: Strength;
  /** `line`: only as the first thing on a line. */
  readonly anchor?: "anywhere" | "line";
  /** The opener is the beginning of the body (`{`, `functools[`). */
  readonly bare?: boolean;
  /** Words that may directly precede the opener and are removed with it. */
  readonly leads?: readonly string[];
  /** Calls inside are of this format, whatever their own tags say. */
  readonly outer?: boolean;
  /** Values are decoded when they are clearly entity-encoded. */
  readonly entities?: boolean;
  /** Only when nothing visible follows in the message. */
  readonly last?: boolean;
}

/** A tag named after a tool has no row in the table: the request's tools are its openers. */
export const TOOL_TAG: FormatRow = {
  format: "tag-per-tool",
  openers: [],
  payloads: ["elements"],
  strength: "named",
  entities: true,
};
