import { expect, it } from "vitest";
import { connectLines, oneLine } from "./connect-lines.ts";

it("each client gets its own command line", () => {
  expect(connectLines("http://127.0.0.1:4100").map((line) => [line.client, oneLine(line)])).toEqual([
    [
      "claude-code",
      "ANTHROPIC_BASE_URL=http://127.0.0.1:4100 ENABLE_TOOL_SEARCH=true CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK=1 claude",
    ],
    // Codex silently ignores OPENAI_BASE_URL.
    ["codex", "codex -c openai_base_url=http://127.0.0.1:4100/v1"],
    ["openai", "OPENAI_BASE_URL=http://127.0.0.1:4100/v1"],
  ]);
});
