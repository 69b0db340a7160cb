/**
 * What a page needs to show calls once: rebuilt from stored rows, added live, unique when shown.
 * @module
 */
export { fromSSE, type ReadSSEOptions } from "../sse/from-sse.ts";
export { type ConversationEntry, rebuildConversation } from "./rebuild.ts";
export type { ToolRow } from "./tool-row.ts";
export {
  appendToolResult,
  type CallResult,
  createToolView,
  type ToolView,
  uniqueToolResultsByCallId,
} from "./tool-view.ts";
