/**
 * Toolmend for agents: a tool registry and a model loop that do not crash, loop forever or leak secrets. Runs in any
 * JavaScript runtime.
 * @module
 */

export type { TokenUsage } from "../core/model/token-usage.ts";
export { type Clock, systemClock } from "./clock.ts";
export { readMessages } from "./history/read-messages.ts";
export {
  type HistoryChange,
  type RepairedHistory,
  type RepairHistoryOptions,
  repairHistory,
} from "./history/repair-history.ts";
export {
  type LeakedCall,
  type LoopEvent,
  type LoopResult,
  type PendingCall,
  type ShownCall,
  STOP_REASONS,
  type StopReason,
} from "./loop/events.ts";
export type { RecoverSettings } from "./loop/leak-reader.ts";
export type { LoopOptions, Prices, StepChanges, StepInfo } from "./loop/loop-options.ts";
export { runToolLoop } from "./loop/run-tool-loop.ts";
export type { ContentPart } from "./model/content-part.ts";
export type {
  DroppedCall,
  FailureSummary,
  Message,
  ModelCall,
  ProviderBlock,
  ProviderTurn,
  SafeError,
} from "./model/message.ts";
export type {
  FinishReason,
  JsonSchema,
  ModelDelta,
  ModelFunction,
  ModelRequest,
  ModelTurn,
  ToolDefinition,
} from "./model/model-function.ts";
export { type ArgumentIssue, causeOf, FAILURE_KINDS, type FailureKind, type ToolFailure } from "./outcome/failure.ts";
export type { FailedCall, OutcomeNote, ToolOutcome, ToolSuccess } from "./outcome/outcome.ts";
export { type ReturnedError, readReturnedError, ToolError, type ToolErrorOptions } from "./outcome/tool-error.ts";
export type { CircuitOptions } from "./policy/circuit.ts";
export { type FailurePolicy, type HistoryMode, policies } from "./policy/policy.ts";
export type { FallbackArguments, RetryOptions, Tool, ToolBehavior, ToolContext } from "./registry/define-tool.ts";
export { defineTool, type JsonToolSpec, type SchemaToolSpec } from "./registry/define-tool.ts";
export type {
  AnthropicTool,
  DefinitionFormats,
  McpTool,
  OpenAIChatTool,
  OpenAIResponsesTool,
} from "./registry/definitions.ts";
export type { FailureParser } from "./registry/failures.ts";
export type { AgentHooks, Approval, LogEntry } from "./registry/hooks.ts";
export { type Ledger, type LedgerEntry, memoryLedger } from "./registry/hooks.ts";
export { suggestNames, UnknownToolError } from "./registry/names.ts";
export type {
  AgentEnvironment,
  CallOptions,
  RegistryOptions,
  ToolRegistry,
  TypedToolRegistry,
} from "./registry/registry.ts";
export { createToolRegistry } from "./registry/registry.ts";
export type { Serialized, ToolContextOf, ToolName, ToolOutput } from "./registry/tool-types.ts";
export { PROVIDER_CATEGORIES, type ProviderCategory, providerError } from "./sanitize/provider-error.ts";
export { createSanitizer, type Sanitizer, type SanitizerOptions } from "./sanitize/safe-text.ts";
export { fromSSE, type ReadSSEOptions } from "./sse/from-sse.ts";
export { createRunLog, type RunLog } from "./sse/run-log.ts";
export { SSE_HEADERS, type SSEOptions, toSSE } from "./sse/to-sse.ts";
export {
  appendToolResult,
  type CallResult,
  type ConversationEntry,
  type ConversationItem,
  type ConversationView,
  createConversationView,
  createToolView,
  rebuildConversation,
  type ToolRow,
  type ToolView,
  uniqueToolResultsByCallId,
} from "./view/index.ts";
