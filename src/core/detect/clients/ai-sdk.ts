import type { ClientProfile } from "./client-profile.ts";

/** AI SDK: the message of a thrown error becomes the result, flagged only on Anthropic's API. */
export const aiSdk: ClientProfile = {
  kind: "client-profile",
  name: "ai-sdk",
  userAgents: ["ai/", "ai-sdk/"],
  headers: [],
  isLibrary: true,
  texts: ["Model tried to call unavailable tool "],
  absentFlag: "absent",
  okFlag: "ok",
  hidesExitStatus: [],
  phrases: [
    {
      id: "unavailable",
      at: "start",
      text: "Model tried to call unavailable tool",
      says: "failure",
      category: "unknown_tool",
      phase: "call",
    },
    {
      id: "input",
      at: "start",
      text: "Invalid input for tool ",
      says: "failure",
      category: "invalid_arguments",
      phase: "call",
    },
  ],
};
