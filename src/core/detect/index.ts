export { CLIENT_PROFILES, chooseClientProfile, clientProfileNamed, type ProfileClues } from "./choose-profile.ts";
export { classifyToolResult } from "./classify.ts";
export type { ClientPhrase, ClientProfile } from "./client-profile.ts";
export { resultText } from "./result-text.ts";
export { ERROR_SEVERITY, getErrorSeverity, RETRY_ADVICE } from "./severity.ts";
export { formatStatusMessage } from "./status-message.ts";
export { type ToolKind, toolKind } from "./tool-kind.ts";
export type {
  ClientProfileName,
  DeclaredTool,
  DetectApi,
  DetectCall,
  DetectContext,
  DetectResult,
} from "./types.ts";
export { type CheckedRules, checkUserRules, matchesGlob, type UserRule, type UserRuleProblem } from "./user-rules.ts";
