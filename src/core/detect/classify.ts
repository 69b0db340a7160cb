import type { Outcome } from "../model/outcome.ts";
import { resultText } from "./result-text.ts";
import { ERROR_SEVERITY, RETRY_ADVICE } from "./severity.ts";
import type { DetectCall, DetectContext, DetectResult } from "./types.ts";

/** Did the tool fail, how, and how sure are we? */
export function classifyToolResult(result: DetectResult, _call?: DetectCall, _context?: DetectContext): Outcome {
  const text = resultText(result.content);
  if (result.isError === true) {
    return {
      status: "failed",
      flag: "failed",
      reported: "unknown",
      soft: false,
      phase: "run",
      category: "error",
      severity: ERROR_SEVERITY.error,
      retryable: RETRY_ADVICE.error,
      message: text.slice(0, 200),
      evidence: [{ rule: "protocol-flag" }],
      confidence: 1,
    };
  }
  const reported = text.trim() === "" ? "unknown" : "ok";
  return {
    status: result.isError === false ? "ok" : reported,
    flag: result.isError === false ? "ok" : "absent",
    reported,
    soft: false,
    evidence: [],
    confidence: 0.5,
  };
}
