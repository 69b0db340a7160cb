export { createLeakScanner, extractToolCalls } from "./extract.ts";
export type { FormatRow, PayloadName, Strength } from "./formats/table.ts";
export { type LeakedToolExtractionResult, tryExtractLeakedToolCalls } from "./try-extract.ts";
export type {
  ContextText,
  DeclaredTool,
  Evidence,
  Extraction,
  LeakEvent,
  LeakMatch,
  LeakScanner,
  RecoveredCall,
  RecoverMode,
  RecoverOptions,
  RejectReason,
  Span,
  ThinkPolicy,
} from "./types.ts";
