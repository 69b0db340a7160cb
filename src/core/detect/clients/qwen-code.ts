import type { ClientProfile } from "./client-profile.ts";
import { geminiPhrases } from "./gemini-block.ts";

/** Qwen Code prints a block with `Error:` and `Exit Code:` around every shell result, good or bad. */
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

/** Gemini CLI's shell block leaves out the lines that say "none": without an `Exit Code:` line it was zero. */
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
