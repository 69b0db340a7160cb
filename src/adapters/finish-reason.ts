import type { FinishReason } from "../agent/index.ts";
import { stopProblem } from "../core/repair/stop-reason.ts";

/** A provider's word for the end of a turn. What nobody knows is an error: calls of such a turn are not run. */
export function finishReason(word: string): FinishReason {
  const problem = stopProblem(word);
  switch (problem) {
    case undefined:
      return "stop";
    case "max-tokens":
      return "length";
    case "refusal":
    case "content-filter":
      return problem;
    default:
      return "error";
  }
}
