export { type Advice, type AdviceKind, adviceFor, type FailureClass } from "./advice.ts";
export { type ToolKind, toolKind } from "./call/tool-kind.ts";
export { classifyToolResult } from "./classify.ts";
export {
  CLIENT_PROFILES,
  chooseClientProfile,
  clientProfileNamed,
  type ProfileClues,
} from "./clients/choose-profile.ts";
export type { ClientPhrase, ClientProfile } from "./clients/client-profile.ts";
export { ERROR_SEVERITY, getErrorSeverity, RETRY_ADVICE } from "./severity.ts";
export { formatStatusMessage } from "./status-message.ts";
export { resultText } from "./text/result-text.ts";
export type {
  ClientProfileName,
  DeclaredTool,
  DetectApi,
  DetectCall,
  DetectContext,
  DetectResult,
} from "./types.ts";
export { type CheckedRules, checkUserRules, matchesGlob, type UserRule, type UserRuleProblem } from "./user-rules.ts";
