import type { FailureKind } from "../outcome/failure.ts";
import type { FailedCall } from "../outcome/outcome.ts";
import { shownName } from "../sanitize/user-texts.ts";
import type { StopReason } from "./events.ts";

/** Failures caused by the call, not by the tool. */
const CALL_FAULTS: ReadonlySet<FailureKind> = new Set([
  "unknown_tool",
  "malformed_arguments",
  "missing_parameter",
  "invalid_arguments",
]);

export function isCallFault(kind: FailureKind): boolean {
  return CALL_FAULTS.has(kind);
}

/** Message to the user when a failure ends the run. */
export function failureMessage({ call, failure }: FailedCall, showDetail: boolean): string {
  const tool = shownName(call.name);
  const issues = failure.issues?.filter(({ problem }) => problem === "missing").map(({ path }) => path);
  const detail =
    failure.detail ?? (issues !== undefined && issues.length > 0 ? `${issues.join(", ")} required` : undefined);
  const inside = showDetail ? ` (${detail ?? "Tool execution failed"})` : "";
  return failure.kind === "missing_parameter"
    ? `The assistant attempted to call '${tool}' without required arguments${inside}. Please try your message again with more specific details.`
    : `The assistant could not complete '${tool}'${inside}. Please try again in a moment or adjust your request.`;
}

/** Message to the user when a limit ends the run. */
export function limitMessage(reason: StopReason): string {
  if (reason === "repeated-call") {
    return "The assistant kept repeating the same step and was stopped. Please try again with a more specific request.";
  }
  if (reason === "deadline") return "The assistant ran out of time. Please try again with a more specific request.";
  if (reason === "failed-rounds") return "The assistant gave no usable answer. Please try again in a moment.";
  return "The assistant stopped after too many tool calls. Please try again with a more specific request.";
}

export const REFUSAL = "The assistant declined to answer this.";
export const CUT_OFF = "The answer was cut off before it began. Please try again with a more specific request.";
