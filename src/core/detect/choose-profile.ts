import type { ClientProfileName } from "./types.ts";

const AGENTS: readonly (readonly [string, ClientProfileName])[] = [
  ["claude-cli/", "claude-code"],
  ["codex_", "codex"],
  ["opencode/", "opencode"],
  ["qwencode/", "qwen-code"],
  ["geminicli/", "gemini-cli"],
  ["ai/", "ai-sdk"],
];

/** What the choice of a profile may look at. */
export interface ProfileClues {
  readonly userAgent?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text?: string;
}

/** Which client wrote this request. */
export function chooseClientProfile(clues: ProfileClues): ClientProfileName {
  const agent = (clues.userAgent ?? "").toLowerCase();
  return AGENTS.find(([prefix]) => agent.startsWith(prefix))?.[1] ?? "plain";
}
