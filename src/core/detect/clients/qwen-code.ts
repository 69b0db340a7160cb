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
