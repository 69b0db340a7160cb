import type { ClientProfile } from "../client-profile.ts";

/** Codex has no flag; shells carry a header with the exit status, other tools a sentence. */
export const codex: ClientProfile = {
  kind: "client-profile",
  name: "codex",
  userAgents: ["codex_", "codex/", "codex-"],
  headers: ["x-codex-window-id", "x-codex-turn-metadata"],
  texts: ["Chunk ID: ", "unsupported call: "],
  absentFlag: "absent",
  okFlag: "ok",
  hidesExitStatus: [],
  scriptStatus: { start: "Script completed", key: "exit_code" },
  phrases: [
    {
      id: "unsupported",
      at: "start",
      text: "unsupported call: ",
      says: "failure",
      category: "unknown_tool",
      phase: "call",
    },
    {
      id: "unsupported-custom",
      at: "start",
      text: "unsupported custom tool call: ",
      says: "failure",
      category: "unknown_tool",
      phase: "call",
    },
    {
      id: "arguments",
      at: "start",
      text: "failed to parse function arguments",
      says: "failure",
      category: "invalid_arguments",
      phase: "call",
    },
    {
      id: "patch",
      at: "start",
      text: "apply_patch verification failed",
      says: "failure",
      category: "precondition",
      phase: "call",
    },
    { id: "script-failed", at: "start", text: "Script failed", says: "failure", category: "error", phase: "run" },
  ],
};
