import type { ClientProfile } from "./client-profile.ts";

/** Claude Code flags every failure and omits the flag on success. */
export const claudeCode: ClientProfile = {
  kind: "client-profile",
  name: "claude-code",
  userAgents: ["claude-cli/", "claude-code/"],
  headers: ["x-claude-code-session-id"],
  texts: ["<tool_use_error>", "(Bash completed with no output)"],
  absentFlag: "ok",
  okFlag: "ok",
  hidesExitStatus: [],
  appendix: "\n\nThis tool's input schema was not in your prompt",
  appendsReminders: true,
  phrases: [
    {
      id: "permission-ask",
      at: "start",
      text: "Claude requested permissions",
      says: "failure",
      category: "permission_denied",
      phase: "gate",
    },
    {
      id: "permission-rule",
      at: "start",
      text: "Permission to use ",
      says: "failure",
      category: "permission_denied",
      phase: "gate",
    },
    { id: "hook", at: "start", text: "PreToolUse:", says: "failure", category: "permission_denied", phase: "gate" },
    {
      id: "rejected",
      at: "start",
      text: "The user doesn't want to proceed with this tool use",
      says: "failure",
      category: "cancelled",
      phase: "gate",
    },
    {
      id: "interrupted",
      at: "start",
      text: "[Request interrupted by user",
      says: "failure",
      category: "cancelled",
      phase: "run",
    },
    { id: "blocked", at: "start", text: "Blocked: ", says: "failure", category: "permission_denied", phase: "gate" },
    { id: "no-output", at: "start", text: "(Bash completed with no output)", says: "success" },
  ],
};
