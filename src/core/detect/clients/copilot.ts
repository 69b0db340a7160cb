import type { ClientProfile } from "./client-profile.ts";

/** Copilot CLI closes every shell result with a line that contains the exit code, and never sends a flag. */
export const copilot: ClientProfile = {
  kind: "client-profile",
  name: "copilot",
  userAgents: ["copilot/", "githubcopilotchat/", "github-copilot-cli/"],
  headers: ["x-initiator", "copilot-integration-id"],
  systemTexts: ["You are the GitHub Copilot CLI"],
  texts: ["<shellId: "],
  absentFlag: "absent",
  okFlag: "ok",
  hidesExitStatus: [],
  exitLine: { start: "<shellId: ", label: " completed with exit code " },
  phrases: [
    {
      id: "edit-text",
      at: "start",
      text: "No match found",
      says: "failure",
      category: "precondition",
      phase: "call",
    },
    {
      id: "edit-ambiguous",
      at: "start",
      text: "Ambiguous match for old_str in ",
      says: "failure",
      category: "precondition",
      phase: "call",
    },
    {
      id: "permission",
      at: "start",
      text: "Permission denied and could not request permission from user",
      says: "failure",
      category: "permission_denied",
      phase: "gate",
    },
    {
      id: "rejected",
      at: "start",
      text: "The user rejected this tool call",
      says: "failure",
      category: "cancelled",
      phase: "gate",
    },
    { id: "background", at: "last-lines", text: "<command started in background with shellId: ", says: "open" },
  ],
};
