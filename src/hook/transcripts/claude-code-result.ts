import type { Phase } from "../../core/model/outcome.ts";
import { type Fields, isObject } from "../../core/wire/json.ts";

/** By the decision that stands beside the result: none was needed for what was no proper call, and what was refused never ran. */
export function phaseOf({ permissionDecision, toolDenialKind }: Fields, decides: boolean): Phase | undefined {
  const decision = isObject(permissionDecision) ? permissionDecision.decision : undefined;
  if (decision === "reject" || (decision === undefined && typeof toolDenialKind === "string")) return "gate";
  if (decision === "accept") return "run";
  return decides && permissionDecision === undefined ? "call" : undefined;
}

/** Some tools measure themselves; the time between two lines is not a measurement. */
export function measuredMs(result: unknown): number | undefined {
  if (!isObject(result)) return undefined;
  const measured = [result.durationMs, result.totalDurationMs].find((ms) => Number.isFinite(ms) && (ms as number) >= 0);
  return measured as number | undefined;
}
