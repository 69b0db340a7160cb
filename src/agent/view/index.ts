/**
 * Shows calls on a page without duplicates: rebuilt from stored messages, updated live.
 * @module
 */
export { fromSSE, type ReadSSEOptions } from "../sse/from-sse.ts";
export { type ConversationItem, type ConversationView, createConversationView } from "./conversation.ts";
export type { ToolRow } from "./rebuild.ts";
export { type ConversationEntry, rebuildConversation } from "./rebuild.ts";
export {
  appendToolResult,
  type CallResult,
  createToolView,
  type ToolView,
  uniqueToolResultsByCallId,
} from "./tool-view.ts";
