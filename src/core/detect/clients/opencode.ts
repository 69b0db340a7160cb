import type { ClientProfile } from "./client-profile.ts";

/** opencode drops the exit code of shells on every API, and flags only some failures on Anthropic's. */
export const opencode: ClientProfile = {
  kind: "client-profile",
  name: "opencode",
  userAgents: ["opencode/"],
  headers: ["x-session-affinity"],
  texts: ["<shell_metadata>", "The arguments provided to the tool are invalid: "],
  absentFlag: "absent",
  okFlag: "nothing",
  hidesExitStatus: ["shell"],
  invalidCallName: "invalid",
  phrases: [
    {
      id: "timeout",
      at: "last-lines",
      text: "shell tool terminated command after exceeding timeout",
      says: "failure",
      category: "timeout",
      phase: "run",
    },
    {
      id: "timeout-old",
      at: "last-lines",
      text: "bash tool terminated command after exceeding timeout",
      says: "failure",
      category: "timeout",
      phase: "run",
    },
    {
      id: "user-abort",
      at: "last-lines",
      text: "User aborted the command",
      says: "failure",
      category: "cancelled",
      phase: "run",
    },
    {
      id: "rejected",
      at: "start",
      text: "The user rejected permission to use this specific tool call",
      says: "failure",
      category: "cancelled",
      phase: "gate",
    },
    { id: "missing-file", at: "start", text: "File not found: ", says: "failure", category: "not_found", phase: "run" },
    {
      id: "edit-text",
      at: "start",
      text: "Could not find oldString in the file",
      says: "failure",
      category: "precondition",
      phase: "call",
    },
  ],
};
