import type { ClientProfile } from "./client-profile.ts";
import { geminiPhrases } from "./gemini-block.ts";

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
  okFlag: "ok",
  hidesExitStatus: [],
  phrases: geminiPhrases,
};
