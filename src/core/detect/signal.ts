import type { Category, Phase } from "../model/outcome.ts";

/** What one rule saw in a result. */
export interface Signal {
  readonly kind: "finding";
  /** `failure`, `success`, or `open`: the rule knows that nobody can know (still running, empty, cut). */
  readonly says: "failure" | "success" | "open";
  /** The rule's public id. */
  readonly rule: string;
  /** Where it was seen, in UTF-16 units of the whole text; -1 when it stands in no one place. */
  readonly at: number;
  /** The words that count: the excerpt, and what the category is read from. */
  readonly words: string;
  /** How often a verdict of this rule is right, 0 to 1. */
  readonly confidence: number;
  /** The harness itself said it (an exit status, a flag inside an envelope): it counts as the flag. */
  readonly stated?: boolean;
  readonly category?: Category;
  readonly phase?: Phase;
  readonly exitCode?: number;
  /** It stands below what it speaks about, not above. */
  readonly footer?: boolean;
  /** The envelope around it says that all is well: the failure is told inside. */
  readonly denied?: boolean;
  /** Nothing after this word is worth reading: a still running process, say. */
  readonly final?: boolean;
}

/** A finding from its parts, so that every rule writes them the same way. */
export function createSignal(
  says: Signal["says"],
  rule: string,
  at: number,
  words: string,
  confidence: number,
  more?: Partial<Pick<Signal, "stated" | "category" | "phase" | "exitCode" | "final" | "denied" | "footer">>,
): Signal {
  return { kind: "finding", says, rule, at, words, confidence, ...more };
}
