import { expect, it } from "vitest";
import type { RankedRow } from "../../src/api/ranked-row.ts";
import { mcpServers } from "./mcp-servers.ts";

const row = (key: string, ok: number, failed: number): RankedRow =>
  ({ key, ok, failed, calls: ok + failed }) as unknown as RankedRow;

it("adds up the tools of each MCP server, and names the worst of them", () => {
  const rows = [
    row("Bash", 9, 9),
    row("mcp__github__search_code", 5, 1),
    row("mcp__github__create_issue", 1, 3),
    row("mcp__docs__read", 4, 0),
    row("mcp__", 1, 1),
  ];
  expect(mcpServers(rows)).toEqual([
    {
      name: "github",
      prefix: "mcp__github__",
      tools: 2,
      calls: 10,
      ok: 6,
      failed: 4,
      failure_rate: 0.4,
      worst: "create_issue",
    },
    { name: "docs", prefix: "mcp__docs__", tools: 1, calls: 4, ok: 4, failed: 0, failure_rate: 0, worst: null },
  ]);
});
