import { describe, expect, test } from "vitest";
import { CLIENT_PROFILES, type ClientProfileName, chooseClientProfile, clientProfileNamed } from "../index.ts";

describe("choosing a client profile", () => {
  test.each<[string, ClientProfileName]>([
    ["claude-cli/9.9.9 (external, cli)", "claude-code"],
    ["codex_cli_rs/1.0.0 (Debian)", "codex"],
    ["codex_exec/0.1.0", "codex"],
    ["opencode/1.2.3 ai-sdk/provider-utils/4.0.0", "opencode"],
    ["QwenCode/0.9.0 (linux; x64)", "qwen-code"],
    ["GeminiCLI/0.9.0 (linux; x64)", "gemini-cli"],
    ["ai/6.0.0 ai-sdk/provider-utils/4.0.0", "ai-sdk"],
    ["Zed/1.2.3 (linux; x86_64)", "zed"],
    ["Charm-Crush/0.9.0 (https://charm.land/crush)", "crush"],
    ["langchainjs-openai/1.0.0 (node-24)", "langchain"],
    ["Agents/JavaScript 0.20.0", "openai-agents"],
    ["OpenAI/JS 6.0.0", "openai-sdk"],
    ["AsyncOpenAI/Python 2.0.0", "openai-sdk"],
    ["Anthropic/JS 1.8.0", "anthropic-sdk"],
    ["curl/8.0", "plain"],
    ["", "plain"],
  ])("user agent %j selects %s", (userAgent, profile) => {
    expect(chooseClientProfile({ userAgent })).toBe(profile);
    expect(chooseClientProfile({ headers: { "user-agent": userAgent } })).toBe(profile);
  });

  test("a client-specific header selects the profile if the user agent was rewritten", () => {
    expect(chooseClientProfile({ userAgent: "gateway/1", headers: { "x-claude-code-session-id": "s" } })).toBe(
      "claude-code",
    );
    expect(chooseClientProfile({ headers: { "x-session-affinity": ["ses_1"] } })).toBe("opencode");
  });

  test.each<[string, ClientProfileName]>([
    ["You are an expert coding assistant operating inside pi, a coding agent harness. You help.", "pi"],
    ["You are the GitHub Copilot CLI, a terminal assistant.", "copilot"],
    ["You are an agent in the Continue CLI. Be brief.", "continue"],
    ["You are Cline, an AI coding agent. Gather context.", "cline"],
    ["You are a general-purpose AI agent called goose, created by people.", "goose"],
    ["You review what other agents did, such as pi.", "openai-sdk"],
  ])("the system prompt %j selects %s although the user agent names an SDK", (systemText, profile) => {
    expect(chooseClientProfile({ userAgent: "OpenAI/JS 6.0.0", systemText })).toBe(profile);
  });

  test("a client that names itself is not taken for one that its system prompt mentions", () => {
    const systemText = "You are Cline, an AI coding agent.";
    expect(chooseClientProfile({ userAgent: "codex_exec/1.0", systemText })).toBe("codex");
    expect(chooseClientProfile({ systemText: `${"x".repeat(300)}${systemText}` })).toBe("plain");
  });

  test("a header selects the profile although the user agent names an SDK", () => {
    const header = (name: string) => (name === "x-initiator" ? "agent" : undefined);
    expect(chooseClientProfile({ userAgent: "OpenAI/JS 5.0.0", headers: header })).toBe("copilot");
    expect(chooseClientProfile({ headers: { "x-cursor-client-version": "1.0" } })).toBe("cursor");
  });

  test("the text of a result selects the profile if no header does", () => {
    expect(chooseClientProfile({ text: "out\nSignal: 0\nProcess Group PGID: 12" })).toBe("qwen-code");
    expect(chooseClientProfile({ text: "hello" })).toBe("plain");
  });

  test("a name with a version suffix selects the profile", () => {
    expect(clientProfileNamed("opencode-1.2.3-chat")).toBe("opencode");
    expect(clientProfileNamed("claude_code")).toBe("claude-code");
    expect(clientProfileNamed("codex_exec/1")).toBe("codex");
    expect(clientProfileNamed("somebody")).toBe("plain");
  });

  test("profile names are unique, and the last profile matches every client", () => {
    const names = CLIENT_PROFILES.map((profile) => profile.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.at(-1)).toBe("plain");
  });
});
