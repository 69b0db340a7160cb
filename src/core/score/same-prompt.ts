import { DERIVED_PROMPT_ID } from "../model/prompt-record.ts";

/**
 * Whether two calls may belong to the same prompt of the user. True unless both prompts are known, have the same kind
 * of id, and differ: each channel has its own ids for prompts.
 */
export function mayBeSamePrompt(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b || idPatternOf(a) !== idPatternOf(b);
}

/** Ids of prompts for which the client has no id. */
const ID_PATTERNS = [
  DERIVED_PROMPT_ID,
  /** From a transcript: its number. */
  /^\d{1,9}$/,
  /** From a hook: a hash of its text. */
  /^[0-9a-f]{16}$/,
] as const;

/** -1 for an id of the client. */
function idPatternOf(prompt: string): number {
  return ID_PATTERNS.findIndex((naming) => naming.test(prompt));
}
