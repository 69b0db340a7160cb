import type { Category, Phase } from "../model/outcome.ts";

/** What one detection rule found in a result. */
export interface Signal {
  readonly kind: "finding";
  /** `open`: the result does not reveal its status, because it is empty, truncated or of a running process. */
  readonly says: "failure" | "success" | "open";
  /** The rule's public id. */
  readonly rule: string;
  /** Position in UTF-16 units of the whole text; -1 if it has no single position. */
  readonly at: number;
  /** The matched text: used as the excerpt and to derive the category. */
  readonly words: string;
  /** How often this rule is right, 0 to 1. */
  readonly confidence: number;
  /** Written by the client itself, such as an exit code or a flag inside an envelope: counts as the flag. */
  readonly stated?: boolean;
  readonly category?: Category;
  readonly phase?: Phase;
  readonly exitCode?: number;
  /** Follows the output it refers to instead of preceding it. */
  readonly footer?: boolean;
  /** The enclosing envelope reports success; only the text inside reports the failure. */
  readonly denied?: boolean;
  /** The words that decided, if no rule did. */
  readonly grams?: readonly { readonly at: number; readonly words: string }[];
  /** No further rule applies, for example to the output of a running process. */
  readonly final?: boolean;
}

/** Creates a signal from its parts. */
export function createSignal(
  says: Signal["says"],
  rule: string,
  at: number,
  words: string,
  confidence: number,
  more?: Partial<Pick<Signal, "stated" | "category" | "phase" | "exitCode" | "final" | "denied" | "footer" | "grams">>,
): Signal {
  return { kind: "finding", says, rule, at, words, confidence, ...more };
}
