export { chooseClientProfile, type ProfileClues } from "./choose-profile.ts";
export { classifyToolResult } from "./classify.ts";
export { resultText } from "./result-text.ts";
export { ERROR_SEVERITY, getErrorSeverity, RETRY_ADVICE } from "./severity.ts";
export { formatStatusMessage } from "./status-message.ts";
export type {
  ClientProfileName,
  DeclaredTool,
  DetectApi,
  DetectCall,
  DetectContext,
  DetectResult,
} from "./types.ts";
export type { UserRule } from "./user-rules.ts";
