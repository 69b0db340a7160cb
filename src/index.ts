/**
 * Toolmend's core: what a tool result means, and what the APIs' bodies say. Runs anywhere.
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
