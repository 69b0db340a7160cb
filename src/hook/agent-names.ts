import { isOneOf } from "../core/model/narrow.ts";

/** Coding agents with supported hooks, named as in `POST /hooks/<agent>`. Apart from their readers, for `--help`. */
export const HOOK_AGENTS = ["claude-code", "codex", "opencode", "gemini", "qwen", "copilot", "cline"] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];

export function isHookAgent(name: string): name is HookAgent {
  return isOneOf(HOOK_AGENTS, name);
}
