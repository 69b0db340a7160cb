/**
 * Toolmend's core: extracts leaked calls, classifies results, scores sessions. Runs anywhere.
 * @module
 */
export { classifyToolResult, ERROR_SEVERITY, formatStatusMessage, getErrorSeverity } from "./core/detect/index.ts";
export {
  CATEGORIES,
  type Category,
  type Evidence,
  type Outcome,
  type Phase,
  type Retryable,
  type Status,
} from "./core/model/outcome.ts";
export type { Json, JsonObject, ToolCall, ToolResult } from "./core/model/tool-call.ts";
export { createLeakScanner, extractToolCalls, tryExtractLeakedToolCalls } from "./core/recover/index.ts";
export {
  chainContext,
  findDominantFailureMode,
  SCORE_DOMINANT_FAILURE_MODE,
  SCORE_ERROR_SEVERITY,
  SCORE_FAILURE_CATEGORY,
  SCORE_IS_CASCADE_FAILURE,
  SCORE_SESSION_HEALTH,
  SCORE_SESSION_SUCCESS_RATE,
  SCORE_TOOL_SUCCESS,
  scoreCall,
  scoreId,
  scoreSession,
} from "./core/score/index.ts";
