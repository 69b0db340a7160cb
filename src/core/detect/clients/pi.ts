import type { ClientProfile } from "./client-profile.ts";

/** pi closes a failed command with `Command exited with code N`, and flags failures on Anthropic's API only. */
export const pi: ClientProfile = {
  kind: "client-profile",
  name: "pi",
  userAgents: ["pi/", "pi-coding-agent/"],
  headers: [],
  systemTexts: ["operating inside pi, a coding agent harness"],
  texts: [],
  absentFlag: "absent",
  okFlag: "ok",
  hidesExitStatus: [],
  phrases: [
    {
      id: "edit-text",
      at: "start",
      text: "Could not find the exact text in ",
      says: "failure",
      category: "precondition",
      phase: "call",
    },
    {
      id: "edit-list",
      at: "start",
      text: "Could not find edits[",
      says: "failure",
      category: "precondition",
      phase: "call",
    },
    {
      id: "blocked",
      at: "start",
      text: "Tool execution was blocked",
      says: "failure",
      category: "permission_denied",
      phase: "gate",
    },
  ],
};
