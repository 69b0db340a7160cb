import type { Category, Phase } from "../../model/outcome.ts";

/** Refusals by a user, a rule or a policy before the call ran. */
const GATE =
  /(?:haven't granted|requested permissions|has been denied|was denied|denied by|hook error|blocked by|was blocked|not allowed by|policy|by (?:the )?user|user (?:rejected|declined|denied|doesn't|does not)|tool use was rejected|approval|permission to (?:use|run)|sandbox)/i;

/** Derives the phase from the category and the text, if nothing else determines it. */
export function phaseOf(category: Category, words: string): Phase {
  switch (category) {
    case "unknown_tool":
    case "invalid_arguments":
      return "call";
    case "precondition":
      return "call";
    case "permission_denied":
    case "cancelled":
      return GATE.test(words) ? "gate" : "run";
    default:
      return "run";
  }
}
