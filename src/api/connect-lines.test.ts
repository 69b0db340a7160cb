import { expect, it } from "vitest";
import { connectLines, oneLine } from "./connect-lines.ts";

it("an upstream of the user has its own base URL", () => {
  const line = connectLines("http://127.0.0.1:4100", ["vllm"]).find(({ client }) => client === "vllm");
  expect(line).toMatchObject({
    title: "Upstream vllm",
    environment: [["OPENAI_BASE_URL", "http://127.0.0.1:4100/vllm/v1"]],
  });
});

it("each client that needs no setup gets its own command line", () => {
  const lines = connectLines("http://127.0.0.1:4100").filter(({ setup }) => setup === undefined);
  expect(lines.map((line) => [line.client, oneLine(line)])).toEqual([
    [
      "claude-code",
      "ANTHROPIC_BASE_URL=http://127.0.0.1:4100 ENABLE_TOOL_SEARCH=true CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK=1 claude",
    ],
    // Codex silently ignores OPENAI_BASE_URL.
    ["codex", "codex -c openai_base_url=http://127.0.0.1:4100/v1"],
    ["openai", "OPENAI_BASE_URL=http://127.0.0.1:4100/v1"],
    ["opencode", expect.stringMatching(/^OPENCODE_CONFIG_CONTENT="\{.*http:\/\/127\.0\.0\.1:4100\/v1.*" opencode$/)],
    ["qwen-code", "OPENAI_BASE_URL=http://127.0.0.1:4100/v1 qwen"],
    ["gemini-cli", "GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:4100 gemini"],
    [
      "copilot",
      "COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:4100/v1 COPILOT_PROVIDER_TYPE=openai COPILOT_PROVIDER_TRANSPORT=http copilot",
    ],
  ]);
});
