import type { ClientPhrase, ClientProfile } from "./client-profile.ts";

/** Phrases shared by Gemini CLI and its fork Qwen Code. */
const geminiPhrases: readonly ClientPhrase[] = [
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

/** Qwen Code wraps every shell result in a block with `Error:` and `Exit Code:`, also on success. */
export const qwenCode: ClientProfile = {
  kind: "client-profile",
  name: "qwen-code",
  userAgents: ["qwencode/", "qwen-code/"],
  headers: [],
  texts: ["\nProcess Group PGID: "],
  absentFlag: "absent",
  okFlag: "ok",
  hidesExitStatus: [],
  phrases: geminiPhrases,
};

/** Gemini CLI's shell block omits empty lines: without an `Exit Code:` line the exit code was 0. */
export const geminiCli: ClientProfile = {
  kind: "client-profile",
  name: "gemini-cli",
  userAgents: ["geminicli/", "geminicli-", "gemini-cli/"],
  headers: [],
  texts: [],
  absentFlag: "absent",
  // Failed commands have the key `output`, too.
  okFlag: "nothing",
  hidesExitStatus: [],
  phrases: geminiPhrases,
};
