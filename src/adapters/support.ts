import type { FinishReason, ModelCall } from "../agent/index.ts";
import { argumentsObject } from "../agent/loop/events.ts";
import { stopProblem } from "../core/repair/stop-reason.ts";
import { isObject, parseJson } from "../core/wire/json.ts";

/** Returns undefined if the work throws: a defect in Toolmend must not break the caller's response. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random letters and digits from a cryptographic source. */
export function randomId(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => ALPHABET[byte % ALPHABET.length]).join(
    "",
  );
}

/** The arguments of a call as a JSON object; the model's own text if it is one. */
export function argumentsText({ arguments: args }: ModelCall): string {
  return typeof args === "string" && isObject(parseJson(args)) ? args : JSON.stringify(argumentsObject(args));
}

/** Maps a provider's stop reason. Unknown reasons are errors: calls of such a turn are not run. */
export function finishReason(stopReason: string): FinishReason {
  // Anthropic's server tools: the turn continues in the next request.
  if (stopReason === "pause_turn") return "pause";
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
