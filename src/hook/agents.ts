import type { KnownServers } from "../mcp/known-servers.ts";
import { readMcpLines } from "../mcp/read-event.ts";
import { HOOK_AGENTS, type HookAgent } from "./agent-names.ts";
import { readClaudeCodeEvent } from "./claude-code/read-event.ts";
import { readClineEvent } from "./cline/read-event.ts";
import { readCodexEvent } from "./codex/read-event.ts";
import { readCopilotEvent } from "./copilot/read-event.ts";
import { readGeminiEvent } from "./gemini/read-event.ts";
import type { HookReadContext, HookReader, HookReading } from "./hook-event.ts";
import { readOpencodeEvent } from "./opencode/read-event.ts";
import { readQwenEvent } from "./qwen/read-event.ts";

export const HOOK_READERS: Readonly<Record<HookAgent, HookReader>> = {
  "claude-code": readClaudeCodeEvent,
  codex: readCodexEvent,
  opencode: readOpencodeEvent,
  gemini: readGeminiEvent,
  qwen: readQwenEvent,
  copilot: readCopilotEvent,
  cline: readClineEvent,
};

/** The client in records, where it has another name. */
export function clientOf(agent: HookAgent): string {
  return agent === "gemini" ? "gemini-cli" : agent === "qwen" ? "qwen-code" : agent;
}

/** Writers of the spool: the hooks of agents, and wrappers of MCP servers. */
export const SPOOL_WRITERS = [...HOOK_AGENTS, "mcp"] as const;
export type SpoolWriter = (typeof SPOOL_WRITERS)[number];

/** Parses and reads one event. Never throws. */
export function readEvent(
  agent: SpoolWriter,
  body: string,
  context: HookReadContext,
  mcpServers?: KnownServers,
): HookReading {
  try {
    return agent === "mcp" ? readMcpLines(body, context, mcpServers) : HOOK_READERS[agent](JSON.parse(body), context);
  } catch (error) {
    const reason = error instanceof SyntaxError ? "the payload is not JSON" : "the payload cannot be read";
    return { kind: "unreadable", reason };
  }
}
