import type { FinishReason } from "../agent/index.ts";
import { stopProblem } from "../core/repair/stop-reason.ts";

/** Maps a provider's stop reason. Unknown reasons are errors: calls of such a turn are not run. */
export function finishReason(stopReason: string): FinishReason {
  const problem = stopProblem(stopReason);
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
