/**
 * Toolmend's core: leaked calls become calls, and results get a verdict. Runs anywhere.
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
