import type { ClientPhrase } from "./client-profile.ts";

/** Phrases shared by Gemini CLI and its fork Qwen Code. */
export const geminiPhrases: readonly ClientPhrase[] = [
  {
    id: "parameters",
    at: "start",
    text: "params must have required property",
    says: "failure",
    category: "invalid_arguments",
    phase: "call",
  },
  {
    id: "parameters-type",
    at: "start",
    text: "params/",
    says: "failure",
    category: "invalid_arguments",
    phase: "call",
  },
  {
    id: "cancelled",
    at: "start",
    text: "[Operation Cancelled]",
    says: "failure",
    category: "cancelled",
    phase: "gate",
  },
  {
    id: "cancelled-by-user",
    at: "start",
    text: "Command was cancelled by user",
    says: "failure",
    category: "cancelled",
    phase: "run",
  },
];
